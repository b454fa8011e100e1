import Basics
import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

/// A change of many rows in a file, inside its transaction.
final class FileBatch: BatchDatabase, FileKeyReader {
  private let store: SQLiteStore
  let database: Database
  private let hasTriggers: Bool

  init(_ store: SQLiteStore, _ database: Database, hasTriggers: Bool) {
    self.store = store
    self.database = database
    self.hasTriggers = hasTriggers
  }

  var mapping: SchemaMapping { store.mapping }
  /// Constraints of other programs may be `RESTRICT`, which is never deferred.
  var looksAtReferencesAtOnce: Bool { !mapping.isNative }

  func makeBuilder() -> QueryBuilder { QueryBuilder(mapping) }

  func run(_ statement: SQLFragment, of entity: EntityIndex) throws {
    try mapping.naming(entity, in: database) { try RawStatement(statement, in: database).run() }
  }

  func update(
    _ entity: EntityIndex, as alias: String, assigning assignments: [(slot: Slot, value: Value)],
    clearing columns: [String], _ clause: SQLFragment
  ) throws -> [EntityIndex: [RowKey]] {
    let builder = QueryBuilder(mapping)
    let mapped = mapping.entities[entity]
    var changes = columns.map { "\(name: $0) = NULL" as SQLFragment }
    for (slot, value) in assignments {
      switch mapped.slots[slot] {
      case .attribute(let column): changes.append("\(name: column.name) = \(value)")
      case .toOne(let foreign):
        let values = builder.storedValues(foreign, key: "\(value)")
        changes += zip(foreign.names, values).map { "\(name: $0) = \($1)" }
      case .toManyForeignKey, .toManyJoin: continue
      }
    }
    let table = builder.table(entity, alias)
    let statement: SQLFragment = "UPDATE \(table) SET \(changes.joined(by: ", "))\(clause)"
    return try mapping.naming(entity, in: database) {
      // Triggers for indexes of words write rows of other tables.
      let isAlone = !hasTriggers && store.wordTriggers.isEmpty
      if mapping.isNative, isAlone, !sharesTable(entity) {
        let keys = try WrittenKeys.updated(by: statement, in: database)
        return keys.isEmpty ? [:] : [entity: keys]
      }
      if case .rowid(let key) = mapped.key {
        return try returned(by: statement, of: entity, key, []).keys
      }
      let keys = try keys("SELECT \(builder.key(entity, alias)) FROM \(table)\(clause)", of: entity)
      try RawStatement(statement, in: database).run()
      return keys.isEmpty ? [:] : [entity: keys]
    }
  }

  func delete(
    _ entity: EntityIndex, as alias: String, _ clause: SQLFragment, returning references: [String]
  ) throws -> (keys: [EntityIndex: [RowKey]], references: [[RowKey]]) {
    guard case .rowid(let key) = mapping.entities[entity].key else {
      trap("rows whose key is not a number are deleted one by one")
    }
    let table = QueryBuilder(mapping).table(entity, alias)
    return try mapping.naming(entity, in: database) {
      try returned(by: "DELETE FROM \(table)\(clause)", of: entity, key, references)
    }
  }

  /// Whether the table may have rows of other entities of the family.
  private func sharesTable(_ entity: EntityIndex) -> Bool {
    mapping.entities[entity].family.map { $0.members.count > 1 } ?? false
  }

  /// The keys of the rows that a statement changes, and their values in some columns.
  private func returned(
    by statement: SQLFragment, of entity: EntityIndex, _ key: String, _ references: [String]
  ) throws -> (keys: [EntityIndex: [RowKey]], references: [[RowKey]]) {
    let family = sharesTable(entity) ? mapping.entities[entity].family : nil
    let columns = ([key] + references + (family.map { [$0.discriminator] } ?? []))
      .map { "\(name: $0)" as SQLFragment }
    let rows = try RawStatement(
      "\(statement) RETURNING \(columns.joined(by: ", "))", in: database)
    defer { rows.reset() }
    var keys: [RowKey] = []
    var members: [EntityIndex: [RowKey]] = [:]
    var referred = [[RowKey]](repeating: [], count: references.count)
    while try rows.step() {
      let key = rows.key(at: 0)
      if let family {
        let member = try family.member(of: rows.pointer, at: Int32(columns.count - 1), key: key)
        members[member.entity, default: []].append(key)
      } else {
        keys.append(key)
      }
      for index in references.indices {
        if let reference = rows.wholeKey(at: Int32(index + 1)) { referred[index].append(reference) }
      }
    }
    if !keys.isEmpty { members[entity] = keys }
    return (members, referred)
  }

  func makeDeletionSet() -> any DeletionSet { FileDeletionSet(self, database) }
}
