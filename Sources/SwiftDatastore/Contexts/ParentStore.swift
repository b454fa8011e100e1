import DatastoreCore

/// A context as the store of its children.
///
/// Every call waits for its turn on the parent's queue. The library never has a parent wait for a child; where
/// a program does, the call throws after a while.
final class ParentStore: ObjectStore {
  /// Seconds that a child waits for its turn.
  static let limit = 60.0

  private let context: SwiftDatastoreContext
  private let seconds: Double

  init(_ context: SwiftDatastoreContext, waiting seconds: Double) {
    self.context = context
    self.seconds = seconds
  }

  private func turn<Result: Sendable>(
    _ body: @escaping @Sendable (ObjectGraph) throws -> Result
  ) throws -> Result {
    try context.turn(waiting: seconds, body)
  }

  var schema: Schema { context.rootStore.schema }
  var identity: ObjectIdentifier { context.rootStore.identity }

  func rows(entity: EntityIndex, keys: [RowKey]) throws -> [RowPage] {
    try turn { try $0.packedRows(entity: entity, keys: keys) }
  }

  func isKeyPart(entity: EntityIndex, slot: Slot) -> Bool {
    context.rootStore.isKeyPart(entity: entity, slot: slot)
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

  func makeKey(entity: EntityIndex) throws -> RowKey {
    try context.rootStore.makeKey(entity: entity)
  }

  func save(_ changes: ChangeSet) throws -> SaveResult { try save(changes, author: nil) }

  func save(_ changes: ChangeSet, author: String?) throws -> SaveResult {
    try turn { try $0.stage(changes, author: author) }
    return SaveResult()
  }
}
