import DatastoreCore
import GRDB

extension StoreError {
  /// What a failed constraint means for an object; nil for errors of other kinds.
  init?(constraint error: DatabaseError, entity: Entity, mapping: EntityMapping, key: Int64?) {
    guard error.resultCode == .SQLITE_CONSTRAINT || error.resultCode == .SQLITE_MISMATCH else {
      return nil
    }
    let message = error.message ?? ""
    let subject = message.split(separator: ": ", maxSplits: 1).last.map(String.init) ?? message
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
      self = .brokenReference(detail: "\(entity.name)\(key.map { " \($0)" } ?? "")")
    default:
      self = .refused(entity: entity.name, key: key, detail: message)
    }
  }

  /// The properties that `table.column, table.column` means.
  private static func properties(
    in subject: String, _ entity: Entity, _ mapping: EntityMapping
  ) -> [String] {
    let prefix = mapping.table + "."
    let columns = subject.hasPrefix(prefix) ? subject.dropFirst(prefix.count) : subject[...]
    return String(columns).split(separator: ", " + prefix).map { column in
      let slot = mapping.slots.firstIndex { slot in
        switch slot {
        case .attribute(let attribute): attribute.name == column
        case .toOne(let foreign): foreign.names.contains(String(column))
        case .toManyForeignKey, .toManyJoin: false
        }
      }
      return slot.map { entity.properties[$0].name } ?? String(column)
    }
  }
}
