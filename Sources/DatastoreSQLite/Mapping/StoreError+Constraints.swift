import Basics
import DatastoreCore
import DatastoreSQL
import GRDB

extension StoreError {
  /// Converts a constraint error for an object; nil for errors of other kinds.
  ///
  /// - Parameter database: the connection of the error.
  init?(
    constraint error: DatabaseError, entity: Entity, mapping: EntityMapping, key: RowKey?,
    in database: Database
  ) {
    guard error.resultCode == .SQLITE_CONSTRAINT || error.resultCode == .SQLITE_MISMATCH else {
      return nil
    }
    let message = error.message ?? ""
    let subject = message.parts(at: ": ", most: 2).last.map(String.init) ?? message
    switch error.extendedResultCode {
    case .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_ROWID:
      self = .notUnique(
        entity: entity.name, properties: Self.properties(in: subject, entity, mapping), key: key)
    case .SQLITE_CONSTRAINT_NOTNULL:
      self = .missingValue(
        entity: entity.name,
        property: Self.properties(in: subject, entity, mapping).joined(separator: ", "), key: key)
    case .SQLITE_CONSTRAINT_CHECK:
      self = .checkFailed(entity: entity.name, constraint: subject, key: key)
    case .SQLITE_CONSTRAINT_FOREIGNKEY:
      self = .brokenReference(
        entity: entity.name, property: nil, key: key,
        detail: "\(entity.name)\(key.map { " \($0)" } ?? "")")
    case .SQLITE_CONSTRAINT_TRIGGER:
      let triggers = Self.triggers(saying: message, in: database)
      self = .refused(entity: entity.name, key: key, detail: message + triggers)
    default:
      self = .refused(entity: entity.name, key: key, detail: message)
    }
  }

  /// The triggers of the file with a message, in brackets: SQLite reports only the message. Empty if none is
  /// found, as for messages that a trigger composes.
  private static func triggers(saying message: String, in database: Database) -> String {
    let text = SQLTokens.Token.literal(Quoting.sqlText(message))
    let found = (try? TriggerText.all(in: database)) ?? []
    let names = found.filter { trigger in
      let tokens = SQLTokens(trigger.sql).tokens
      // RAISE ( ABORT , 'message' )
      return tokens.indices.contains {
        tokens[$0].isWord("RAISE") && tokens[$0...].prefix(5).contains(text)
      }
    }.map { "“\($0.name)” of \($0.table)" }
    if names.isEmpty { return " (said by a trigger)" }
    return " (said by the trigger \(names.joined(separator: " or ")))"
  }

  /// The properties of `table.column, table.column`.
  private static func properties(
    in subject: String, _ entity: Entity, _ mapping: EntityMapping
  ) -> [String] {
    let prefix = mapping.table + "."
    let start = subject.begins(with: prefix) ? prefix.utf8.count : 0
    let columns = subject[subject.utf8.index(subject.startIndex, offsetBy: start)...]
    return columns.parts(at: ", " + prefix).map { column in
      mapping.slot(ofColumn: String(column)).map { entity.properties[$0].name } ?? String(column)
    }
  }
}

extension SchemaMapping {
  /// Runs `body`, and adds the entity, the key and the broken rule of the table to its errors.
  func naming<Result>(
    _ entity: EntityIndex, _ key: RowKey? = nil, in database: Database,
    _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as DatabaseError {
      throw StoreError(
        constraint: error, entity: schema.entities[entity], mapping: entities[entity], key: key,
        in: database) ?? error
    }
  }
}
