/// The store that an object graph reads from and saves to: a SQLite file, or the graph of a parent context.
///
/// Every method may be called from any thread and blocks until it has its result.
package protocol ObjectStore: AnyObject, Sendable {
  var schema: Schema { get }

  /// Distinguishes the store from all others in the process; the same for a context's store and those of its
  /// children.
  var identity: ObjectIdentifier { get }

  /// The stored rows with the given keys, in any order; leaves out missing rows, and those of other entities
  /// of the family.
  ///
  /// Pages of rows of an entity with descendants have an additional cell for each row, `Entity.entityColumn`,
  /// with the index of the row's entity; the slots of that entity come first.
  func rows(entity: EntityIndex, keys: [RowKey]) throws -> [RowPage]

  /// The keys of a to-many relationship; ordered ones in their order, others by ascending key.
  func relatedKeys(entity: EntityIndex, slot: Slot, key: RowKey) throws -> [RowKey]

  /// The members of a to-many relationship of many owners, as rows, read together.
  func relatedRows(entity: EntityIndex, slot: Slot, keys: [RowKey]) throws -> RelatedRowPages

  /// The rows of a request as pages, in its order.
  func fetch(_ request: FetchRequest) throws -> [RowPage]

  /// Reads the rows of a request and passes them on in order, on the calling thread; the first may be used
  /// while others are still being read.
  ///
  /// - Throws: the errors of reading; pages passed on before are valid.
  func fetch(_ request: FetchRequest, _ receive: ([RowPage]) -> Void) throws

  /// The keys of a request, in its order.
  func fetchKeys(_ request: FetchRequest) throws -> [RowKey]

  /// The number of stored rows a request would return.
  func count(_ request: FetchRequest) throws -> Int

  /// A key for a new object. No other object of the store gets it; if the file itself decides keys (text
  /// keys, composite keys), it is replaced when the object is saved.
  ///
  /// - Throws: `StoreError`, also if one of several stores has to be named.
  func makeKey(entity: EntityIndex) throws -> RowKey

  /// A key for a new object in one of several stores.
  ///
  /// - Throws: `StoreError`, also unless exactly one of them holds the entity.
  func makeKey(entity: EntityIndex, in stores: StoreSelection) throws -> RowKey

  /// A key for a new object in the store of another row.
  func makeKey(entity: EntityIndex, besides key: RowKey) throws -> RowKey

  /// Whether several stores hold the same entities.
  var hasSharedEntities: Bool { get }

  /// Whether two rows are in one store. Keys that no store has assigned count as together with all others.
  func areTogether(
    _ entity: EntityIndex, _ key: RowKey, _ other: EntityIndex, _ otherKey: RowKey
  ) -> Bool

  /// Whether a slot is part of the key of an entity's rows, so that only new objects can be given a value in
  /// it.
  func isKeyPart(entity: EntityIndex, slot: Slot) -> Bool

  /// The values that identify a row in its table, for entities whose keys are not integers of the store; nil
  /// for other entities, and for keys of objects that were never saved. For the key of a dangling reference,
  /// NULL, which is in no key, and the stored values.
  func keyValues(entity: EntityIndex, key: RowKey) -> [Value]?

  /// Whether a stored row is the one that was read under its key before, though someone else may have changed
  /// it since. False if the key was given to another row meanwhile.
  ///
  /// - Parameter edited: slots with staged values, which do not identify the row.
  func isSameRow(
    entity: EntityIndex, _ stored: RowReference, as original: RowReference, besides edited: SlotSet
  )
    -> Bool

  /// Whether rows may get other keys, so that a row which is not found by its key may still exist.
  func mayMoveRows(entity: EntityIndex) -> Bool

  /// A number that changes whenever rows of tables without keys may have been renumbered, as of the last look
  /// at the store; nil if it is not known.
  var placement: Int64? { get }

  /// Looks for rows that have other keys now, each by its content when it was read.
  ///
  /// O(rows of the table), once for all rows together; only if `mayMoveRows(entity:)`.
  ///
  /// - Returns: by the index of a row in `rows`, the key of the one row that has exactly its content now.
  ///   Leaves out rows for which there is none, or more than one.
  func findRows(entity: EntityIndex, equalTo rows: [RowReference]) throws -> [Int: RowKey]

  /// Writes all changes in one transaction, or none.
  ///
  /// - Throws: `ConflictError` when a row has changed underneath, a store error otherwise.
  func save(_ changes: ChangeSet) throws -> SaveResult
}

extension ObjectStore {
  package func makeKey(entity: EntityIndex, in stores: StoreSelection) throws -> RowKey {
    try makeKey(entity: entity)
  }

  package func makeKey(entity: EntityIndex, besides key: RowKey) throws -> RowKey {
    try makeKey(entity: entity)
  }

  package var hasSharedEntities: Bool { false }

  package func areTogether(
    _ entity: EntityIndex, _ key: RowKey, _ other: EntityIndex, _ otherKey: RowKey
  ) -> Bool { true }

  package func isKeyPart(entity: EntityIndex, slot: Slot) -> Bool { false }

  package func keyValues(entity: EntityIndex, key: RowKey) -> [Value]? { nil }

  package func mayMoveRows(entity: EntityIndex) -> Bool { false }

  package var placement: Int64? { nil }

  package func findRows(entity: EntityIndex, equalTo rows: [RowReference]) throws -> [Int: RowKey] {
    [:]
  }

  package func isSameRow(
    entity: EntityIndex, _ stored: RowReference, as original: RowReference, besides edited: SlotSet
  ) -> Bool { true }

  package func fetch(_ request: FetchRequest, _ receive: ([RowPage]) -> Void) throws {
    receive(try fetch(request))
  }

  package func relatedRows(entity: EntityIndex, slot: Slot, keys: [RowKey]) throws
    -> RelatedRowPages
  {
    guard let link = schema.entities[entity].links[slot] else { return RelatedRowPages() }
    var members: [RowKey: [RowKey]] = [:]
    for key in keys { members[key] = try relatedKeys(entity: entity, slot: slot, key: key) }
    let all = Set(members.values.joined())
    return RelatedRowPages(
      pages: try rows(entity: link.destination, keys: Array(all)), members: members)
  }
}

/// One row of a page.
package struct RowReference: Sendable {
  package let page: RowPage
  package let row: Int

  package init(_ page: RowPage, _ row: Int) {
    self.page = page
    self.row = row
  }

  package var key: RowKey { page.key(ofRow: row) }

  package func value(_ slot: Slot) -> Value { page.value(row: row, slot: slot) }

  /// A row with the given values, as if it had been read.
  package init(_ values: BySlot<Value>, key: RowKey, columnCount: Int) {
    let page = RowPage(columnCount: columnCount, rowCapacity: 1)
    row = page.appendRow(key: key)
    for (slot, value) in values.placed where !value.isNull {
      page.setValue(value, row: row, slot: slot)
    }
    page.seal()
    self.page = page
  }

  /// Whether a cell is equal to that of another row: storage class and content, text byte by byte.
  package func isSame(as other: RowReference, slot: Slot) -> Bool {
    page.isSameCell(row: row, as: other.page, row: other.row, slot: slot)
  }
}

/// The rows of relationships.
package struct RelatedRowPages: Sendable {
  /// Every member, at least once.
  package var pages: [RowPage]
  /// Member keys in order, by owner; owners without members may be missing.
  package var members: [RowKey: [RowKey]]

  package init(pages: [RowPage] = [], members: [RowKey: [RowKey]] = [:]) {
    self.pages = pages
    self.members = members
  }
}

/// The store's answer to a save.
package struct SaveResult: Sendable {
  /// Inserted objects that got another key than the one they were created with, by root entity: old key to
  /// new.
  package var rekeyed: [EntityIndex: [RowKey: RowKey]]
  /// Those of the old keys that other rows of someone else have now, by root entity.
  package var taken: [EntityIndex: [RowKey]] = [:]
  /// Saved rows, by entity and by their current key, whose stored values may differ from the written ones
  /// because the file computed, converted or filled in something. Their values are read again.
  package var stale: [EntityIndex: [RowKey]]
  /// Updated and deleted rows that were found under another key than the one they were read with, by root
  /// entity: old key to new.
  package var moved: [EntityIndex: [RowKey: RowKey]] = [:]
  /// Other rows that triggers of the file have changed.
  package var sideChanges = MergedKeys()

  package init(rekeyed: [EntityIndex: [RowKey: RowKey]] = [:], stale: [EntityIndex: [RowKey]] = [:])
  {
    self.rekeyed = rekeyed
    self.stale = stale
  }
}

extension ObjectStore {
  package var identity: ObjectIdentifier { ObjectIdentifier(self) }
}
