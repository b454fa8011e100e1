import DatastoreCore
import DatastoreSQL
import DatastoreTestSupport

/// A database that changes nothing: it records the requests of a batch, and answers with keys that a test
/// chose.
final class RecordedBatch: BatchDatabase {
  let mapping: SchemaMapping
  /// The statements, in their order.
  private(set) var said: [String] = []
  /// The keys of the answers, one answer after the other; none after the last.
  var found: [[RowKey]] = []

  let looksAtReferencesAtOnce = false

  init(_ schema: Schema = CompanySchema.schema) {
    mapping = .native(schema, dialect: MarkedDialect())
  }

  private func text(_ fragment: SQLFragment) -> String {
    fragment.rendered(in: mapping.dialect).text
  }

  private func answer() -> [RowKey] { found.isEmpty ? [] : found.removeFirst() }

  func isMember(_ key: SQLFragment, of keys: [RowKey], _ entity: EntityIndex) -> SQLFragment {
    "\(key) IN (\(keys.map { "\(number: Int($0.rawValue))" as SQLFragment }.joined(by: ", ")))"
  }

  func keys(_ query: SQLFragment, of entity: EntityIndex) throws -> [RowKey] {
    said.append(text(query))
    return answer()
  }

  func counts(_ query: SQLFragment, of entity: EntityIndex) throws -> [(key: RowKey, count: Int)] {
    said.append(text(query))
    return []
  }

  func makeBuilder() -> QueryBuilder { QueryBuilder(mapping) }

  func run(_ statement: SQLFragment, of entity: EntityIndex) throws { said.append(text(statement)) }

  func update(
    _ entity: EntityIndex, as alias: String, assigning assignments: [(slot: Slot, value: Value)],
    clearing columns: [String], _ clause: SQLFragment
  ) throws -> [EntityIndex: [RowKey]] {
    let described = schema.entities[entity]
    let values = assignments.map { "\(described.properties[$0.slot].name) = \($0.value)" }
    let cleared = columns.map { "\($0) = NULL" }
    said.append(
      "UPDATE \(described.name) SET \((values + cleared).joined(separator: ", "))\(text(clause))")
    return [entity: answer()]
  }

  func delete(
    _ entity: EntityIndex, as alias: String, _ clause: SQLFragment, returning references: [String]
  ) throws -> (keys: [EntityIndex: [RowKey]], references: [[RowKey]]) {
    said.append("DELETE \(schema.entities[entity].name)\(text(clause))")
    return ([entity: answer()], references.map { _ in [] })
  }

  func makeDeletionSet() -> any DeletionSet {
    preconditionFailure("No test deletes rows that others follow.")
  }
}
