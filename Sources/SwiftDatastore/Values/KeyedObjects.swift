import DatastoreCore

extension KeyedDatastoreValue {
  public static var keyName: String {
    let reflection = ClassReflection.of(Object.self)
    return reflection.names[reflection.slot(of: keyProperty)]
  }

  public var storedKey: Value { KeyProperty.storedValue(of: key) }
}

extension NameKeyedDatastoreValue {
  static func objects(in core: ContextCore) throws -> KeyedObjects {
    let entity = try entity(in: core)
    guard let slot = entity.slot(named: keyName), entity.properties[slot].attribute != nil else {
      throw DatastoreValueError.unknownProperty(
        value: "\(Self.self)", property: keyName, entity: entity.name)
    }
    return KeyedObjects(core.graph, entity, slot)
  }
}

extension DatastoreValue {
  /// The entity of the objects: by their class, or by name if any class is allowed.
  static func entity(in core: ContextCore) throws -> Entity {
    Object.self == DynamicObject.self || Object.self == DatastoreObject.self
      ? try core.entity(named: entityName) : try core.entity(of: Object.self)
  }
}

/// The objects that values are tied to by their keys, stored and staged.
struct KeyedObjects {
  /// The number of keys that are looked up with one query.
  private static let queryLength = 10_000

  private let graph: ObjectGraph
  private let entity: Entity
  private let slot: Slot
  /// The objects looked up so far; nil for keys without a row.
  private var stored: [Value: ManagedObject?] = [:]

  init(_ graph: ObjectGraph, _ entity: Entity, _ slot: Slot) {
    self.graph = graph
    self.entity = entity
    self.slot = slot
  }

  /// Reads the objects with the given keys from the store. Of several with one key, the first counts.
  mutating func lookUp(_ keys: [Value]) throws {
    var keys = keys[...]
    while !keys.isEmpty {
      let some = Array(keys.prefix(Self.queryLength))
      keys = keys.dropFirst(Self.queryLength)
      for key in some { stored[key] = .some(nil) }
      for object in try graph.storedObjects(of: entity, holding: some, at: slot) {
        let key = object.committedValue(at: slot)
        if let known = stored[key], known != nil { continue }
        stored[key] = object
      }
    }
  }

  /// The object with a key: a stored one that still has it, or one that is staged.
  mutating func object(with key: Value) throws -> ManagedObject? {
    if stored[key] == nil { try lookUp([key]) }
    if let known = stored[key], let object = known, !object.isKnownDeleted,
      object.value(at: slot) == key
    {
      return object
    }
    return graph.stagedObjects(of: entity, holding: key, at: slot).first
  }

  /// Sets the key of a new object.
  func set(_ key: Value, of object: ManagedObject) { object.setValue(key, at: slot) }
}
