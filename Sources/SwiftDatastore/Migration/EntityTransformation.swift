import DatastoreCore

/// Calls a closure for each object of an old entity, and saves the objects it creates.
///
/// Memory does not grow with the rows: objects are read, created, saved and released some thousands at a
/// time.
struct EntityTransformation: Sendable {
  /// Objects between two saves.
  private static let batchSize = 5_000

  private let source: String
  private let destination: String
  private let transform: @Sendable (DatastoreObject, DestinationMaker) throws -> Void

  init(
    _ source: String, _ destination: String,
    _ transform: @escaping @Sendable (DatastoreObject, DestinationMaker) throws -> Void
  ) {
    self.source = source
    self.destination = destination
    self.transform = transform
  }

  /// - Parameters:
  ///   - old: the classes of the old version.
  ///   - new: the classes of the new version.
  /// - Throws: `MigrationObstacle` with the object that failed; `CancellationError`; `StoreError`.
  func run(_ stage: MigrationStage, old: ModelTypes, new: ModelTypes) throws {
    guard let source = stage.old.schema.entity(named: source),
      let destination = stage.new.schema.entity(named: destination)
    else { return }
    let failure = Lock<(any Error)?>(nil)
    var last: RowKey?
    while last?.rawValue != .max {
      let reader = StageContext(stage.old, old, failure)
      let writer = StageContext(stage.new, new, failure)
      let maker = DestinationMaker(writer.closure, destination, stage)
      let objects = try reader.closure.core.graph.fetch(
        Self.request(source, behind: last, limit: Self.batchSize))
      if objects.isEmpty { return }
      var seen = 0
      var dropped = 0
      for case let object as DatastoreObject in objects {
        last = object.key
        seen += 1
        // Objects of descendants have mappings of their own.
        guard object.entity.index == source.index else { continue }
        if stage.isCancelled?() ?? false { throw CancellationError() }
        maker.begin(object)
        do {
          try transform(object, maker)
          if let error = failure.withLock({ $0 }) { throw error }
        } catch let error as CancellationError {
          throw error
        } catch {
          throw MigrationObstacle.transformationFailed(
            entity: source.name, key: object.key, reason: "\(error)")
        }
        if maker.made == nil { dropped += 1 }
      }
      try writer.save(destination)
      stage.report(seen, dropped)
    }
  }

  /// The next objects by their keys.
  private static func request(_ entity: Entity, behind key: RowKey?, limit: Int) -> FetchRequest {
    var request = FetchRequest(entity: entity.name)
    request.limit = limit
    if let key {
      request.predicate = .comparison(
        .init(
          .keyPath([]), .between,
          .list([.value(.integer(key.rawValue + 1)), .value(.integer(.max))])))
    }
    return request
  }
}

/// A context over one version of a store that is being migrated, on the migrating thread.
struct StageContext {
  let closure: SwiftDatastoreContext.Closure

  /// - Parameter failure: receives the error when a value cannot be read.
  init(_ store: any StoreEngine, _ types: ModelTypes, _ failure: Lock<(any Error)?>) {
    let coordinator = StoreCoordinator(
      store: store, types: types, checksAccess: false, temporaryFile: nil,
      faultFailed: { error in failure.withLock { $0 = $0 ?? error } })
    closure = SwiftDatastoreContext.Closure(
      core: ContextCore(coordinator: coordinator, receiverID: ReceiverID()))
  }

  /// - Throws: `MigrationObstacle` for objects that cannot be saved.
  func save(_ entity: Entity) throws {
    do {
      try closure.saveChanges()
    } catch let error as ValidationError {
      throw MigrationObstacle.transformationFailed(
        entity: entity.name, key: nil, reason: "\(error)")
    } catch let error as StoreError where error.isAboutValues {
      throw MigrationObstacle.transformationFailed(
        entity: entity.name, key: nil, reason: "\(error)")
    }
  }
}

extension StoreError {
  /// Whether the save would have succeeded with other values.
  fileprivate var isAboutValues: Bool {
    switch self {
    case .notUnique, .missingValue, .checkFailed, .brokenReference, .refused: true
    default: false
    }
  }
}
