/// One object of an object graph: a row of the store and what has been done to it since.
///
/// The memory of a clean object is a reference to a packed row (`RowPage`); everything an object
/// needs only once it is changed, observed or walked through lives in `extras`.
///
/// Belongs to its graph, and with that to the queue or actor of the context which owns the graph;
/// not Sendable, and there is never more than one object for a row in a graph.
///
/// The stored properties on the path of a value are exempt from run-time exclusivity checks, which
/// cost more than the access itself: they are read and written whole, never passed `inout` to code of
/// a user, so no two accesses can overlap.
open class ManagedObject {
  /// What it shares with the other objects of its entity and graph, in one reference.
  @usableFromInline final let home: ObjectHome
  /// The key of the object's row; unique within the entity and all that it shares a root with.
  @exclusivity(unchecked) public package(set) final var key: RowKey
  /// The values the store (or parent) held when last asked; nil for faults and new objects.
  @exclusivity(unchecked) @usableFromInline package final var page: RowPage?
  @exclusivity(unchecked) @usableFromInline package final var row: Int32
  @exclusivity(unchecked) @usableFromInline package final var state: ManagedObjectState
  /// Whether the graph keeps the object among its changed ones.
  @exclusivity(unchecked) final var isTracked = false
  /// Whether the graph will notify its listeners about the object at the next turn.
  @exclusivity(unchecked) final var isPending = false
  /// Whether the object is gone because someone else has deleted its row: it can still be edited, and the
  /// save reports the conflict, as it does where the edit came first.
  @exclusivity(unchecked) final var isLost = false
  @exclusivity(unchecked) @usableFromInline package final var extras: ObjectExtras?

  /// Makes the object that its graph describes.
  public required init(managedObject: ManagedObjectLogic) {
    home = managedObject.home
    key = managedObject.key
    page = managedObject.page
    row = managedObject.row
    state = managedObject.state
  }

  /// Called for each new and each changed object when its context saves, before anything is written. What it
  /// throws is a fault of the `ValidationError` that ends the save; all objects are asked. Does nothing by
  /// itself.
  ///
  /// ```swift
  /// override func validate() throws {
  ///   if end < begin { throw Invalid("it ends before it begins") }
  /// }
  /// ```
  ///
  /// Runs on the context's queue or actor. It may read other objects, and must not change any. Rows that are
  /// written without objects (`updateMany`, SQL, other programs) are not asked.
  open func validate() throws {}

  /// What has become of the row while changes of it were staged here.
  final var stagedRow: StagedRow {
    get { extras?.stagedRow ?? .asRead }
    set { if extras != nil || newValue != .asRead { lazyExtras.stagedRow = newValue } }
  }

  /// The graph this object lives in.
  @inlinable package final var graph: ObjectGraph { home.graph }

  /// The entity this object is of.
  @inlinable public final var entity: Entity { home.entity }

  /// Its changed or observed part, made when it is first needed.
  final var lazyExtras: ObjectExtras {
    if let extras { return extras }
    let made = ObjectExtras()
    extras = made
    return made
  }
}

/// Where the objects of one entity live: their graph, and what they are.
///
/// A graph holds its homes and each of them the graph; `releaseAllObjects()` parts them.
@usableFromInline
final class ObjectHome {
  @usableFromInline let graph: ObjectGraph
  @usableFromInline let entity: Entity

  init(graph: ObjectGraph, entity: Entity) {
    self.graph = graph
    self.entity = entity
  }
}

/// What a graph hands to the initialiser of an object: where it lives and which row it is.
///
/// Only a graph makes one; a class that overrides `init(managedObject:)` passes it on to `super`.
public struct ManagedObjectLogic {
  /// The index of the entity the object is of.
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

/// The part of an object that only changed, observed or related objects need.
@usableFromInline
package final class ObjectExtras {
  /// What has become of the row while changes of it were staged here.
  @exclusivity(unchecked) var stagedRow = StagedRow.asRead
  /// What a fault was read from last: shown should its row turn out to be gone.
  var formerRow: (page: RowPage, row: Int32)?
  /// The slots whose value is in `values` instead of the row.
  @exclusivity(unchecked) @usableFromInline package var changedSlots = SlotSet()
  /// Empty until the first change.
  @exclusivity(unchecked) @usableFromInline package var values: BySlot<Value> = []
  /// Empty until a to-many relationship is read or changed.
  @exclusivity(unchecked) var toMany: BySlot<ToManyState?> = []
  @exclusivity(unchecked) var observers: [PropertyObserver] = []
  /// Who tracks what is read; nil before that was asked for.
  var readTracker: AnyObject?
  /// Changed slots whose stored value was changed underneath: the value the edit began from.
  var conflictBases: [Slot: Value] = [:]
}

/// What has become of a row since it was read, as far as the graph of an object that has something staged
/// for it knows.
enum StagedRow {
  /// It holds what was read.
  case asRead
  /// It may hold other values: it was changed, and could not be read again.
  case stale
  /// It was deleted by someone else; its key may lead to another row by now.
  case gone
}

/// What a graph knows of one to-many relationship of one object.
struct ToManyState {
  /// The members as last read from the store; nil when not read.
  var stored: [RowKey]?
  /// The members now, in order; nil when not read.
  var members: [RowKey]?
  /// Members that came and went since the last save, whether or not `stored` has been read.
  var added = AddedMembers()
  var removed: Set<RowKey> = []
  /// The order of an ordered relationship was changed.
  var isReordered = false
  /// The staged order while `members` are to be rebuilt; there may be others now.
  var order: [RowKey]?

  var isChanged: Bool { !added.isEmpty || !removed.isEmpty || isReordered }

  /// What is staged, without what is known of the store.
  var staged: ToManyState {
    var state = ToManyState(added: added, removed: removed)
    state.isReordered = isReordered
    if isReordered { state.order = members ?? order }
    return state
  }
}
