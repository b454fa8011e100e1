public import DatastoreCore
public import SwiftDatastore

/// An object of the old version of a file. It shadows that of SwiftDatastore.
public typealias UnsafeSourceObject = CustomSchemaMappingProvider.UnsafeSourceObject
/// An object of the new version of a file. It shadows that of SwiftDatastore.
public typealias UnsafeDestinationObject = CustomSchemaMappingProvider.UnsafeDestinationObject

extension CustomMapping {
  /// Creates an object of the new version from one of the old version, or skips it.
  public typealias Transformer =
    @Sendable (
      _ sourceObject: UnsafeSourceObject,
      _ createDestinationObject: () throws -> UnsafeDestinationObject
    ) throws -> Void

  /// Drops the objects of an old entity: `deleteEntity(_:)`.
  public static func deleteEntity(sourceEntity: String) -> CustomMapping {
    deleteEntity(sourceEntity)
  }

  /// A new entity that begins without objects.
  public static func insertEntity(destinationEntity: String) -> CustomMapping {
    insertEntity(destinationEntity) { _ in }
  }

  /// Turns the objects of an entity into those of a new one: `copyEntity(_:to:)`.
  public static func copyEntity(sourceEntity: String, destinationEntity: String) -> CustomMapping {
    copyEntity(sourceEntity, to: destinationEntity)
  }

  /// Calls a closure for each object of an old entity, which creates a new object from it, or skips it:
  /// `transformEntity(from:to:_:)`.
  public static func transformEntity(
    sourceEntity: String, destinationEntity: String, transformer: @escaping Transformer
  ) -> CustomMapping {
    transformEntity(from: sourceEntity, to: destinationEntity) { source, createDestination in
      try transformer(UnsafeSourceObject(object: source)) {
        UnsafeDestinationObject(object: try createDestination())
      }
    }
  }

  /// A transformer that gives the new object the values of the old one, property by property.
  public static func inferredTransformation(
    _ sourceObject: UnsafeSourceObject,
    _ createDestinationObject: () throws -> UnsafeDestinationObject
  ) throws {
    let destination = try createDestinationObject()
    destination.enumerateAttributes { attribute, sourceAttribute in
      if let sourceAttribute { destination[attribute] = sourceObject[sourceAttribute] }
    }
  }
}

extension CustomSchemaMappingProvider {
  /// One custom step of a migration.
  public typealias CustomMapping = SwiftDatastore::CustomMapping

  /// An object of the old version of a file that is migrated, read by names. Its values are Swift values; the
  /// `UnsafeSourceObject` of SwiftDatastore returns them as they are stored.
  public struct UnsafeSourceObject {
    let object: SwiftDatastore::UnsafeSourceObject

    /// The value of an attribute, or the key of a to-one destination: `sourceObject["age"] as? Int`. Nil if
    /// it is missing; traps for a name that the entity does not have.
    public subscript(attribute: KeyPathString) -> Any? { object.value(forKey: attribute) }

    /// The value of a property, given by its description.
    public subscript(attribute: PropertyDescription) -> Any? { self[attribute.name] }

    /// Calls a closure for each attribute and each to-one relationship.
    public func enumerateAttributes(
      _ closure: (_ attribute: PropertyDescription) throws -> Void
    ) rethrows { try object.properties.forEach(closure) }
  }

  /// An object of the new version of a file that is migrated, read and written by names.
  public struct UnsafeDestinationObject {
    let object: SwiftDatastore::UnsafeDestinationObject

    /// The value of an attribute, or the key of a to-one destination as the old object has it. Traps for a
    /// name that the entity does not have, and for a value that the property cannot hold.
    public subscript(attribute: KeyPathString) -> Any? {
      get { object.value(forKey: attribute) }
      nonmutating set { object.setValue(newValue, forKey: attribute) }
    }

    /// The value of a property, given by its description.
    public subscript(attribute: PropertyDescription) -> Any? {
      get { self[attribute.name] }
      nonmutating set { self[attribute.name] = newValue }
    }

    /// Calls a closure for each attribute and each to-one relationship, with its description in the old
    /// version, if any.
    public func enumerateAttributes(
      _ closure: (_ attribute: PropertyDescription, _ sourceAttribute: PropertyDescription?) throws
        -> Void
    ) rethrows { for (property, source) in object.properties { try closure(property, source) } }
  }
}
