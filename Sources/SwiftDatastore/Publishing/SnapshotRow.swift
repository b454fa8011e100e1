import Basics
package import DatastoreCore

/// The values of one object of any class at one time; the storage of an `ObjectSnapshot`.
///
/// Opaque outside the library. It refers to the packed row of the object, so making it copies nothing; it
/// keeps in memory the page of rows in which that row was read.
public struct SnapshotRow: Sendable {
  let objectID: DatastoreObjectID
  let entity: Entity
  let schema: Schema
  /// The class of the object.
  let type: DatastoreObject.Type
  /// nil for a new object, whose values are all staged.
  private let page: RowPage?
  private let row: Int
  /// The slots whose value is in `values` instead of the row.
  private var stagedSlots: SlotSet
  private var values: BySlot<Value>
  /// The slots that were set in a copy of the snapshot.
  private(set) var editedSlots = SlotSet()
  /// The members of the included to-many relationships; ascending if they have no order.
  private let members: [Slot: [RowKey]]

  /// nil when the object is no longer in the store, or never was. Reads the row if it was not read, and the
  /// members of the named relationships.
  init?(_ object: DatastoreObject, including relationships: [Slot]) {
    object.requireAccess()
    let row = object.readableRow
    guard !object.isGone, row != nil || object.isInserted else { return nil }
    objectID = object.objectID
    entity = object.entity
    schema = object.graph.schema
    type = Swift.type(of: object)
    page = row?.page.takeUnretainedValue()
    self.row = row?.row ?? 0
    (stagedSlots, values) = object.stagedValues
    var members: [Slot: [RowKey]] = [:]
    for slot in relationships {
      let keys = object.relatedKeys(at: slot)
      members[slot] = entity.links[slot]?.kind == .orderedToMany ? keys : keys.sorted()
    }
    self.members = members
  }

  /// The value of an attribute, or the key of a to-one destination. O(length) for text and blobs.
  func value(at slot: Slot) -> Value {
    if stagedSlots.contains(slot) { return values[slot] }
    return page?.value(row: row, slot: slot) ?? .null
  }

  /// The value of an attribute, or nil when it is NULL or of another type.
  func attribute<A: AttributeValueType>(at slot: Slot) -> A? {
    if stagedSlots.contains(slot) { return A(storedValue: values[slot]) }
    guard let page else { return nil }
    return withExtendedLifetime(page) {
      A.read(StoredCell(Unmanaged.passUnretained(page), row: row, slot: slot))
    }
  }

  /// The identifiers of the members of a to-many relationship; nil when it was not included.
  func members(at slot: Slot) -> [DatastoreObjectID]? {
    guard let keys = members[slot] else { return nil }
    return keys.map { identifier(of: $0, at: slot) }
  }

  /// The destination of a to-one relationship.
  func destination(at slot: Slot) -> DatastoreObjectID? {
    value(at: slot).key.map { identifier(of: $0, at: slot) }
  }

  private func identifier(of key: RowKey, at slot: Slot) -> DatastoreObjectID {
    guard let link = entity.links[slot] else {
      trap("\(entity.name).\(entity.properties[slot].name) is not a relationship")
    }
    return objectID.related(schema.entities[link.destination], key: key)
  }

  mutating func set(_ value: Value, at slot: Slot) {
    if values.isEmpty { values = BySlot(repeating: .null, count: entity.slotCount) }
    stagedSlots.insert(slot)
    editedSlots.insert(slot)
    values[slot] = value
  }

  /// The slots whose content differs: attributes, to-one relationships, and members that both snapshots have.
  func differingSlots(from other: SnapshotRow) -> SlotSet {
    var slots = SlotSet()
    if !isSameRow(as: other) {
      for slot in entity.rowSlots where !isSameValue(at: slot, as: other) { slots.insert(slot) }
    }
    for (slot, keys) in members {
      if let others = other.members[slot], others != keys { slots.insert(slot) }
    }
    return slots
  }

  /// Whether both refer to the same row in memory, and nothing is staged over it.
  private func isSameRow(as other: SnapshotRow) -> Bool {
    page != nil && page === other.page && row == other.row && stagedSlots.isEmpty
      && other.stagedSlots.isEmpty
  }

  private func isSameValue(at slot: Slot, as other: SnapshotRow) -> Bool {
    if let page, let otherPage = other.page, !stagedSlots.contains(slot),
      !other.stagedSlots.contains(slot)
    {
      return page.isSameCell(row: row, as: otherPage, row: other.row, slot: slot)
    }
    return value(at: slot) == other.value(at: slot)
  }
}

extension DatastoreObjectID {
  /// The identifier of another object of the same store.
  func related(_ entity: Entity, key: RowKey) -> DatastoreObjectID {
    DatastoreObjectID(store: store, entity: entity, key: key)
  }
}

/// Rows are equal when they are of the same object and have the same content.
extension SnapshotRow: Hashable {
  public static func == (left: SnapshotRow, right: SnapshotRow) -> Bool {
    left.objectID == right.objectID && left.entity === right.entity
      && left.members == right.members && left.differingSlots(from: right).isEmpty
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(objectID) }
}

/// Access for wrappers of other products of this package.
extension SnapshotRow {
  /// The class of the object.
  package var objectType: DatastoreObject.Type { type }

  /// The stored value of an attribute.
  package func storedValue(at slot: Slot) -> Value { value(at: slot) }
}
