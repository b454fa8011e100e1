import Basics
import DatastoreCore

/// A store in front of that of the datastore, which makes the keys of new objects.
protocol LayeredStore: ObjectStore {
  /// The store of the datastore, at the root of all parents.
  var rootStore: any ObjectStore { get }
}

extension LayeredStore {
  var schema: Schema { rootStore.schema }
  var identity: ObjectIdentifier { rootStore.identity }

  func isKeyPart(entity: EntityIndex, slot: Slot) -> Bool {
    rootStore.isKeyPart(entity: entity, slot: slot)
  }

  func keyValues(entity: EntityIndex, key: RowKey) -> [Value]? {
    rootStore.keyValues(entity: entity, key: key)
  }

  func makeKey(entity: EntityIndex) throws -> RowKey { try rootStore.makeKey(entity: entity) }

  func makeKey(entity: EntityIndex, in stores: StoreSelection) throws -> RowKey {
    try rootStore.makeKey(entity: entity, in: stores)
  }

  func makeKey(entity: EntityIndex, besides key: RowKey) throws -> RowKey {
    try rootStore.makeKey(entity: entity, besides: key)
  }

  var hasSharedEntities: Bool { rootStore.hasSharedEntities }

  func areTogether(
    _ entity: EntityIndex, _ key: RowKey, _ other: EntityIndex, _ otherKey: RowKey
  ) -> Bool { rootStore.areTogether(entity, key, other, otherKey) }
}

/// A context that its children read from and save into.
protocol ParentStore: LayeredStore {
  /// The number of key changes in the context when the child was made.
  var keyChangeCount: Int { get }

  /// Runs `body` on the queue or actor of the context's graph, and waits for it.
  ///
  /// - Throws: the errors of `body`; `ParentContextBusyError` if the context was not free in time.
  func turn<Result: Sendable>(
    _ body: @escaping @Sendable (ObjectGraph) throws -> Result
  ) throws -> Result
}

extension ParentStore {
  func rows(entity: EntityIndex, keys: [RowKey]) throws -> [RowPage] {
    try turn { try $0.packedRows(entity: entity, keys: keys) }
  }

  func relatedKeys(entity: EntityIndex, slot: Slot, key: RowKey) throws -> [RowKey] {
    try turn { $0.relatedKeys(entity: entity, slot: slot, key: key) }
  }

  func fetch(_ request: FetchRequest) throws -> [RowPage] {
    try turn { try $0.packedRows(request) }
  }

  func fetchKeys(_ request: FetchRequest) throws -> [RowKey] {
    try turn { try $0.fetch(request).map(\.key) }
  }

  func count(_ request: FetchRequest) throws -> Int {
    try turn { try $0.count(request) }
  }

  func save(_ changes: ChangeSet) throws -> SaveResult {
    trap("a child context saves by stage(_:from:after:)")
  }

  /// Stages the changes that a child saves, unless keys of rows have changed since: the changes would then
  /// affect other rows.
  ///
  /// - Parameter count: the number of key changes that the child knows.
  /// - Returns: the key changes that the child does not know; nothing was staged if there are any.
  /// - Throws: `ConflictError`, and the errors of `turn(_:)`.
  func stage(
    _ changes: ChangeSet, from origin: SaveOrigin, after count: Int
  ) throws -> [KeyChange] {
    try turn { graph in
      let unknown = graph.keyChanges.all(since: count)
      if unknown.isEmpty { try graph.stage(changes, from: origin) }
      return unknown
    }
  }
}

/// A context with a queue, as the store of its children.
///
/// Every call waits for its turn on the parent's queue. The library never makes a parent wait for a child; if
/// a program does, the call throws after a while.
final class QueuedParentStore: ParentStore {
  /// Seconds that a child waits for its turn.
  static let limit = 60.0

  private let context: SwiftDatastoreContext
  private let seconds: Double
  let keyChangeCount: Int

  init(_ context: SwiftDatastoreContext, waiting seconds: Double) {
    self.context = context
    keyChangeCount = context.closure.core.graph.keyChanges.count
    self.seconds = seconds
  }

  var rootStore: any ObjectStore { context.rootStore }

  func turn<Result: Sendable>(
    _ body: @escaping @Sendable (ObjectGraph) throws -> Result
  ) throws -> Result {
    try context.turn(waiting: seconds, body)
  }
}

/// A context without a queue, as the store of its children, which live where it lives.
///
/// Unchecked: it is made by a context that is not Sendable, and kept by a child that is not Sendable either
/// and came out of that context. So both are in one region, which nothing else refers to.
final class LocalParentStore: ParentStore, @unchecked Sendable {
  private let context: ContextCore
  let keyChangeCount: Int

  init(_ context: ContextCore) {
    self.context = context
    keyChangeCount = context.graph.keyChanges.count
  }

  var rootStore: any ObjectStore { context.coordinator.store }

  func turn<Result: Sendable>(
    _ body: @escaping @Sendable (ObjectGraph) throws -> Result
  ) throws -> Result {
    try body(context.graph)
  }
}
