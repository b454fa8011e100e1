/// A graph of objects over a store: their identity, their changes, and their relationships.
///
/// It has no thread of its own: its owner (a context) calls it from a single queue or actor. Saving takes
/// three steps, so that the owner may leave its queue for the slow one in the middle: `prepareSave()`,
/// `ObjectStore.save(_:)`, `completeSave(_:_:)`.
@usableFromInline package final class ObjectGraph {
  /// The entities of its store.
  package let schema: Schema
  /// The store to read from and save to. The owner may replace it by another view of the same store.
  package var store: any ObjectStore
  /// Creates the object of a row; set once by the owner, which knows the classes.
  @exclusivity(unchecked) package var makeObject: (consuming ManagedObjectLogic) -> ManagedObject
  /// Called before every access to an object; if it returns false, the access traps. nil if access is not
  /// checked.
  @exclusivity(unchecked) @usableFromInline package var isAccessAllowed: (() -> Bool)?
  /// The queue or actor of the graph; nil if only one thread ever uses it.
  package var executor: (any GraphExecutor)?
  /// Called before a property is read; nil if reads are not tracked.
  @exclusivity(unchecked) @usableFromInline package var willRead: ((ManagedObject, Slot) -> Void)?
  /// Whether staging anything traps.
  @exclusivity(unchecked) package var isReadOnly = false
  /// Called once when the first change of a turn is recorded; the owner calls `takePendingChanges()`
  /// later in the same turn or the next.
  package var changesArePending: (() -> Void)?
  /// Whether there is a caller of `takePendingChanges()`; without one nothing is recorded.
  @exclusivity(unchecked) package var isListenedTo = false
  /// Records how to undo staged changes; nil while undo is off.
  @exclusivity(unchecked) package var journal: UndoJournal?
  /// Called when the store fails while an object is being faulted in.
  package var faultFailed: (any Error) -> Void

  /// Receives the number of faults of an entity that were read at once; nil if that is not logged.
  @exclusivity(unchecked) package var faultsWereRead: ((Entity, Int) -> Void)?

  /// The source of the changes that observers are being notified of.
  package internal(set) var changeSource = ChangeSource.thisContext

  /// All entities of a family share one map, because they share their keys.
  let maps: ByEntity<ObjectMap>
  /// nil before the first object of the entity.
  @exclusivity(unchecked) var homes: ByEntity<ObjectHome?>
  /// Each map once.
  var distinctMaps: [ObjectMap] {
    schema.entities.compactMap { $0.root == $0.index ? maps[$0.index] : nil }
  }
  /// Changed, new and deleted objects, in the order of their first change.
  @exclusivity(unchecked) var tracked: ContiguousArray<ManagedObject> = []
  /// An index of those by their values; nil until a fetch can use it, and again after any change other than
  /// an assignment.
  @exclusivity(unchecked) var stagedIndex: StagedIndex?
  var pending = GraphChanges()
  /// The `placement` of the store since which every known row was read.
  package internal(set) var placement: Int64?
  /// The `placement` when the first of the staged changes was staged.
  @exclusivity(unchecked) package internal(set) var stagedPlacement: Int64?
  /// The `placement` of the last search for staged objects whose rows were moved.
  package var followedPlacement: Int64?
  /// How often everything was read again after a write by someone else: a row read under a key before may
  /// have another one since.
  package internal(set) var reloadCount = 0
  /// The content of objects of tables without keys when a staged relationship to them was set, by root entity
  /// and key.
  @exclusivity(unchecked) var referred: [EntityIndex: [RowKey: RowReference]] = [:]
  var saveCount = 0
  /// The number of merges and refreshes.
  package internal(set) var mergeCount = 0
  /// Changes whenever stored values of objects change, or objects are removed or become faults: above all by
  /// merges, refreshes and saves. Values read before may be older than the known ones.
  @exclusivity(unchecked) package internal(set) var storedVersion = 0
  /// Objects without staged changes whose row is deleted, or was not read again: they leave the graph, or
  /// become faults, before anything else happens.
  @exclusivity(unchecked) var departing: [ManagedObject] = []
  /// Saves of this graph made while earlier commits of other contexts were still to be merged.
  var savesAhead: [SaveAhead] = []
  /// The key changes of rows, for children, which know objects by the former keys.
  package let keyChanges = KeyChangeLog()
  /// Whether committed saves of other contexts are still to be merged; nil if there cannot be any.
  package var isAwaitingMerges: (() -> Bool)?
  /// Called for every save of this graph when it is settled. May only record it.
  package var wasSaved: ((SavedChanges) -> Void)?
  /// Prefetched objects, kept until they are accessed.
  var prefetched: [ManagedObject] = []
  /// The progress of making values from objects.
  package var valueTrail = ValueTrail()
  private var lastObserverID = 0

  package init(
    store: any ObjectStore, makeObject: @escaping (consuming ManagedObjectLogic) -> ManagedObject,
    faultFailed: @escaping (any Error) -> Void
  ) {
    self.store = store
    placement = store.placement
    schema = store.schema
    self.makeObject = makeObject
    self.faultFailed = faultFailed
    let own = ByEntity(store.schema.entities.map { _ in ObjectMap() })
    maps = ByEntity(store.schema.entities.map { own[$0.root] })
    homes = ByEntity(repeating: nil, count: store.schema.entities.count)
  }

  /// Whether the current code runs on the queue or actor of the graph's owner, if that is checked.
  @inlinable
  package final var isAccessPermitted: Bool {
    guard let isAccessAllowed else { return true }
    return isAccessAllowed()
  }

  /// Whether `takePendingChanges()` would return any changes.
  package var hasPendingChanges: Bool { !pending.isEmpty }

  func makeObserverID() -> Int {
    lastObserverID += 1
    return lastObserverID
  }

  /// Whether anything is staged. O(changed objects).
  package var hasChanges: Bool { tracked.contains { $0.hasChanges } }

  /// New objects that are not saved yet, in the order of creation.
  package var insertedObjects: [ManagedObject] { tracked.filter { $0.state == .inserted } }
  /// Saved objects with staged changes, in the order of their first change.
  package var updatedObjects: [ManagedObject] {
    tracked.filter { $0.state != .inserted && $0.state != .deleted && $0.hasChanges }
  }
  /// Saved objects to be deleted by the next save.
  package var deletedObjects: [ManagedObject] { tracked.filter { $0.state == .deleted } }
}

/// The rows that a graph has saved with one commit.
struct SaveAhead {
  let commit: Int
  /// By root entity.
  let rows: [EntityIndex: Set<RowKey>]
}

/// The changes in a graph since its listeners were last notified.
package struct GraphChanges {
  /// The changed objects and, by object, the slots that changed. Includes new and deleted objects, with their
  /// state.
  package var objects: [ManagedObject] = []
  package var slots: [ObjectIdentifier: SlotSet] = [:]
  /// Objects whose rows were deleted from the store, with their values in memory.
  package var departed: [ManagedObject] = []
  /// Objects that were created since.
  package var inserted: Set<ObjectIdentifier> = []
  /// Objects whose deletion was staged, and reverted since.
  package var returned: Set<ObjectIdentifier> = []
  /// Rows that changed in the store without an object in this graph, and objects merged into it.
  package var merged = MergedKeys()
  /// The source of the changes; the owner takes pending changes before it merges any.
  package var source = ChangeSource.thisContext

  package var isEmpty: Bool { objects.isEmpty && merged.isEmpty }

  package init() {}

  package mutating func formUnion(_ later: GraphChanges) {
    objects += later.objects
    departed += later.departed
    slots.merge(later.slots) { mine, theirs in
      var union = mine
      union.formUnion(theirs)
      return union
    }
    inserted.formUnion(later.inserted)
    returned.formUnion(later.returned)
    merged.formUnion(later.merged)
    source = later.source
  }
}
