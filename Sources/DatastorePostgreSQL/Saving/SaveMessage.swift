#if PostgreSQL
import DatastoreCore
import DatastoreSQL
import Foundation

/// A save as one message to the server: a list of statements, made without asking it anything.
///
/// Each statement carries the rows of one kind as arrays, one for each column, and compares the rows with the
/// values that the edits began from. If they differ it divides by zero, which ends the transaction and
/// everything after it in the message: nothing has to be waited for before `COMMIT` is sent.
///
/// In native tables the order is: comparisons of rows to be deleted, where their deletion does not compare
/// them, updates, deletions, insertions, links, orders. Updates come before deletions, which empty the
/// references that lead to deleted rows: a later update would not find the values that its edit began from.
/// Uniqueness and references are checked when the
/// transaction ends, so that the order does not matter to them. Elsewhere they are checked immediately: see
/// `writeInOrder` and `writeToOthers`.
struct SaveMessage {
  let changes: ChangeSet
  let mapping: SchemaMapping
  /// The descriptions of the third-party tables.
  let tables: ByEntity<ServerTable?>
  /// Keys that new rows get instead of their keys in the changes, by root entity.
  let rekeyed: [EntityIndex: [RowKey: RowKey]]
  /// Rows whose stored values were found to be equivalent to those that the edits began from.
  let settled: Set<SavedRow>
  private(set) var steps: [SaveStep] = []
  /// Rows whose stored values differ from those that were sent, such as dates with finer digits than the
  /// server's.
  private(set) var stale: [EntityIndex: [RowKey]] = [:]

  /// Rows of one statement.
  static let portion = 10_000

  /// - Parameters:
  ///   - tables: nil for native ones.
  ///   - rekeyed: see the property.
  ///   - settled: see the property.
  ///   - defersConstraints: whether the server checks the constraints of native tables when the transaction
  ///     ends.
  /// - Throws: `StoreError` for a value that cannot be stored.
  init(
    _ changes: ChangeSet, _ mapping: SchemaMapping, tables: ByEntity<ServerTable?>,
    rekeyed: [EntityIndex: [RowKey: RowKey]] = [:], settled: Set<SavedRow>,
    defersConstraints: Bool = true
  ) throws {
    self.changes = changes
    self.mapping = mapping
    self.tables = tables
    self.rekeyed = rekeyed
    self.settled = settled
    for change in changes.entities { try mapping.schema.requireWritable(change.entity) }
    guard mapping.isNative else {
      try writeToOthers()
      return
    }
    guard defersConstraints else {
      for change in changes.entities { try compare(change.entity, change.deleted) }
      try writeInOrder(changes)
      try link()
      return
    }
    let together = Set(changes.entities.map(\.entity).filter(comparesWhileDeleting))
    for change in changes.entities where !together.contains(change.entity) {
      try compare(change.entity, change.deleted)
    }
    for change in changes.entities { try update(change.entity, change.updated) }
    for change in changes.entities {
      try delete(change.entity, change.deleted, comparing: together.contains(change.entity))
    }
    for change in changes.entities { try insert(change) }
    try link()
  }

  private mutating func link() throws {
    for links in changes.links {
      try remove(links)
      try add(links)
    }
    for order in changes.orders { write(order) }
  }

  mutating func add(
    _ fragment: SQLFragment, _ parameters: [PostgreSQLParameter] = [],
    _ entity: EntityIndex? = nil, asserting assertion: SaveStep.Assertion? = nil
  ) {
    steps.append(
      SaveStep(
        statement: statement(fragment, parameters), entity: entity, assertion: assertion))
  }

  func statement(
    _ fragment: SQLFragment, _ parameters: [PostgreSQLParameter]
  ) -> PostgreSQLStatement {
    // These statements contain nothing that a dialect could refuse.
    PostgreSQLStatement(fragment.rendered(in: mapping.dialect).text, parameters, isKept: true)
  }

  /// Marks a row to be read again after it is saved.
  mutating func markStale(_ key: RowKey, of entity: EntityIndex) {
    stale[entity, default: []].append(current(entity, key))
  }

  /// The key that a row of the changes has in the database, or will have once it is saved.
  @inline(__always)
  func current(_ entity: EntityIndex, _ key: RowKey) -> RowKey {
    rekeyed.isEmpty ? key : rekeyed[mapping.schema.entities[entity].root]?[key] ?? key
  }

  func isSettled(_ key: RowKey, of entity: EntityIndex) -> Bool {
    !settled.isEmpty && settled.contains(SavedRow(entity: entity, key: key))
  }

  func table(_ entity: EntityIndex) -> SQLFragment { mapping.entities[entity].qualifiedTable }

  func columns(_ entity: EntityIndex, _ slots: some Sequence<Slot>) -> [ServerColumn] {
    slots.flatMap { ServerColumn.all(mapping, entity, $0) }
  }

  func storedColumns(_ entity: EntityIndex) -> [ServerColumn] {
    columns(entity, mapping.entities[entity].slots.indices)
  }

  /// `$1, $2, …`.
  func parameters(_ count: Int) -> SQLFragment {
    SQLFragment(stringLiteral: (1...count).map { "$\($0)" }.joined(separator: ", "))
  }

  /// `, n0, n1, …`: names of columns.
  func list(_ letter: String, _ count: Int) -> SQLFragment {
    SQLFragment(stringLiteral: (0..<count).map { ", \(letter)\($0)" }.joined())
  }
}

/// One statement of a save, with the details needed when the server refuses it.
struct SaveStep {
  let statement: PostgreSQLStatement
  /// The entity whose rows it writes; nil for statements about no rows.
  var entity: EntityIndex?
  /// The assertion for which it divides by zero; nil if it has none.
  var assertion: Assertion?

  /// A condition for a save to continue.
  enum Assertion {
    /// The rows are still as the edits found them.
    case unchanged
    /// All rows were inserted, and are visible.
    case inserted
    /// None of the rows exists any more.
    case gone
    /// No unread row would be deleted with deleted ones, or lose its reference to them: those of a to-many
    /// relationship.
    case noOthers(Slot, counting: PostgreSQLStatement, [RowKey])
  }
}
#endif
