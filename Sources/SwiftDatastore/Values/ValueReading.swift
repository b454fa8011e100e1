import DatastoreCore
package import Foundation

/// A collection of values for one property: arrays and sets.
protocol DatastoreValueCollection {
  static func make(of objects: [DatastoreObject]) throws -> Self
  static var elementType: Any.Type { get }
  func stage(in context: any ObjectContext) throws -> [DatastoreObject]
}

extension Array: DatastoreValueCollection where Element: DatastoreValue {
  static func make(of objects: [DatastoreObject]) throws -> [Element] {
    let isIdentified = Element.self is any IdentifiedDatastoreValue.Type
    return try objects.map { try $0.makeValue(Element.self, isIdentified: isIdentified) }
  }

  static var elementType: Any.Type { Element.self }

  func stage(in context: any ObjectContext) throws -> [DatastoreObject] {
    try context.stageAll(self)
  }
}

extension Set: DatastoreValueCollection where Element: DatastoreValue {
  static func make(of objects: [DatastoreObject]) throws -> Set<Element> {
    Set(try objects.map { try $0.makeValue(Element.self) })
  }

  static var elementType: Any.Type { Element.self }

  func stage(in context: any ObjectContext) throws -> [DatastoreObject] {
    try context.stageAll(Array(self))
  }
}

/// The coder of a coded attribute of any type.
package protocol AnyAttributeCoder {
  /// Decodes a value.
  func decodeAny(_ data: Data) throws -> Any
  /// nil when the value is of another type.
  func encodeAny(_ value: Any) throws -> Data?
}

extension AttributeCoder: AnyAttributeCoder {
  package func decodeAny(_ data: Data) throws -> Any { try decode(data) }

  package func encodeAny(_ value: Any) throws -> Data? { try (value as? T).map(encode) }
}

/// Reads the properties of one object for the value that is being made from it, for a decoder.
package struct ValueReading: ValueAccess {
  /// Values nested deeper than this are not made: each level uses a part of the stack.
  static let depthLimit = 64

  let object: DatastoreObject
  let type: Any.Type

  /// - Parameter type: the type of the value.
  package init(object: DatastoreObject, type: Any.Type) {
    self.object = object
    self.type = type
  }

  /// For callers that read one property without knowing the value's type: it is the type that `making(_:_:)`
  /// is making.
  package init(_ object: DatastoreObject) {
    self.init(object: object, type: object.graph.valueTrail.maker ?? DatastoreObject.self)
  }

  package func isMissing(_ key: any CodingKey) throws -> Bool {
    let slot = try slot(key)
    if object.entity.links[slot]?.kind.isToMany ?? false { return false }
    return object.value(at: slot).isNull
  }

  /// The value of an attribute. Inlined, so that it is specialised for each type, which halves its time.
  @inline(__always)
  package func attribute<A: AttributeValueType>(_: A.Type, _ key: any CodingKey) throws -> A {
    let slot = try slot(key)
    guard object.entity.links[slot] == nil else { throw mismatch(key, "it is a relationship") }
    if let value: A = object.readAttribute(slot) { return value }
    throw unreadable(slot, key, A.self)
  }

  func unreadable(_ slot: Slot, _ key: any CodingKey, _ wanted: Any.Type) -> DatastoreValueError {
    let stored = object.value(at: slot)
    if stored.isNull {
      return .missing(value: "\(type)", property: key.stringValue, entity: object.entity.name)
    }
    return mismatch(key, "it holds \(stored), which is not a value of type \(wanted)")
  }

  /// Any other property.
  func decode<T: Decodable>(_: T.Type, _ key: any CodingKey) throws -> T {
    if object.entity.isIdentity(key, T.self), let id = object.objectID as? T { return id }
    let slot = try slot(key)
    guard let link = object.entity.links[slot] else { return try attributeValue(T.self, slot, key) }
    return try related(T.self, along: link, key)
  }

  /// The destination of a relationship: a value, an identifier, or an array or a set of values. The
  /// identifier of the object itself has the key `objectID`.
  package func related<T>(_: T.Type, _ key: any CodingKey) throws -> T {
    if object.entity.isIdentity(key, T.self), let id = object.objectID as? T { return id }
    guard let link = object.entity.links[try slot(key)] else {
      throw mismatch(key, "it is an attribute, and a \(T.self) is a value of its own")
    }
    return try related(T.self, along: link, key)
  }

  private func related<T>(
    _: T.Type, along link: RelationshipLink, _ key: any CodingKey
  ) throws -> T {
    let slot = link.slot
    let made: Any
    if let part = T.self as? any DatastoreValue.Type, link.kind == .toOne {
      guard let destination = object.readableRelated(at: slot) as? DatastoreObject else {
        throw DatastoreValueError.missing(
          value: "\(type)", property: key.stringValue, entity: object.entity.name)
      }
      made = try following(slot, key, [destination], part) { try destination.makeValue(part) }
    } else if let parts = T.self as? any DatastoreValueCollection.Type, link.kind.isToMany {
      let members = object.readableRelatedObjects(at: slot).compactMap { $0 as? DatastoreObject }
      made = try following(slot, key, members, parts.elementType) { try parts.make(of: members) }
    } else if T.self == DatastoreObjectID.self, link.kind == .toOne,
      let destination = object.value(at: slot).key
    {
      made = object.objectID.related(
        object.graph.schema.entities[link.destination], key: destination)
    } else {
      throw mismatch(key, "it is a relationship, which cannot be read as \(T.self)")
    }
    guard let value = made as? T else { throw mismatch(key, "it is no \(T.self)") }
    return value
  }

  /// Decodes a property that may be nil, including the way back to a value that is still being made.
  func decodeIfPresent<T: Decodable>(_: T.Type, _ key: any CodingKey) throws -> T? {
    if object.entity.isIdentity(key, T.self) { return object.objectID as? T }
    let slot = try slot(key)
    if let link = object.entity.links[slot] {
      return leadsNowhere(T.self, along: link) ? nil : try related(T.self, along: link, key)
    }
    return object.value(at: slot).isNull ? nil : try attributeValue(T.self, slot, key)
  }

  /// The destination of a relationship, which may be nil.
  package func relatedIfPresent<T>(_: T.Type, _ key: any CodingKey) throws -> T? {
    if object.entity.isIdentity(key, T.self) { return object.objectID as? T }
    if let link = object.entity.links[try slot(key)], leadsNowhere(T.self, along: link) {
      return nil
    }
    return try related(T.self, key)
  }

  private func leadsNowhere(_ type: Any.Type, along link: RelationshipLink) -> Bool {
    if link.kind == .toOne {
      guard let destination = object.readableRelated(at: link.slot) else { return true }
      return isUnderWay(destination, type)
    }
    guard let parts = type as? any DatastoreValueCollection.Type else { return false }
    return object.readableRelatedObjects(at: link.slot).contains {
      isUnderWay($0, parts.elementType)
    }
  }

  private func isUnderWay(_ other: ManagedObject, _ type: Any.Type) -> Bool {
    object.graph.valueTrail.contains(.init(type, other))
      || other === object && type == self.type
  }

  /// Makes the destination of a relationship, while this value is being made.
  private func following<Made>(
    _ slot: Slot, _ key: any CodingKey, _ others: [DatastoreObject], _ type: Any.Type,
    _ make: () throws -> Made
  ) throws -> Made {
    let graph = object.graph
    if others.contains(where: { isUnderWay($0, type) }) {
      throw DatastoreValueError.circular(
        value: "\(self.type)", property: key.stringValue, entity: object.entity.name)
    }
    if graph.valueTrail.depth >= Self.depthLimit {
      throw DatastoreValueError.tooDeep(
        value: "\(self.type)", property: key.stringValue, entity: object.entity.name)
    }
    let step = ValueTrail.Step(self.type, object)
    let isFirst = graph.valueTrail.enter(step, at: slot)
    defer { graph.valueTrail.leave(step, isFirst: isFirst) }
    return try make()
  }

  private func attributeValue<T: Decodable>(
    _: T.Type, _ slot: Slot, _ key: any CodingKey
  ) throws -> T {
    let stored = object.value(at: slot)
    if stored.isNull { throw unreadable(slot, key, T.self) }
    if object.entity.bytesSlots.contains(slot) {
      guard case .blob(let data) = stored else { throw unreadable(slot, key, T.self) }
      let coded = try? object.attributeCoder(at: slot)?.decodeAny(data)
      if let value = coded as? T { return value }
      guard let value = try? AttributeCoding.decode(T.self, data) else {
        throw mismatch(key, "its bytes are not a \(T.self)")
      }
      return value
    }
    // Asking a type for a protocol takes longer than reading a date.
    if T.self == Date.self, let date: Date = object.readAttribute(slot), let value = date as? T {
      return value
    }
    if let attribute = T.self as? any AttributeValueType.Type {
      if let value = attribute.init(storedValue: stored) as? T { return value }
      throw unreadable(slot, key, T.self)
    }
    // An enum, or another type that encodes a single value.
    return try T(from: CellReader(reading: self, slot: slot, key: key))
  }
}

extension Entity {
  /// Whether a key of a value is the identifier of the object rather than a property.
  func isIdentity(_ key: any CodingKey, _ type: Any.Type) -> Bool {
    type == DatastoreObjectID.self && key.stringValue == "objectID"
      && slot(named: "objectID") == nil
  }
}

extension DatastoreObject {
  /// Reads or writes the properties of a value one by one; inside `body` the value's type is known.
  package func making<Result>(
    _ type: Any.Type, _ body: () throws -> Result
  ) rethrows -> Result {
    let graph = graph
    let outer = graph.valueTrail.maker
    graph.valueTrail.maker = type
    defer { graph.valueTrail.maker = outer }
    return try body()
  }

  /// The coder of the class for a coded attribute; nil for JSON.
  func attributeCoder(at slot: Slot) -> (any AnyAttributeCoder)? {
    if self is DynamicObject { return nil }
    return Swift.type(of: self).recordedCoder(at: slot) as? any AnyAttributeCoder
  }
}
