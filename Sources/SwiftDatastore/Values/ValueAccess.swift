import DatastoreCore

/// Access to the properties of one object, for a value that is read from it or written to it.
protocol ValueAccess {
  var object: DatastoreObject { get }
  /// The type of the value.
  var type: Any.Type { get }
}

extension ValueAccess {
  func slot(_ key: any CodingKey) throws -> Slot {
    guard let slot = object.entity.slot(named: key.stringValue) else {
      throw DatastoreValueError.unknownProperty(
        value: "\(type)", property: key.stringValue, entity: object.entity.name)
    }
    return slot
  }

  func mismatch(_ key: any CodingKey, _ reason: String) -> DatastoreValueError {
    .mismatch(
      value: "\(type)", property: key.stringValue, entity: object.entity.name, reason: reason)
  }
}
