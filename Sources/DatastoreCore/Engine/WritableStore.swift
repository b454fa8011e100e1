/// A store in which rows are written, with objects or without.
///
/// Each call is one transaction. Closures named `isCancelled` are asked again and again meanwhile, on the
/// thread that writes; when one says yes, everything is taken back and `CancellationError` is thrown.
package protocol WritableStore: ReadableStore {
  /// Whether saving is refused.
  var isReadOnly: Bool { get }

  /// Writes all changes, or none.
  ///
  /// - Throws: `ConflictError` and `StoreError`; nothing is written then.
  func save(_ changes: ChangeSet, unless isCancelled: (@Sendable () -> Bool)?) throws -> SaveResult

  /// Gives the stored rows that meet a condition new values.
  ///
  /// - Parameter assignments: slots of attributes and to-one relationships (as keys) with their values.
  /// - Returns: the rows of which values or members of relationships have changed, and how many rows met
  ///   the condition.
  /// - Throws: `ValidationError` or `StoreError`; nothing is written then.
  func update(
    entity: EntityIndex, where predicate: Predicate?,
    assigning assignments: [(slot: Slot, value: Value)],
    unless isCancelled: (@Sendable () -> Bool)?
  ) throws -> (MergedKeys, count: Int)

  /// Deletes the stored rows that meet a condition, and does what the delete rules of their relationships
  /// say.
  ///
  /// - Returns: the rows that are gone, and those of which members of relationships have changed.
  /// - Throws: `ValidationError` where a rule denies it, `StoreError`; nothing is written then.
  func delete(
    entity: EntityIndex, where predicate: Predicate?, unless isCancelled: (@Sendable () -> Bool)?
  ) throws -> MergedKeys

  /// Writes rows without holding them all.
  ///
  /// - Parameters:
  ///   - slot: the attribute by which rows are distinguished; nil where each is new.
  ///   - body: gives the rows. Must not use the store.
  /// - Returns: what has changed, and how many rows are new.
  /// - Throws: what `body` throws, or `StoreError`; nothing is written then.
  func writeRows(
    entity: EntityIndex, key slot: Slot?, _ body: (any RowTransaction) throws -> Void
  ) throws -> (MergedKeys, Int)

  /// Runs one statement of SQL that writes.
  ///
  /// - Throws: `StoreError`; nothing is written then.
  func execute(
    _ sql: String, _ arguments: [Value], unless isCancelled: (@Sendable () -> Bool)?
  ) throws -> SQLExecution
}

/// Rows on their way into a table inside one transaction.
package protocol RowTransaction: AnyObject {
  /// Adds new rows until there are no more.
  ///
  /// - Parameter fill: sets values of the row of the page it is given, whose cells are NULL; false at the
  ///   end. Must not use the store.
  /// - Throws: what `fill` throws, or `StoreError`.
  func insertAll(_ fill: (RowPage, Int) throws -> Bool) throws

  /// Numbers new rows that are made elsewhere, on any thread: reserves so many keys, one after another, and
  /// returns the first; throws `StoreError` where it has to ask a server that does not answer. Nil where the
  /// store cannot know keys before it has the rows. `insertAll` must not be called once it was asked for.
  var reserveKeys: (@Sendable (_ count: Int) throws -> RowKey)? { get }

  /// Adds new rows, with the keys that were reserved for them.
  ///
  /// - Parameter pages: sealed, with a column for each slot.
  /// - Throws: `StoreError`.
  func insert(_ pages: [RowPage]) throws

  /// Gives rows that are there new values, and inserts those that are not. Of several stored rows with one
  /// key, the first counts; of several new ones, the first that the rules do not leave out. Traps where rows
  /// have no key.
  ///
  /// - Parameter rows: sealed; each says what its key is.
  /// - Throws: what the rules throw, or `StoreError`.
  func write(_ rows: RowBatch, by rules: inout some RowRules) throws

  /// Gives rows that are there new values, whether they were written before or not; others are passed over.
  /// Traps where rows have no key.
  ///
  /// - Parameter rows: sealed; each says what its key is.
  /// - Throws: what the rules throw, or `StoreError`.
  func update(_ rows: RowBatch, by rules: inout some RowRules) throws

  /// The keys of the stored rows, those that were written just now among them, of which an attribute holds
  /// one of some values; of several the first.
  ///
  /// - Throws: `StoreError`.
  func keys(of entity: Entity, holding values: [Value], at slot: Slot) throws -> [Value: RowKey]
}

/// What is done with the rows of a batch that are written without objects, by their numbers in it.
package protocol RowRules {
  /// Whether a row that is there is to have the values of the batch.
  mutating func updates(_ row: Int) throws -> Bool
  /// Makes a new row; false when there is to be none. Must not use the store.
  mutating func fill(_ page: RowPage, _ place: Int, with row: Int) throws -> Bool
  /// Hears of a row whose key a row before it had, too. It is left out.
  mutating func refuseRepeated(_ row: Int) throws
}
