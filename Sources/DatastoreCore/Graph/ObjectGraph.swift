/// A graph of objects over a store: their identity, what has changed, and how they are related.
///
/// It has no thread of its own: its owner (a context) calls it from one queue or actor only.
/// Saving is done in three steps, so that the owner may leave its queue for the slow one in the
/// middle: `prepareSave()`, `ObjectStore.save(_:)`, `completeSave(_:_:)`.
@usableFromInline package final class ObjectGraph {
  /// The entities of its store.
  package let schema: Schema
  /// What is read and saved to. The owner may put another view of the same store in its place.
  package var store: any ObjectStore
  /// Makes the object for a row; set once by the owner, which knows the classes.
  @exclusivity(unchecked) package var makeObject: (consuming ManagedObjectLogic) -> ManagedObject
  /// Asked before every access to an object; false traps. nil where access is not checked.
  @exclusivity(unchecked) @usableFromInline package var isAccessAllowed: (() -> Bool)?
  /// Where the graph belongs; nil where it is only ever used by one thread.
  package var executor: (any GraphExecutor)?
  /// Called for each property that is about to be read; nil where reads are not tracked.
  @exclusivity(unchecked) @usableFromInline package var willRead: ((ManagedObject, Slot) -> Void)?
  /// Whether staging anything traps.
  @exclusivity(unchecked) package var isReadOnly = false
  /// Called once when the first change of a turn is recorded; the owner calls `takePendingChanges()`
  /// later in the same turn or the next.
  package var changesArePending: (() -> Void)?
  /// Whether anyone asks for `takePendingChanges()`; without a listener nothing is recorded.
  @exclusivity(unchecked) package var isListenedTo = false
  /// Remembers how to undo what is staged; nil while undo is off.
  @exclusivity(unchecked) package var journal: UndoJournal?
  /// Called when a value cannot be read because the store fails while an object is being faulted in.
  package var faultFailed: (any Error) -> Void

  /// Receives how many faults of an entity were read at once; nil where that is not logged.
  @exclusivity(unchecked) package var faultsWereRead: ((Entity, Int) -> Void)?

  /// Who made the changes that observers are being notified of.
  package internal(set) var changeSource = ChangeSource.thisContext

  /// All entities of a family have the same one, since they share their keys.
  let maps: ByEntity<ObjectMap>
  /// nil before the first object of the entity.
  @exclusivity(unchecked) var homes: ByEntity<ObjectHome?>
  /// Each of them once.
  var distinctMaps: [ObjectMap] {
    schema.entities.compactMap { $0.root == $0.index ? maps[$0.index] : nil }
  }
  /// Changed, new and deleted objects, in the order of their first change.
  @exclusivity(unchecked) var tracked: ContiguousArray<ManagedObject> = []
  /// Where those are found by what they hold; nil until a fetch can use it, and again after anything but an
  /// assignment.
  @exclusivity(unchecked) var stagedIndex: StagedIndex?
  var pending = GraphChanges()
  /// The `placement` of the store since which every row that is known here was read.
  package internal(set) var placement: Int64?
  /// The same for what is staged: as of when the first of it was.
  @exclusivity(unchecked) package internal(set) var stagedPlacement: Int64?
  /// The `placement` at which staged objects whose rows were moved have been looked for last.
  package var followedPlacement: Int64?
  /// How often everything was read again since someone else had written: what was read under a key before
  /// may have another one since.
  package internal(set) var reloadCount = 0
  /// What objects of tables without keys held when a staged relationship came to lead to them, by root entity
  /// and key.
  @exclusivity(unchecked) var referred: [EntityIndex: [RowKey: RowReference]] = [:]
  /// How often this graph was saved.
  var saveCount = 0
  /// How often something was merged or refreshed.
  package internal(set) var mergeCount = 0
  /// Another number after everything that gives objects other stored values, has them go or makes them
  /// faults: merges, refreshes and saves above all. What was read before may be older than what is known
  /// here.
  @exclusivity(unchecked) package internal(set) var storedVersion = 0
  /// Objects for which nothing is staged any more and whose row is gone, or was not read again: they leave
  /// the graph, or become faults, before anything else happens.
  @exclusivity(unchecked) var departing: [ManagedObject] = []
  /// What this graph has saved while saves of other contexts, committed before, were still to be merged.
  var savesAhead: [SaveAhead] = []
  /// The other keys that rows have come to have, for children, which know objects by those from before.
  package let keyChanges = KeyChangeLog()
  /// Whether saves of other contexts have been committed that are still to be merged; nil where that cannot
  /// be.
  package var isAwaitingMerges: (() -> Bool)?
  /// Told of every save of this graph when it is settled. May only record it.
  package var wasSaved: ((SavedChanges) -> Void)?
  /// What was read ahead, so that it stays until it is looked at.
  var prefetched: [ManagedObject] = []
  /// Where the making of values from objects is.
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

  /// Whether this is the queue or actor of the graph's owner, where that is checked.
  @inlinable
  package final var isAccessPermitted: Bool {
    guard let isAccessAllowed else { return true }
    return isAccessAllowed()
  }

  /// Whether `takePendingChanges()` would give anything.
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

/// What has happened in a graph since its listeners were last notified.
package struct GraphChanges {
  /// By object; the slots that changed. New and deleted objects are in here too, with their state.
  package var objects: [ManagedObject] = []
  package var slots: [ObjectIdentifier: SlotSet] = [:]
  /// Objects whose rows are gone from the store, with what was in memory of them.
  package var departed: [ManagedObject] = []
  /// Objects that were created since.
  package var inserted: Set<ObjectIdentifier> = []
  /// Objects whose deletion was staged, and was taken back since.
  package var returned: Set<ObjectIdentifier> = []
  /// Rows that changed in the store without an object in this graph, and objects merged into it.
  package var merged = MergedKeys()
  /// Who made the changes; the owner takes what is pending before it merges anything.
  package var source = ChangeSource.thisContext

  package var isEmpty: Bool { objects.isEmpty && merged.isEmpty }

  package init() {}

  /// Adds what has happened later.
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
