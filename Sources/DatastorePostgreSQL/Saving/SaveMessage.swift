#if PostgreSQL
import DatastoreCore
import DatastoreSQL
import Foundation

/// A save as one message to the server: a list of statements, made without asking it anything.
///
/// Each statement carries the rows of one kind as arrays, a column each, and compares what the rows hold with
/// what the edits began from. Where that differs it divides by zero, which ends the transaction and all that
/// follows in the message: nothing has to be waited for before `COMMIT` is sent.
///
/// In tables of our own the order is: comparisons of rows to be deleted, updates, deletions, insertions,
/// links, orders. Updates come before deletions, which empty the references that lead to what is deleted: an
/// update would not find what its edit began from. Uniqueness and references are looked at when the
/// transaction ends, so that the order means nothing to them. Elsewhere they are looked at at once: see
/// `writeInOrder` and `writeToOthers`.
struct SaveMessage {
  let changes: ChangeSet
  let mapping: SchemaMapping
  /// What is known of the foreign tables.
  let tables: ByEntity<ServerTable?>
  /// Keys that new rows get instead of those that the changes call them by, by root entity.
  let rekeyed: [EntityIndex: [RowKey: RowKey]]
  /// Rows whose stored values were seen to be as good as those that the edits began from.
  let settled: Set<SavedRow>
  private(set) var steps: [SaveStep] = []
  /// Rows that hold something else than what was sent, as dates with finer digits than the server's.
  private(set) var stale: [EntityIndex: [RowKey]] = [:]

  /// Rows of one statement.
  static let portion = 10_000

  /// - Parameters:
  ///   - tables: nil for native ones.
  ///   - rekeyed: see there.
  ///   - settled: see there.
  ///   - defersConstraints: whether the server looks at the constraints of native tables when the transaction
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
    for change in changes.entities { try compare(change.entity, change.deleted) }
    if defersConstraints {
      for change in changes.entities { try update(change.entity, change.updated) }
      for change in changes.entities { try delete(change.entity, change.deleted) }
      for change in changes.entities { try insert(change) }
    } else {
      try writeInOrder(changes)
    }
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
    // There is nothing in these statements that a dialect could refuse.
    PostgreSQLStatement(fragment.rendered(in: mapping.dialect).text, parameters, isKept: true)
  }

  /// Has a row read again when it is saved.
  mutating func markStale(_ key: RowKey, of entity: EntityIndex) {
    stale[entity, default: []].append(current(entity, key))
  }

  /// The key that a row of the changes has in the database, or has once it is saved.
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

/// One statement of a save, and what is known of it when the server refuses it.
struct SaveStep {
  let statement: PostgreSQLStatement
  /// Whose rows it writes; nil for statements about no rows.
  var entity: EntityIndex?
  /// What it divides by zero for; nil where it does not.
  var assertion: Assertion?

  /// What has to hold for a save to go on.
  enum Assertion {
    /// The rows are still what the edits began from.
    case unchanged
    /// All rows were inserted, and can be seen.
    case inserted
    /// None of the rows is there any more.
    case gone
    /// No row that was not seen would go with deleted ones, or lose its reference to them: those of a to-many
    /// relationship.
    case noOthers(Slot, counting: PostgreSQLStatement, [RowKey])
  }
}
#endif
