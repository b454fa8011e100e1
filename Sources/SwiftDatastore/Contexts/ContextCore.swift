import Basics
package import DatastoreCore

/// The core of every context: a graph over the store, and the path of its saves to the other contexts.
///
/// Opaque outside the library. Belongs to the queue or actor of its context.
public final class ContextCore {
  package let graph: ObjectGraph
  let coordinator: StoreCoordinator
  /// Identifies this context, which is notified of every save but its own.
  let receiverID: ReceiverID
  private let parent: (any ParentStore)?
  /// The number of key changes in the parent that this context knows.
  private var keyChangeCount = 0
  var mergePolicy = MergePolicy.error
  /// Whether to give up the write in progress.
  package var isStopped: (@Sendable () -> Bool)?
  /// Whether this context has written anything to the store.
  var hasWritten = false
  /// The origin of everything that this context saves.
  var origin = SaveOrigin()
  /// Values that the program keeps with the context.
  private(set) lazy var userInfo = UserInfo()
  /// Writes by others that are not merged yet.
  let inbox = MergeInbox()
  /// Merges the inbox: all of it if the context is pinned, otherwise the next change.
  package var catchUp: (() -> Void)?
  /// The one state of the store that this context reads; nil if it reads the current one.
  var pinned: PinnedStore? {
    didSet {
      let own: any ObjectStore = parent ?? coordinator.store
      graph.store = pinned ?? own
    }
  }
  var isChild: Bool { parent != nil }

  /// - Parameter parent: the store that a child context reads from and saves to; nil for the file itself.
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
    // Runs when the context is released, on whatever thread released it last. Its objects may no longer be
    // used, so no other thread is in the graph.
    graph.releaseAllObjects()
  }

  /// Traps for an abstract class: whether a class is abstract is known when the program is written.
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

  /// The store for new objects of classes that several stores hold; nil if each call has to name it.
  var assigned: StoreSelection?

  /// - Parameters:
  ///   - key: a key that no object has; if nil, the store makes one.
  ///   - stores: the store, of several, for the object; nil for the assigned one.
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
    // Each round settles the conflicts found so far; another writer may cause new ones meanwhile.
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
    // The state that is read now includes the earlier saves.
    if inbox.isPinned { catchUp?() }
    graph.announceStale(saved)
    if !saved.sideChanges.isEmpty { graph.refresh(saved.sideChanges) }
    return SwiftDatastoreSavedChanges(saved)
  }
}

/// The rows that a save has written, as `saveChanges()` returns them.
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
