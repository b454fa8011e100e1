import DatastoreCore
import Foundation

/// Sets the properties of a value on one object, for an encoder.
package struct ValueWriting: ValueAccess {
  package let object: DatastoreObject
  let type: Any.Type
  package let context: any ObjectContext

  /// - Parameters:
  ///   - object: an object of the context.
  ///   - type: the type of the value.
  package init(object: DatastoreObject, type: Any.Type, context: any ObjectContext) {
    self.object = object
    self.type = type
    self.context = context
  }

  func refusal(_ reason: String) -> DatastoreValueError {
    .mismatch(value: "\(type)", property: "encode", entity: object.entity.name, reason: reason)
  }

  /// Sets the value of an attribute. Ignores attributes that the store computes.
  package func set<A: AttributeValueType>(_ value: A, _ key: any CodingKey) throws {
    let slot = try slot(key)
    guard let attribute = object.entity.properties[slot].attribute else {
      throw mismatch(key, "it is a relationship")
    }
    if attribute.type == .coded { return try setCoded(value, attribute, slot, key) }
    guard A.attributeType.holdsTheSame(as: attribute.type) else {
      throw mismatch(
        key, "it is stored as \(attribute.type.word), and a \(A.self) is \(A.attributeType.word)")
    }
    if !attribute.isReadOnly { object.setValue(value.storedValue, at: slot) }
  }

  /// Sets any other property.
  func encode<T: Encodable>(_ value: T, _ key: any CodingKey) throws {
    if object.entity.isIdentity(key, T.self) { return }
    let slot = try slot(key)
    guard let link = object.entity.links[slot] else {
      guard let attribute = object.entity.properties[slot].attribute else { return }
      if attribute.type == .coded { return try setCoded(value, attribute, slot, key) }
      if let stored = value as? any AttributeValueType { return try set(stored, key) }
      // An enum, or another type that encodes a single value.
      return try value.encode(to: CellWriter(writing: self, key: key))
    }
    try relate(value, along: link, key)
  }

  /// Sets a relationship: to the object of a value or of an identifier, or to those of an array or a set of
  /// values.
  package func relate(_ value: Any, _ key: any CodingKey) throws {
    guard let link = object.entity.links[try slot(key)] else {
      throw mismatch(
        key, "it is an attribute, and a \(Swift.type(of: value)) is a value of its own")
    }
    try relate(value, along: link, key)
  }

  private func relate(_ value: Any, along link: RelationshipLink, _ key: any CodingKey) throws {
    if link.description.isReadOnly { return }
    let slot = link.slot
    let destination = object.graph.schema.entities[link.destination]
    if link.kind == .toOne {
      let other: DatastoreObject
      if let part = value as? any DatastoreValue {
        other = try context.stageAny(part)
      } else if let id = value as? DatastoreObjectID {
        other = try context.object(with: id)
      } else {
        throw mismatch(
          key, "it is a relationship, which does not take a \(Swift.type(of: value))")
      }
      try require([other], destination, key)
      object.setRelated(other, at: slot)
    } else {
      guard let parts = value as? any DatastoreValueCollection else {
        throw mismatch(
          key,
          "it is a relationship to many objects, which does not take a \(Swift.type(of: value))")
      }
      let others = try parts.stage(in: context)
      try require(others, destination, key)
      object.setRelated(others, at: slot)
    }
  }

  private func require(
    _ others: [DatastoreObject], _ destination: Entity, _ key: any CodingKey
  ) throws {
    for other in others where !other.entity.isKind(of: destination) {
      throw mismatch(key, "it leads to \(destination.name), not to \(other.entity.name)")
    }
  }

  /// Sets a property to a value that may be nil.
  func encodeIfPresent<T: Encodable>(_ value: T?, _ key: any CodingKey) throws {
    if let value {
      try encode(value, key)
    } else if !object.entity.isIdentity(key, T.self) {
      try clear(key)
    }
  }

  /// Removes the value of an attribute or the destination of a to-one relationship. Members of a to-many
  /// relationship stay: for them nil means no change.
  package func clear(_ key: any CodingKey) throws {
    let slot = try slot(key)
    if let link = object.entity.links[slot] {
      if link.kind == .toOne, !link.description.isReadOnly {
        object.setRelated(nil as ManagedObject?, at: slot)
      }
    } else if !(object.entity.properties[slot].attribute?.isReadOnly ?? false) {
      object.setValue(.null, at: slot)
    }
  }

  private func setCoded(
    _ value: some Encodable, _ attribute: AttributeDescription, _ slot: Slot,
    _ key: any CodingKey
  ) throws {
    if attribute.isReadOnly { return }
    if let coder = object.attributeCoder(at: slot) {
      guard let data = try coder.encodeAny(value) else {
        throw mismatch(key, "its coder is for another type")
      }
      object.setValue(.blob(data), at: slot)
    } else {
      object.setValue(.blob(try AttributeCoding.encode(value)), at: slot)
    }
  }

  /// Sets a coded attribute to an attribute value.
  private func setCoded(
    _ value: any AttributeValueType, _ attribute: AttributeDescription, _ slot: Slot,
    _ key: any CodingKey
  ) throws {
    guard let value = value as? any Encodable else {
      throw mismatch(key, "it is coded, and the value is not Encodable")
    }
    try setCoded(value, attribute, slot, key)
  }
}

extension AttributeType {
  /// Whether values of both types are stored alike, so that one can be assigned to the other: for example
  /// whole numbers of any size, whose range is checked when they are saved.
  func holdsTheSame(as other: AttributeType) -> Bool {
    self == other || self == .undefined || other == .undefined || kind == other.kind
  }

  private var kind: Int {
    switch self {
    case .integer8, .integer16, .integer32, .integer64, .unsigned8, .unsigned16, .unsigned32,
      .unsigned64:
      0
    case .boolean: 1
    case .float, .double: 2
    case .decimal: 3
    case .string: 4
    case .url: 5
    case .date: 6
    case .calendarDate: 7
    case .uuid: 8
    case .data: 9
    case .coded: 10
    case .undefined: 11
    }
  }
}
