import Basics
public import DatastoreCore

/// An object of the old version of a store that is being migrated, read by names. Traps for names that it does not
/// have. Belongs to the call of the closure that it is given to.
public struct UnsafeSourceObject {
  let object: DatastoreObject

  init(_ object: DatastoreObject) { self.object = object }

  /// The name of its entity.
  public var entityName: String { object.entity.name }
  /// The key of its row.
  public var key: RowKey { object.key }

  /// The value of an attribute as it is stored, or the key of a to-one destination.
  public subscript(name: String) -> Value { object.value(at: object.slot(of: name)) }

  /// The destination of a to-one relationship.
  public func object(_ name: String) -> UnsafeSourceObject? {
    (object.readableRelated(at: object.slot(of: name)) as? DatastoreObject).map(Self.init)
  }

  /// The members of a to-many relationship; in order, if it is ordered.
  public func objects(_ name: String) -> [UnsafeSourceObject] {
    object.readableRelatedObjects(at: object.slot(of: name))
      .compactMap { ($0 as? DatastoreObject).map(Self.init) }
  }

  /// Calls the closure with each attribute and each to-one relationship.
  public func forEachProperty(_ body: (_ property: String) throws -> Void) rethrows {
    for property in object.entity.properties where !(property.relationship?.kind.isToMany ?? false)
    {
      try body(property.name)
    }
  }
}

/// An object of the new version of a store that is being migrated, read and written by names. Traps for names that it
/// does not have. Belongs to the call of the closure in which it was made.
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

  /// The value of an attribute as it is stored. Of a to-one relationship: the key of the **old** object that it led to,
  /// as the source has it; it is set to what that has become.
  ///
  /// Traps for a to-many relationship; those are kept by themselves, or set with `set(_:for:)`.
  public subscript(name: String) -> Value {
    get { object.value(at: object.slot(of: name)) }
    nonmutating set {
      let slot = object.slot(of: name)
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

  /// Sets a to-one relationship to another new object.
  public func set(_ other: UnsafeDestinationObject?, for name: String) {
    object.setRelated(other?.object, at: object.slot(of: name))
  }

  /// Sets a to-many relationship to other new objects.
  public func set(_ others: [UnsafeDestinationObject], for name: String) {
    object.setRelated(others.map(\.object), at: object.slot(of: name))
  }

  /// Makes one more object, of any entity of the new version.
  ///
  /// - Throws: `UnknownEntityError`, `AbstractEntityError`.
  public func create(_ entityName: String) throws -> UnsafeDestinationObject {
    let core = maker.context.core
    return UnsafeDestinationObject(try core.create(core.entity(named: entityName)), maker)
  }

  /// Calls the closure with each attribute and each to-one relationship, and with the property of the old version that
  /// it was, if any.
  public func forEachProperty(
    _ body: (_ property: String, _ sourceProperty: String?) throws -> Void
  ) rethrows {
    let difference = maker.stage.difference
    let entity = difference.new.entities[object.entity.index]
    let former = difference.former(entity)
    for (slot, property) in zip(entity.slots, entity.properties)
    where !(property.relationship?.kind.isToMany ?? false) {
      let source = difference.formerSlots[entity.index][slot].flatMap {
        former?.properties[$0].name
      }
      try body(property.name, source)
    }
  }
}

extension MigrationStage {
  /// What is added to the keys of the old objects that a relationship led to, which leads to a new entity now.
  fileprivate func offset(to destination: Entity) -> Int64 {
    let entity = difference.new.entities[destination.index]
    guard let former = difference.former(entity) else { return 0 }
    return offset(from: former.index, to: entity.index)
  }
}

extension DatastoreObject {
  /// Traps where there is none.
  fileprivate func slot(of name: String) -> Slot {
    guard let slot = entity.slot(named: name) else {
      trap(
        "\(entity.name) has no property “\(name)”; it has "
          + entity.properties.map(\.name).joined(separator: ", "))
    }
    return slot
  }
}
