#if PostgreSQL
import Basics
import DatastoreCore
import DatastoreSQL

/// The database side of a change of many rows in a server, inside its transaction.
final class ServerBatch: BatchDatabase, ServerKeyReader {
  private let transaction: WriteTransaction
  /// Whether a third-party trigger may have changed any row.
  private(set) var mayHaveChangedAnything = false

  init(_ transaction: WriteTransaction) { self.transaction = transaction }

  var mapping: SchemaMapping { transaction.mapping }

  var looksAtReferencesAtOnce: Bool {
    !mapping.isNative || !transaction.store.capabilities.defersConstraints
  }

  func makeBuilder() -> QueryBuilder { transaction.makeBuilder() }

  func result(of query: SQLFragment, about entity: EntityIndex) throws -> PostgreSQLResult {
    try transaction.run(query, of: entity)
  }

  func run(_ statement: SQLFragment, of entity: EntityIndex) throws {
    record(entity)
    _ = try transaction.run(statement, of: entity)
  }

  private func record(_ entity: EntityIndex) {
    if transaction.store.tables[entity]?.hasTriggers ?? false { mayHaveChangedAnything = true }
  }

  func update(
    _ entity: EntityIndex, as alias: String, assigning assignments: [(slot: Slot, value: Value)],
    clearing columns: [String], _ clause: SQLFragment
  ) throws -> [EntityIndex: [RowKey]] {
    record(entity)
    try mapping.requireUndistributed(assignments.map(\.slot), of: entity, nil)
    var parameters: [PostgreSQLParameter] = []
    var changes = columns.map { "\(name: $0) = NULL" as SQLFragment }
    for (slot, value) in assignments {
      changes += try assignment(entity, slot, value, &parameters)
    }
    let builder = QueryBuilder(mapping)
    let result = try transaction.run(
      """
      UPDATE \(builder.table(entity, alias)) SET \(changes.joined(by: ", "))\(clause) \
      RETURNING \(returned(entity, alias))
      """, parameters, of: entity)
    return try keys(of: entity, in: result)
  }

  /// The assignment to the columns of a slot, each from a parameter of the column's own type: the server need
  /// not convert a text, and numbers are checked here.
  private func assignment(
    _ entity: EntityIndex, _ slot: Slot, _ value: Value, _ parameters: inout [PostgreSQLParameter]
  ) throws -> [SQLFragment] {
    var changes: [SQLFragment] = []
    for column in ServerColumn.all(mapping, entity, slot) {
      do {
        parameters.append(try parameter(column, value))
      } catch {
        let described = mapping.schema.entities[entity]
        throw StoreError.refused(
          entity: described.name, key: nil,
          detail: "“\(described.properties[slot].name)” \(error.detail)")
      }
      let set = column.value("\(parameter: parameters.count)", mapping)
      changes.append("\(name: column.name) = \(set)")
    }
    return changes
  }

  private func parameter(
    _ column: ServerColumn, _ value: Value
  ) throws(Unstorable) -> PostgreSQLParameter {
    var stored = value
    if case .part(let index, let destination) = column.source, let key = value.key {
      guard let values = mapping.keyTables[destination].values(of: key) else {
        throw Unstorable(detail: "leads to an object that is not saved")
      }
      stored = values[index]
    }
    var field = ServerField(of: column.type)
    _ = try column.form.append(stored, to: &field)
    return field.parameter
  }

  func delete(
    _ entity: EntityIndex, as alias: String, _ clause: SQLFragment, returning references: [String]
  ) throws -> (keys: [EntityIndex: [RowKey]], references: [[RowKey]]) {
    record(entity)
    let builder = QueryBuilder(mapping)
    let columns =
      [returned(entity, alias)] + references.map { builder.column(alias, $0) }
    let result = try transaction.run(
      """
      DELETE FROM \(builder.table(entity, alias))\(clause) RETURNING \(columns.joined(by: ", "))
      """, of: entity)
    let count = family(entity) == nil ? 1 : 2
    return (
      try keys(of: entity, in: result),
      references.indices.map { column in
        (0..<result.rowCount).compactMap { result.integer($0, count + column).map { RowKey($0) } }
      }
    )
  }

  /// The family of an entity, if its table has rows of other entities, too.
  private func family(_ entity: EntityIndex) -> FamilyMapping? {
    mapping.entities[entity].family.flatMap { $0.members.count > 1 ? $0 : nil }
  }

  /// The first columns that a statement has to return: the key, and the name of the entity if rows of several
  /// are possible.
  private func returned(_ entity: EntityIndex, _ alias: String) -> SQLFragment {
    let builder = QueryBuilder(mapping)
    let key = builder.key(entity, alias)
    return family(entity).map { "\(key), \(builder.column(alias, $0.discriminator))" } ?? key
  }

  /// The keys in such an answer, without entities that no row belongs to.
  ///
  /// - Throws: `StoreError.unknownMember`.
  private func keys(
    of entity: EntityIndex, in result: PostgreSQLResult
  ) throws -> [EntityIndex: [RowKey]] {
    let keys = try ServerKey(mapping, entity).numbers(result, 0)
    guard let family = family(entity) else { return keys.isEmpty ? [:] : [entity: keys] }
    var members: [EntityIndex: [RowKey]] = [:]
    for (row, key) in keys.enumerated() {
      let name = result.bytes(row, 1)
      guard let member = family.members.first(where: { $0.name.elementsEqual(name) }) else {
        throw StoreError.unknownMember(
          name: String(decoding: name, as: UTF8.self), key: key, known: family.names)
      }
      members[member.entity, default: []].append(key)
    }
    return members
  }

  func makeDeletionSet() -> any DeletionSet { ServerDeletionSet(self) }
}
#endif
