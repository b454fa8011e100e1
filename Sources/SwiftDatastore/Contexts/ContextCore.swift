import Basics
package import DatastoreCore

/// What every context is made of: a graph over the store, and the way its saves reach the others.
///
/// Opaque outside the library. Belongs to the queue or actor of its context.
public final class ContextCore {
  package let graph: ObjectGraph
  let coordinator: StoreCoordinator
  /// Told of every save but its own.
  let receiverID: ReceiverID
  private let parent: (any ParentStore)?
  /// How many changes of keys in the parent are known here.
  private var keyChangeCount = 0
  var mergePolicy = MergePolicy.error
  /// Says whether what this context is writing is to be given up.
  package var isStopped: (@Sendable () -> Bool)?
  /// Whether this context has written anything to the store.
  var hasWritten = false
  /// Goes with everything this context saves.
  var origin = SaveOrigin()
  /// What programs keep with the context.
  private(set) lazy var userInfo = UserInfo()
  /// What others have written, until it is taken in.
  let inbox = MergeInbox()
  /// Merges what is in the inbox: all of it where the context is pinned, else the next change.
  package var catchUp: (() -> Void)?
  /// The one state of the store that is read; nil where the last one is.
  var pinned: PinnedStore? {
    didSet {
      let own: any ObjectStore = parent ?? coordinator.store
      graph.store = pinned ?? own
    }
  }
  var isChild: Bool { parent != nil }

  /// - Parameter parent: what a child context reads and saves to; the file itself without it.
  init(
    coordinator: StoreCoordinator, receiverID: ReceiverID, parent: (any ParentStore)? = nil
  ) {
    self.coordinator = coordinator
    self.receiverID = receiverID
    self.parent = parent
    keyChangeCount = parent?.keyChangeCount ?? 0
    graph = ObjectGraph(
      store: parent ?? coordinator.store,
      makeObject: coordinator.types.objectMaker,
      faultFailed: coordinator.faultFailed)
    let log = coordinator.log
    if log.isLogging(.trace) {
      graph.faultsWereRead = { log(.trace, .faulted(entity: $0.name, rows: $1)) }
    }
  }

  deinit {
    // Runs when the context is gone, on whatever thread released it last; its objects may not be used
    // any more, so there is no other thread in the graph.
    graph.releaseAllObjects()
  }

  /// Traps for an abstract class: which classes are is known where the program is written.
  func concreteEntity(of type: DatastoreObject.Type) throws -> Entity {
    let entity = try entity(of: type)
    require(!entity.isAbstract, AbstractEntityError(entity, in: graph.schema).description)
    return entity
  }

  func entity(of type: DatastoreObject.Type) throws -> Entity {
    guard let index = coordinator.types.index(of: type) else {
      throw UnknownEntityError(
        name: type.entityName, known: graph.schema.entities.map(\.name))
    }
    return graph.schema.entities[index]
  }

  /// The store in which objects are made of classes that several stores hold; nil where it has to be said.
  var assigned: StoreSelection?

  /// - Parameters:
  ///   - key: one that no object has; without it, the store makes one.
  ///   - stores: the one of several stores that it is to be in; nil for the assigned one.
  /// - Throws: `AbstractEntityError`, or when the store cannot give it a key.
  func create(
    _ entity: Entity, key: RowKey? = nil, in stores: StoreSelection? = nil
  ) throws -> DatastoreObject {
    if entity.isAbstract { throw AbstractEntityError(entity, in: graph.schema) }
    let made =
      try key.map { graph.makeInserted(entity, key: $0) }
      ?? graph.insert(entity, in: stores ?? assigned(for: entity))
    guard let object = made as? DatastoreObject else {
      trap("every object of a datastore is a DatastoreObject")
    }
    for (slot, initial) in coordinator.types.initialValues[entity.index] {
      object.setValue(initial(), at: slot)
    }
    object.objectDidCreate()
    return object
  }

  func save() throws -> SwiftDatastoreSavedChanges {
    // Each round settles the conflicts that were there; another writer may make new ones meanwhile.
    for _ in 0..<16 {
      do {
        return try saveOnce()
      } catch let error as ConflictError where mergePolicy != .error {
        coordinator.log(.warning, .conflict(error, policy: mergePolicy))
        try graph.settle(error, by: mergePolicy)
      } catch {
        coordinator.log.failedSave(error)
        throw error
      }
    }
    return try saveOnce()
  }

  private func saveOnce() throws -> SwiftDatastoreSavedChanges {
    let pending = try graph.prepareSave()
    guard !pending.isEmpty else {
      return SwiftDatastoreSavedChanges(
        graph.completeSave(pending, SaveResult(), from: origin))
    }
    if let parent {
      let unknown = try parent.stage(pending.changes, from: origin, after: keyChangeCount)
      guard unknown.isEmpty else {
        keyChangeCount += unknown.count
        graph.adopt(unknown)
        return try saveOnce()
      }
      return SwiftDatastoreSavedChanges(
        graph.completeSave(pending, SaveResult(), from: origin))
    }
    let saved = try coordinator.save(
      pending, of: graph, from: receiverID, origin: origin, unless: isStopped)
    hasWritten = true
    // What was saved before is in the state that is read now.
    if inbox.isPinned { catchUp?() }
    graph.announceStale(saved)
    if !saved.sideChanges.isEmpty { graph.refresh(saved.sideChanges) }
    return SwiftDatastoreSavedChanges(saved)
  }
}

/// What a save has written, as `saveChanges()` returns it.
public struct SwiftDatastoreSavedChanges: Sendable {
  let changes: SavedChanges

  init(_ changes: SavedChanges) {
    self.changes = changes
  }

  /// Whether there was nothing to save.
  public var isEmpty: Bool { changes.isEmpty }
  /// The `transactionAuthor` of the context when it saved.
  public var transactionAuthor: String? { changes.origin.author }
  /// How many rows were inserted.
  public var insertedCount: Int { changes.counts.inserted }
  /// How many rows were updated.
  public var updatedCount: Int { changes.counts.updated }
  /// How many rows were deleted.
  public var deletedCount: Int { changes.counts.deleted }
}
