import Basics
public import DatastoreCore

/// Access of a typed property to its value.
extension DatastoreObject {
  /// Called before each read of a property. Traps like `requireAccess()`.
  @inlinable
  package final func requireReading(_ slot: Slot) {
    requireAccess()
    if graph.willRead != nil { graph.willRead?(self, slot) }
  }

  /// The value of an attribute, or nil when it is NULL or of another type.
  @inlinable
  package final func readAttribute<T: AttributeValueType>(_ slot: Slot) -> T? {
    requireReading(slot)
    if let staged = stagedValue(at: slot) { return T(storedValue: staged) }
    guard let (page, row) = readableRow else { return nil }
    // Retaining and releasing the page would cost as much as reading the cell. The page stays alive: this
    // object holds it, and does not change in between.
    return T.read(StoredCell(page, row: row, slot: slot))
  }

  /// The value of a property that may be missing, or nil if the object is gone.
  @inlinable
  package final func readOptionalAttribute<T: AttributeValueType>(_ slot: Slot) -> T? {
    // In this order, because reading finds out whether the object is gone.
    let value: T? = readAttribute(slot)
    return isGone ? nil : value
  }

  @inlinable
  package final func writeAttribute(_ value: Value, _ slot: Slot) {
    requireAccess()
    setValue(value, at: slot)
  }

  @usableFromInline
  package final func missingValue(_ slot: Slot) -> Never {
    let name = "\(entity.name).\(entity.properties[slot].name)"
    let value = value(at: slot)
    if !value.isNull, entity.links[slot] != nil {
      trap("\(name) of \(entity.name) \(key) leads to an object that is not there")
    }
    if !value.isNull {
      trap("\(name) of \(entity.name) \(key) holds \(value), which is not of its type")
    }
    switch state {
    case .gone:
      trap("\(name) was read on an object that is no longer in the store")
    case .inserted:
      trap(
        "\(name) was read before it was given a value; give it a default, or set it in "
          + "`objectDidCreate()`")
    default:
      trap("\(name) of \(entity.name) \(key) is NULL in the store, but not optional")
    }
  }

  /// Traps when the entity has no such property.
  final func slot(named name: String) -> Slot {
    guard let slot = entity.slot(named: name) else {
      trap(
        "\(entity.name) has no property “\(name)”; it has "
          + entity.properties.map(\.name).joined(separator: ", "))
    }
    return slot
  }
}
