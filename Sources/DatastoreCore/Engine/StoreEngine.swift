import Foundation

/// All that a datastore needs of the engine that keeps its rows: each capability is a protocol of its own.
package protocol StoreEngine: WritableStore, SharedStore, KeyedStore, DescribedStore,
  MaintainedStore
{
  /// The stores that it is made of: itself, where it is one.
  var parts: [any StoreEngine] { get }

  /// The one of them that a row is in, and the key that it has there.
  ///
  /// - Throws: `StoreError.noStore`.
  func place(of entity: EntityIndex, key: RowKey) throws -> (store: any StoreEngine, key: RowKey)

  /// Those of them that hold an entity.
  func places(of entity: EntityIndex) -> [StorePlace]

  /// The keys that rows have which are in some of them; nil where all rows of the entity are.
  ///
  /// - Throws: `StoreError.notInStore` where none of them holds the entity.
  func keys(of entity: EntityIndex, in stores: StoreSelection) throws -> [ClosedRange<RowKey>]?
}

/// One of the stores that hold an entity.
package struct StorePlace {
  package let store: any StoreEngine
  /// The key by which contexts know a row that has another one in the store.
  package let shared: (RowKey) -> RowKey
}

extension StoreEngine {
  package var parts: [any StoreEngine] { [self] }

  package func place(
    of entity: EntityIndex, key: RowKey
  ) throws -> (store: any StoreEngine, key: RowKey) { (self, key) }

  package func places(of entity: EntityIndex) -> [StorePlace] {
    [StorePlace(store: self) { $0 }]
  }

  /// The only store holds everything, for whatever configuration it was opened.
  package func keys(
    of entity: EntityIndex, in stores: StoreSelection
  ) throws -> [ClosedRange<RowKey>]? {
    let isHere =
      switch stores {
      case .stores(let stores): stores.contains { $0.url == url?.resolvingSymlinksInPath() }
      case .configurations(let names): names.contains(nil)
      }
    guard isHere else {
      throw StoreError.notInStore(
        entity: schema.entities[entity].name, wanted: stores.names,
        stores: [url?.path ?? "the store in memory"])
    }
    return nil
  }
}

extension StoreEngine {
  package func makeKey(entity: EntityIndex, in stores: StoreSelection) throws -> RowKey {
    _ = try keys(of: entity, in: stores)
    return try makeKey(entity: entity)
  }
}

/// A store that others write, too.
package protocol SharedStore: ObjectStore {
  /// What someone else has written since the last time this was asked (or, the first time, since the store
  /// was opened), in an order in which it can be taken in; empty where nothing was. Costs a few microseconds
  /// then, and a look at the server for stores that are in one.
  ///
  /// - Throws: `StoreError`, also when what was opened is no longer there.
  func externalChanges() throws -> [ExternalChange]

  /// Begins to listen to others.
  ///
  /// - Parameter told: called on a queue of the store soon after someone else may have written, and after
  ///   every time in which nothing could be heard. It is not called for everything: ask now and then as well.
  /// - Returns: what listens, until it is released; nil for stores without notifications.
  func listen(_ told: @escaping @Sendable () -> Void) -> (any Sendable & AnyObject)?

  /// Whether tables, views or indexes are others than when the store was opened.
  ///
  /// - Throws: `StoreError`.
  func haveTablesChanged() throws -> Bool

  /// Has every row compared before it is written, not only its key, from now on.
  func markShared()

  /// The store as it is now; nil where none of its states can be kept.
  ///
  /// - Throws: `StoreError`.
  func snapshot() throws -> (any StoreSnapshot)?

  /// Why none of its states can be kept, where that is so: a sentence.
  var snapshotRefusal: String { get }
}

/// What someone else has written.
package struct ExternalChange: Sendable {
  package var keys: MergedKeys
  /// The `transactionAuthor` of the context there, where the store has recorded it.
  package var author: String?

  package init(keys: MergedKeys, author: String? = nil) {
    self.keys = keys
    self.author = author
  }

  /// Anything may have changed.
  package static var anything: ExternalChange { ExternalChange(keys: .everything) }
}

/// The stored values behind the keys of a store.
package protocol KeyedStore: ObjectStore {
  /// The slot of the attribute that is the key of the rows itself; nil where no attribute shows the key.
  /// O(1).
  func keySlot(of entity: EntityIndex) -> Slot?

  /// What identifies a row in its table, for entities whose keys are not integers of the store; nil for
  /// others, and for keys that were made for objects that were never saved. For a key of a
  /// reference which leads nowhere, NULL, which is in no key, and what is stored.
  func keyValues(entity: EntityIndex, key: RowKey) -> [Value]?

  /// The key with such values in this store; nil for entities whose keys are integers of the
  /// store, but where it is that of a reference which leads nowhere.
  func key(entity: EntityIndex, values: [Value]) -> RowKey?

  /// The key that a new row with those values gets, where columns of its own say it; else nil.
  func key(ofNew entity: EntityIndex, values: (_ slot: Slot) -> Value) -> RowKey?

  /// Lets no new object get one of those keys, where keys are made by counting up.
  ///
  /// - Throws: `StoreError`.
  func reserve(_ keys: [RowKey], entity: EntityIndex) throws
}
