import Basics
public import DatastoreCore
import Foundation

/// An object of the old version of a store that is being migrated, read by property names. Traps for unknown
/// names. Valid only during the call of the closure that receives it.
public struct UnsafeSourceObject {
  let object: DatastoreObject

  init(_ object: DatastoreObject) { self.object = object }

  /// The name of its entity.
  public var entityName: String { object.entity.name }
  /// The key of its row.
  public var key: RowKey { object.key }

  /// The stored value of an attribute, or the key of a to-one destination.
  public subscript(name: String) -> Value { object.value(at: object.slot(named: name)) }

  /// The Swift value of an attribute, or the key of a to-one destination; nil if it is missing. Numbers cast
  /// to any type that holds them: `source.value(forKey: "age") as? Int`.
  public func value(forKey name: String) -> Any? { object.anyValue(at: object.slot(named: name)) }

  /// The attributes and to-one relationships.
  package var properties: [PropertyDescription] {
    object.entity.properties.filter { !($0.relationship?.kind.isToMany ?? false) }
  }

  /// The destination of a to-one relationship.
  public func object(_ name: String) -> UnsafeSourceObject? {
    (object.readableRelated(at: object.slot(named: name)) as? DatastoreObject).map(Self.init)
  }

  /// The members of a to-many relationship; in order, if it is ordered.
  public func objects(_ name: String) -> [UnsafeSourceObject] {
    object.readableRelatedObjects(at: object.slot(named: name))
      .compactMap { ($0 as? DatastoreObject).map(Self.init) }
  }

  /// Calls the closure with each attribute and each to-one relationship.
  public func forEachProperty(_ body: (_ property: String) throws -> Void) rethrows {
    for property in properties { try body(property.name) }
  }
}

/// An object of the new version of a store that is being migrated, read and written by property names. Traps
/// for unknown names. Valid only during the call of the closure in which it was made.
public struct UnsafeDestinationObject {
  let object: DatastoreObject
  private let maker: DestinationMaker

  init(_ object: DatastoreObject, _ maker: DestinationMaker) {
    self.object = object
    self.maker = maker
  }

  /// The name of its entity.
  public var entityName: String { object.entity.name }
  /// The key of its row.
  public var key: RowKey { object.key }

  /// The stored value of an attribute. For a to-one relationship: the key of the **old** destination, as in
  /// the source; the new destination is set from it.
  ///
  /// Traps for a to-many relationship; those are kept automatically, or set with `set(_:for:)`.
  public subscript(name: String) -> Value {
    get { object.value(at: object.slot(named: name)) }
    nonmutating set {
      let slot = object.slot(named: name)
      guard let link = object.entity.links[slot] else {
        return object.setValue(newValue, at: slot)
      }
      require(
        link.kind == .toOne,
        "\(entityName).\(name) is a to-many relationship; use `set(_:for:)`")
      guard let key = newValue.key else {
        return object.setRelated(nil, at: slot)
      }
      let destination = maker.context.core.graph.schema.entities[link.destination]
      let offset = maker.stage.offset(to: destination)
      object.setRelated(
        maker.context.core.graph.object(
          entity: destination.index, key: RowKey(key.rawValue + offset)), at: slot)
    }
  }

  /// The Swift value of an attribute, or the key of a to-one destination, as in a source object.
  public func value(forKey name: String) -> Any? { object.anyValue(at: object.slot(named: name)) }

  /// Sets a value of the kind that `value(forKey:)` of this object or its source returns. Traps for values
  /// that the property cannot hold.
  public func setValue(_ value: Any?, forKey name: String) {
    self[name] = object.storedValue(value, at: object.slot(named: name))
  }

  /// Sets a to-one relationship to another new object.
  public func set(_ other: UnsafeDestinationObject?, for name: String) {
    object.setRelated(other?.object, at: object.slot(named: name))
  }

  /// Sets a to-many relationship to other new objects.
  public func set(_ others: [UnsafeDestinationObject], for name: String) {
    object.setRelated(others.map(\.object), at: object.slot(named: name))
  }

  /// Creates another object, of any entity of the new version.
  ///
  /// - Throws: `UnknownEntityError`, `AbstractEntityError`.
  public func create(_ entityName: String) throws -> UnsafeDestinationObject {
    let core = maker.context.core
    return UnsafeDestinationObject(try core.create(core.entity(named: entityName)), maker)
  }

  /// Calls the closure with each attribute and each to-one relationship, and with its property in the old
  /// version, if any.
  public func forEachProperty(
    _ body: (_ property: String, _ sourceProperty: String?) throws -> Void
  ) rethrows {
    for (property, source) in properties { try body(property.name, source?.name) }
  }

  /// The attributes and to-one relationships, with their properties in the old version, if any.
  package var properties: [(property: PropertyDescription, source: PropertyDescription?)] {
    let difference = maker.stage.difference
    let entity = difference.new.entities[object.entity.index]
    let former = difference.former(entity)
    return zip(entity.slots, entity.properties)
      .filter { !($1.relationship?.kind.isToMany ?? false) }
      .map { slot, property in
        let source = difference.formerSlots[entity.index][slot]
        return (property, source.flatMap { former?.properties[$0] })
      }
  }
}

extension MigrationStage {
  /// The offset from the keys of a relationship's old destinations to those of its new ones.
  fileprivate func offset(to destination: Entity) -> Int64 {
    let entity = difference.new.entities[destination.index]
    guard let former = difference.former(entity) else { return 0 }
    return offset(from: former.index, to: entity.index)
  }
}

/// Values of a property whose type is known only at run time.
extension DatastoreObject {
  fileprivate func anyValue(at slot: Slot) -> Any? {
    let stored = value(at: slot)
    guard let attribute = entity.properties[slot].attribute else { return stored.key }
    return stored == .null
      ? nil : attribute.type.valueType.init(storedValue: stored).map(\.objectValue)
  }

  fileprivate func storedValue(_ value: Any?, at slot: Slot) -> Value {
    switch value {
    case nil: return .null
    case let key as RowKey: return .key(key)
    case let value as Value: return value
    case let value?:
      let attribute = entity.properties[slot].attribute
      let object = (value as? any AttributeValueType)?.objectValue ?? value
      guard let stored = attribute?.type.valueType.stored(object) else {
        trap("\(entity.name).\(entity.properties[slot].name) cannot hold \(value)")
      }
      return stored
    }
  }
}

extension AttributeValueType {
  /// A number in the class that casts to any type that holds it; other values unchanged.
  fileprivate var objectValue: Any {
    switch self {
    case let value as Bool: NSNumber(value: value)
    case let value as UInt64: NSNumber(value: value)
    case let value as any BinaryInteger: NSNumber(value: Int64(value))
    case let value as Double: NSNumber(value: value)
    case let value as Float: NSNumber(value: value)
    default: self
    }
  }

  fileprivate static func stored(_ value: Any) -> Value? { (value as? Self)?.storedValue }
}
