/// A store whose rows can be written, with objects or without.
///
/// Each call is one transaction. Closures named `isCancelled` are called again and again meanwhile, on the
/// writing thread; if one returns true, everything is rolled back and `CancellationError` is thrown.
package protocol WritableStore: ReadableStore {
  /// Whether saving is refused.
  var isReadOnly: Bool { get }

  /// Writes all changes, or none.
  ///
  /// - Throws: `ConflictError` and `StoreError`; nothing is written then.
  func save(_ changes: ChangeSet, unless isCancelled: (@Sendable () -> Bool)?) throws -> SaveResult

  /// Sets new values on the stored rows that meet a condition.
  ///
  /// - Parameter assignments: slots of attributes and to-one relationships (as keys) with their values.
  /// - Returns: the rows whose values or relationship members have changed, and the number of rows that met
  ///   the condition.
  /// - Throws: `ValidationError` or `StoreError`; nothing is written then.
  func update(
    entity: EntityIndex, where predicate: Predicate?,
    assigning assignments: [(slot: Slot, value: Value)],
    unless isCancelled: (@Sendable () -> Bool)?
  ) throws -> (MergedKeys, count: Int)

  /// Deletes the stored rows that meet a condition, and applies the delete rules of their relationships.
  ///
  /// - Returns: the deleted rows, and the rows whose relationship members have changed.
  /// - Throws: `ValidationError` if a rule denies it, `StoreError`; nothing is written then.
  func delete(
    entity: EntityIndex, where predicate: Predicate?, unless isCancelled: (@Sendable () -> Bool)?
  ) throws -> MergedKeys

  /// Writes rows without holding them all in memory.
  ///
  /// - Parameters:
  ///   - slot: the attribute that identifies rows; nil if every row is new.
  ///   - body: provides the rows. Must not use the store.
  /// - Returns: the changes, and the number of new rows.
  /// - Throws: the errors of `body`, or `StoreError`; nothing is written then.
  func writeRows(
    entity: EntityIndex, key slot: Slot?, _ body: (any RowTransaction) throws -> Void
  ) throws -> (MergedKeys, Int)

  /// Runs one SQL statement that writes.
  ///
  /// - Throws: `StoreError`; nothing is written then.
  func execute(
    _ sql: String, _ arguments: [Value], unless isCancelled: (@Sendable () -> Bool)?
  ) throws -> SQLExecution
}

extension WritableStore {
  package func save(_ changes: ChangeSet) throws -> SaveResult { try save(changes, unless: nil) }
}

/// Writes rows into a table inside one transaction.
package protocol RowTransaction: AnyObject {
  /// Adds new rows until `fill` returns false.
  ///
  /// - Parameter fill: sets values in a row of the page, whose cells are NULL; returns false at the end. Must
  ///   not use the store.
  /// - Throws: the errors of `fill`, or `StoreError`.
  func insertAll(_ fill: (RowPage, Int) throws -> Bool) throws

  /// Reserves keys for new rows that are made elsewhere, on any thread: a number of consecutive keys, of
  /// which it returns the first; throws `StoreError` if a server does not answer. nil if the store cannot
  /// know keys before it has the rows. Once it was used, `insertAll` must not be called.
  var reserveKeys: (@Sendable (_ count: Int) throws -> RowKey)? { get }

  /// Adds new rows with reserved keys.
  ///
  /// - Parameter pages: sealed, with a column for each slot.
  /// - Throws: `StoreError`.
  func insert(_ pages: [RowPage]) throws

  /// Writes everything so far; an engine may have collected it.
  ///
  /// - Throws: `StoreError`.
  func flush() throws

  /// Updates existing rows, and inserts the others. A row whose key several stored rows have is left out; of
  /// several new ones, the first that the rules do not leave out counts. Traps if rows have no key.
  ///
  /// - Parameter rows: sealed; each has its key.
  /// - Throws: the errors of the rules, or `StoreError`.
  func write(_ rows: RowBatch, by rules: inout some RowRules) throws

  /// Updates existing rows, whether they were written before or not; ignores others. Traps if rows have no
  /// key.
  ///
  /// - Parameter rows: sealed; each has its key.
  /// - Throws: the errors of the rules, or `StoreError`.
  func update(_ rows: RowBatch, by rules: inout some RowRules) throws

  /// The stored rows, including those just written, whose attribute has one of the given values.
  ///
  /// - Throws: `StoreError`.
  func keys(of entity: Entity, holding values: [Value], at slot: Slot) throws -> [Value: HeldKey]
}

/// The stored rows that hold one value.
package struct HeldKey: Codable, Sendable {
  /// The key of the first.
  package let key: RowKey
  /// The number of rows.
  package let count: Int

  package init(key: RowKey, count: Int) {
    self.key = key
    self.count = count
  }
}

/// Decides how the rows of a batch, by their indices in it, are written without objects.
package protocol RowRules {
  /// Whether to update an existing row with the values of the batch.
  mutating func updates(_ row: Int) throws -> Bool
  /// Fills a new row; returns false to leave it out. Must not use the store.
  mutating func fill(_ page: RowPage, _ place: Int, with row: Int) throws -> Bool
  /// Called for a row with the key of an earlier row. It is left out.
  mutating func refuseRepeated(_ row: Int) throws
  /// Called for a row with a key that several stored rows have. It is left out.
  mutating func refuseAmbiguous(_ row: Int, count: Int) throws
}
