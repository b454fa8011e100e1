import Foundation

/// The requirements of a datastore on the engine that stores its rows: each capability is a protocol of its
/// own.
package protocol StoreEngine: WritableStore, SharedStore, KeyedStore, DescribedStore,
  MaintainedStore
{
  /// The stores that it consists of; only itself unless there are several.
  var parts: [any StoreEngine] { get }

  /// The part that holds a row, and the row's key there.
  ///
  /// - Throws: `StoreError.noStore`.
  func place(of entity: EntityIndex, key: RowKey) throws -> (store: any StoreEngine, key: RowKey)

  /// The parts that hold an entity.
  func places(of entity: EntityIndex) -> [StorePlace]

  /// The ranges of keys of rows in some of the parts; nil if all rows of the entity are in them.
  ///
  /// - Throws: `StoreError.notInStore` if none of them holds the entity.
  func keys(of entity: EntityIndex, in stores: StoreSelection) throws -> [ClosedRange<RowKey>]?
}

/// One of the stores that hold an entity.
package struct StorePlace {
  package let store: any StoreEngine
  /// Converts a row's key in the store to the key that contexts use.
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

  /// A single store holds everything, whatever configuration it was opened for.
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

/// A store that others may write as well.
package protocol SharedStore: ObjectStore {
  /// The writes of others since the last call (the first time, since the store was opened), in an order in
  /// which they can be merged; empty if there are none. Costs a few microseconds then, and a request to the
  /// server for stores in one.
  ///
  /// - Throws: `StoreError`, also when the opened file or database no longer exists.
  func externalChanges() throws -> [ExternalChange]

  /// Starts listening for writes by others.
  ///
  /// - Parameter told: called on a queue of the store soon after someone else may have written, and after
  ///   every period without a connection. Some writes cause no call, so also check now and then.
  /// - Returns: the listener, which listens until it is released; nil for stores without notifications.
  func listen(_ told: @escaping @Sendable () -> Void) -> (any Sendable & AnyObject)?

  /// Whether tables, views or indexes have changed since the store was opened.
  ///
  /// - Throws: `StoreError`.
  func haveTablesChanged() throws -> Bool

  /// From now on, compares every row before writing it, not only its key.
  func markShared()

  /// The current state of the store; nil if its states cannot be kept.
  ///
  /// - Throws: `StoreError`.
  func snapshot() throws -> (any StoreSnapshot)?

  /// The reason why its states cannot be kept, if so: a sentence.
  var snapshotRefusal: String { get }
}

/// A write of someone else.
package struct ExternalChange: Sendable {
  package var keys: MergedKeys
  /// The `transactionAuthor` of the writing context, if the store has recorded it.
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
  /// The slot of the attribute that is the key of the rows; nil if no attribute shows the key. O(1).
  func keySlot(of entity: EntityIndex) -> Slot?

  /// The key with the given values in this store; nil for entities whose keys are integers of the store,
  /// unless it is the key of a dangling reference.
  func key(entity: EntityIndex, values: [Value]) -> RowKey?

  /// The key of a new row with the given values, if they determine it; otherwise nil.
  func key(ofNew entity: EntityIndex, values: (_ slot: Slot) -> Value) -> RowKey?

  /// Prevents new objects from getting the given keys, for keys made by counting.
  ///
  /// - Throws: `StoreError`.
  func reserve(_ keys: [RowKey], entity: EntityIndex) throws
}
