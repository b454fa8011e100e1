import DatastoreCore

/// A change to stage in the view context. Each is one undo group.
///
/// If its references have the rows that were seen, values and deletions begin from those: what someone else
/// has stored since, while an editor, a preview or a question was open, is a conflict.
enum StagingStep: Hashable, Sendable {
  /// Sets a property of objects of one entity to a value: that of an attribute, or the key of a to-one
  /// destination.
  case assign([ObjectReference], slot: Slot, Value)
  /// Sets values of objects of one entity by slot, for each object its own. If someone else has changed the
  /// slots that they were computed from, that is a conflict, too.
  case assignEach(
    [ObjectReference], [RowKey: [Slot: Value]], computedFrom: SlotSet = SlotSet())
  case setMember(ObjectReference, slot: Slot, member: RowKey, isMember: Bool)
  /// A new object with values by slot.
  case create(entity: EntityIndex, [Slot: Value])
  /// New objects, each with values by slot.
  case createEach(entity: EntityIndex, [[Slot: Value]])
  /// New objects with the attributes and to-one relationships of others.
  case duplicate([ObjectReference])
  case delete([ObjectReference])
  case undo
  case redo
  case revertAll
  /// Reverts one property of an object, or the whole object.
  case revert(ObjectReference, slot: Slot?)
}
