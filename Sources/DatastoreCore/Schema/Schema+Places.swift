// Arrays with one element for each entity are indexed by entity index, those with one for each property by
// slot; other arrays are not.

extension [EntityDescription] {
  /// The description of the entity with an index. O(1).
  subscript(index: EntityIndex) -> EntityDescription { self[index.rawValue] }
}

extension [Entity] {
  /// The entity with an index. O(1).
  @inlinable
  public subscript(index: EntityIndex) -> Entity { self[index.rawValue] }
}

extension [PropertyDescription] {
  /// The property with a slot. O(1).
  @inlinable
  public subscript(slot: Slot) -> PropertyDescription {
    get { self[slot.rawValue] }
    set { self[slot.rawValue] = newValue }
  }
}

extension [RelationshipLink?] {
  /// The relationship with a slot, or nil if the slot is an attribute. O(1).
  @inlinable
  public subscript(slot: Slot) -> RelationshipLink? { self[slot.rawValue] }
}
