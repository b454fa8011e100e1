/// What an object graph reads from and saves to: a SQLite file, or the graph of a parent context.
///
/// Every method may be called from any thread and blocks until it is answered.
package protocol ObjectStore: AnyObject, Sendable {
  var schema: Schema { get }

  /// Tells the file behind this store from all others in the process; the same for a context's store
  /// and those of its children.
  var identity: ObjectIdentifier { get }

  /// The stored rows of those keys, in any order; missing rows, and those of other entities of the
  /// family, are simply absent.
  ///
  /// Every page of rows of an entity with descendants has one cell more for each row, in which
  /// `Entity.entityColumn` finds the index of the entity that the row is of; the slots of that entity
  /// come first.
  func rows(entity: EntityIndex, keys: [RowKey]) throws -> [RowPage]

  /// The keys a to-many relationship leads to; ordered ones in their order, others by ascending key.
  func relatedKeys(entity: EntityIndex, slot: Slot, key: RowKey) throws -> [RowKey]

  /// The members of a to-many relationship of many owners, as rows, read at once.
  func relatedRows(entity: EntityIndex, slot: Slot, keys: [RowKey]) throws -> RelatedRowPages

  /// The rows of a request as pages, in its order.
  func fetch(_ request: FetchRequest) throws -> [RowPage]

  /// The same rows, handed over in order on the calling thread, where the first may be used while others
  /// are still being read.
  ///
  /// - Throws: what reading throws; pages that were handed over until then are good.
  func fetch(_ request: FetchRequest, _ receive: ([RowPage]) -> Void) throws

  /// The keys of a request, in its order.
  func fetchKeys(_ request: FetchRequest) throws -> [RowKey]

  /// The number of stored rows a request would return.
  func count(_ request: FetchRequest) throws -> Int

  /// A key for an object that is about to be created. It is unique in the store from now on; where
  /// the file itself decides keys (text keys, composite keys), it is replaced when the object is saved.
  ///
  /// - Throws: `StoreError`, also where it has to be said which of several stores is meant.
  func makeKey(entity: EntityIndex) throws -> RowKey

  /// The same in one of several stores.
  ///
  /// - Throws: `StoreError`, also where not just one of them holds the entity.
  func makeKey(entity: EntityIndex, in stores: StoreSelection) throws -> RowKey

  /// The same in the store of another row.
  func makeKey(entity: EntityIndex, besides key: RowKey) throws -> RowKey

  /// Whether several stores hold the same entities.
  var hasSharedEntities: Bool { get }

  /// Whether two rows are in one store. Keys that none has given out are with all others.
  func areTogether(
    _ entity: EntityIndex, _ key: RowKey, _ other: EntityIndex, _ otherKey: RowKey
  ) -> Bool

  /// Whether a slot is part of what distinguishes the rows of an entity, so that it can be given a value
  /// in new objects only.
  func isKeyPart(entity: EntityIndex, slot: Slot) -> Bool

  /// Whether a stored row is the one that was read under its key before, though someone else may have
  /// changed it since. Not where the key was given to another row meanwhile.
  ///
  /// - Parameter edited: slots whose values are staged, by which the row is not distinguished.
  func isSameRow(
    entity: EntityIndex, _ stored: RowReference, as original: RowReference, besides edited: SlotSet
  )
    -> Bool

  /// Whether rows may come to have other keys, so that one which is not found by its key need not be gone.
  func mayMoveRows(entity: EntityIndex) -> Bool

  /// A number that changes whenever rows of tables without keys may have come to have other numbers, as it
  /// was when the store was last looked at; nil where that is not known.
  var placement: Int64? { get }

  /// Looks for rows that have come to have other keys, each by all that it held when it was read.
  ///
  /// O(rows of the table), once for all that are looked for; only where `mayMoveRows(entity:)`.
  ///
  /// - Returns: by the index of a row among `rows`, the key of the one row that holds just that now. Rows
  ///   of which there is none, or more than one, are left out.
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

  /// A row with those values, as if it had been read.
  package init(_ values: BySlot<Value>, key: RowKey, columnCount: Int) {
    let page = RowPage(columnCount: columnCount, rowCapacity: 1)
    row = page.appendRow(key: key)
    for (slot, value) in values.placed where !value.isNull {
      page.setValue(value, row: row, slot: slot)
    }
    page.seal()
    self.page = page
  }

  /// Whether a cell is the same as that of another row: storage class and content, text byte by byte.
  package func isSame(as other: RowReference, slot: Slot) -> Bool {
    page.isSameCell(row: row, as: other.page, row: other.row, slot: slot)
  }
}

/// Rows that relationships lead to.
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

/// What the store answers to a save.
package struct SaveResult: Sendable {
  /// Inserted objects whose key is not the one they were created with, by root entity: old key to new.
  package var rekeyed: [EntityIndex: [RowKey: RowKey]]
  /// Those of the old keys that someone else has given to rows meanwhile, by root entity.
  package var taken: [EntityIndex: [RowKey]] = [:]
  /// Saved rows, by entity and by the key they have now, whose stored values may not be the ones that
  /// were written: the file computed, converted or filled in something. Their values are read again.
  package var stale: [EntityIndex: [RowKey]]
  /// Updated and deleted rows that were found under another key than the one they were read by, by root
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
