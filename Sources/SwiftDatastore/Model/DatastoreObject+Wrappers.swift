public import CSlots
package import DatastoreCore

/// Support for property wrappers, here and in other products of this package.
extension DatastoreObject {
  /// The number of the property whose wrapper is being made. Calls `record` only for a prototype.
  @inlinable @inline(__always)
  package static func takeSlot(_ record: () -> AttributeRecord) -> Int16 {
    let slot = cslots_take()
    if cslots_is_recording() != 0 { ModelRecorder.record(record(), slot: slot) }
    return slot
  }

  /// The number of the relationship whose wrapper is being made.
  @inlinable @inline(__always)
  package static func takeSlot(relationship record: () -> RelationshipRecord) -> Int16 {
    let slot = cslots_take()
    if cslots_is_recording() != 0 { ModelRecorder.record(record(), slot: slot) }
    return slot
  }

  /// The coder that a class has recorded for an attribute.
  package static func recordedCoder(at slot: Slot) -> (any Sendable)? {
    guard case .attribute(let record) = ClassReflection.of(self).records[slot] else { return nil }
    return record.coder?.coder
  }

  /// The access of an attribute's wrapper, if a class has recorded its own.
  package static func recordedAccess(at slot: Slot) -> (any Sendable)? {
    guard case .attribute(let record) = ClassReflection.of(self).records[slot] else { return nil }
    return record.access
  }

  package static func slot<O: DatastoreObject, P: RelationshipProperty>(
    of keyPath: KeyPath<O, P>
  ) -> Slot {
    ClassReflection.of(O.self).slot(of: keyPath)
  }
}
