import DatastoreCore

/// A change to stage in the view context. Each is one undo group.
enum StagingStep: Hashable, Sendable {
  /// Gives objects of one entity a value: an attribute's, or the key of a to-one destination.
  case assign([ObjectReference], slot: Slot, Value)
  /// Gives objects of one entity values of their own, by slot.
  case assignEach([ObjectReference], [RowKey: [Slot: Value]])
  case setMember(ObjectReference, slot: Slot, member: RowKey, isMember: Bool)
  /// A new object, with values by slot.
  case create(entity: EntityIndex, [Slot: Value])
  /// New objects, each with values by slot.
  case createEach(entity: EntityIndex, [[Slot: Value]])
  /// New objects with the attributes and to-one relationships of others.
  case duplicate([ObjectReference])
  case delete([ObjectReference])
  case undo
  case redo
  case revertAll
  /// Reverts one property of an object, or all of it.
  case revert(ObjectReference, slot: Slot?)
}
