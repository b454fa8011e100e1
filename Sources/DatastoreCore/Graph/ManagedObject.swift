/// One object of an object graph: a row of the store and its changes since.
///
/// The memory of a clean object is a reference to a packed row (`RowPage`); state that an object needs only
/// once it is changed, observed or related is in `extras`.
///
/// Belongs to its graph, and thus to the queue or actor of the context that owns the graph; not Sendable. A
/// graph never has more than one object for a row.
///
/// The stored properties on the path of a value are exempt from run-time exclusivity checks, which cost more
/// than the access itself: they are read and written whole, never passed `inout` to user code, so no two
/// accesses can overlap.
open class ManagedObject {
  /// The state shared with the other objects of its entity and graph, in one reference.
  @usableFromInline final let home: ObjectHome
  /// The key of the object's row; unique among the entities with the same root.
  @exclusivity(unchecked) public package(set) final var key: RowKey
  /// The values last read from the store (or parent); nil for faults and new objects.
  @exclusivity(unchecked) @usableFromInline package final var page: RowPage?
  @exclusivity(unchecked) @usableFromInline package final var row: Int32
  @exclusivity(unchecked) @usableFromInline package final var state: ManagedObjectState
  /// Whether the object is among the graph's changed ones.
  @exclusivity(unchecked) final var isTracked = false
  /// Whether the graph will notify its listeners about the object at the next turn.
  @exclusivity(unchecked) final var isPending = false
  /// Whether someone else has deleted the object's row. It can still be edited, and the save reports the
  /// conflict, as it does when the edit came first.
  @exclusivity(unchecked) final var isLost = false
  @exclusivity(unchecked) @usableFromInline package final var extras: ObjectExtras?

  /// Creates the object described by its graph.
  public required init(managedObject: ManagedObjectLogic) {
    home = managedObject.home
    key = managedObject.key
    page = managedObject.page
    row = managedObject.row
    state = managedObject.state
  }

  /// Called for each new and each changed object when its context saves, before anything is written. An error
  /// becomes a fault of the `ValidationError` that ends the save; all objects are checked. The default
  /// implementation does nothing.
  ///
  /// ```swift
  /// override func validate() throws {
  ///   if end < begin { throw Invalid("it ends before it begins") }
  /// }
  /// ```
  ///
  /// Runs on the context's queue or actor. It may read other objects, and must not change any. Not called for
  /// rows that are written without objects (`updateMany`, SQL, other programs).
  open func validate() throws {}

  /// The state of the row since changes of it were staged here.
  final var stagedRow: StagedRow {
    get { extras?.stagedRow ?? .asRead }
    set { if extras != nil || newValue != .asRead { lazyExtras.stagedRow = newValue } }
  }

  @inlinable package final var graph: ObjectGraph { home.graph }

  /// The entity of this object.
  @inlinable public final var entity: Entity { home.entity }

  /// The extras, created on first use.
  final var lazyExtras: ObjectExtras {
    if let extras { return extras }
    let made = ObjectExtras()
    extras = made
    return made
  }
}

/// The graph and the entity of objects, shared by all objects of one entity.
///
/// A graph refers to its homes and each of them to the graph; `releaseAllObjects()` breaks the cycle.
@usableFromInline
final class ObjectHome {
  @usableFromInline let graph: ObjectGraph
  @usableFromInline let entity: Entity

  init(graph: ObjectGraph, entity: Entity) {
    self.graph = graph
    self.entity = entity
  }
}

/// The argument of an object's initialiser, from its graph: its home and its row.
///
/// Only a graph makes one; an override of `init(managedObject:)` passes it on to `super`.
public struct ManagedObjectLogic {
  package var entityIndex: EntityIndex { home.entity.index }
  let home: ObjectHome
  let key: RowKey
  let page: RowPage?
  let row: Int32
  let state: ManagedObjectState
}

/// The state of an object with respect to its graph and the store.
@frozen
@usableFromInline
package enum ManagedObjectState: UInt8, Sendable {
  /// Saved, values not read yet.
  case fault
  /// Saved, values read, nothing changed.
  case clean
  /// Saved, and changed since.
  case updated
  /// New, not saved.
  case inserted
  /// Saved, to be deleted by the next save.
  case deleted
  /// No longer in the store, or never was: deleted and saved, here or elsewhere, or new and reverted.
  case gone
}

/// The state that only changed, observed or related objects need.
@usableFromInline
package final class ObjectExtras {
  /// The state of the row since changes of it were staged here.
  @exclusivity(unchecked) var stagedRow = StagedRow.asRead
  /// The row that a fault was read from last: shown if its row turns out to be deleted.
  var formerRow: (page: RowPage, row: Int32)?
  /// The slots whose value is in `values` instead of the row.
  @exclusivity(unchecked) @usableFromInline package var changedSlots = SlotSet()
  /// Empty until the first change.
  @exclusivity(unchecked) @usableFromInline package var values: BySlot<Value> = []
  /// Empty until a to-many relationship is read or changed.
  @exclusivity(unchecked) var toMany: BySlot<ToManyState?> = []
  @exclusivity(unchecked) var observers: [PropertyObserver] = []
  /// The tracker of reads; nil until tracking is used.
  var readTracker: AnyObject?
  /// Changed slots whose stored value changed as well: the values before the edits.
  var conflictBases: [Slot: Value] = [:]
}

/// The known state of a row since it was read, for an object with staged changes.
enum StagedRow {
  /// Unchanged since it was read.
  case asRead
  /// It may hold other values: it was changed, and could not be read again.
  case stale
  /// Deleted by someone else; another row may have its key now.
  case gone
}

/// The known state of one to-many relationship of one object.
struct ToManyState {
  /// The members last read from the store; nil when not read.
  var stored: [RowKey]?
  /// The current members, in order; nil when not read.
  var members: [RowKey]?
  /// Members added and removed since the last save, whether or not `stored` has been read.
  var added = AddedMembers()
  var removed: Set<RowKey> = []
  /// Whether the order of an ordered relationship was changed.
  var isReordered = false
  /// The staged order while `members` have to be rebuilt; the members may have changed since.
  var order: [RowKey]?

  var isChanged: Bool { !added.isEmpty || !removed.isEmpty || isReordered }

  /// The staged changes, without the stored state.
  var staged: ToManyState {
    var state = ToManyState(added: added, removed: removed)
    state.isReordered = isReordered
    if isReordered { state.order = members ?? order }
    return state
  }
}
