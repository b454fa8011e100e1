public import SwiftDatastore

// CoreStore's names of types, which are other names for those of SwiftDatastore.

/// The name of an entity.
public typealias EntityName = String
/// The name of a class.
public typealias ClassName = String
/// The name of a version of a model.
public typealias ModelVersion = String
/// The name of a configuration; nil for the default one.
public typealias ModelConfiguration = String?

/// The base class of model objects.
public typealias CoreStoreObject = DatastoreObject
/// An object of the store, of any class.
public typealias NSManagedObject = DatastoreObject
/// The identifier of an object of the store.
public typealias NSManagedObjectID = DatastoreObjectID
/// The class of all objects. It shadows the `DynamicObject` of SwiftDatastore, which has no compiled class.
public typealias DynamicObject = DatastoreObject

extension DatastoreObject {
  /// The identifier of an object.
  public typealias ObjectID = DatastoreObjectID
}

/// A type of values that can be compared and selected.
public typealias QueryableAttributeType = AttributeValueType
/// A type of values that attributes have.
public typealias ImportableAttributeType = AttributeValueType
/// A value that can be selected.
public typealias SelectResultType = Any
/// A value that can be selected as a dictionary.
public typealias SelectAttributesResultType = Any
/// A type of to-one relationships.
public typealias FieldRelationshipToOneType = FieldRelationshipType
/// A type of to-many relationships.
public typealias FieldRelationshipToManyType = FieldRelationshipType
/// A type of to-many relationships with an order.
public typealias FieldRelationshipToManyOrderedType = FieldRelationshipType
/// A type of to-many relationships without an order.
public typealias FieldRelationshipToManyUnorderedType = FieldRelationshipType

/// The property at the end of a key path with a dollar sign.
public typealias AnyKeyPathStringConvertible = EntityProperty
/// The property at the end of a key path with a dollar sign.
public typealias KeyPathStringConvertible = EntityProperty
/// An attribute.
public typealias AttributeKeyPathStringConvertible = FetchableProperty
/// A relationship.
public typealias RelationshipKeyPathStringConvertible = RelationshipProperty
/// A relationship to many objects.
public typealias ToManyRelationshipKeyPathStringConvertible = ToManyProperty

extension EntityProperty {
  /// The type of its value.
  public typealias ReturnValueType = PropertyValue
}

extension QueryProperty {
  /// The type that it is compared with.
  public typealias DestinationValueType = KeyPathType
}

extension RelationshipProperty {
  /// The class of its destinations.
  public typealias DestinationValueType = Destination
}

/// A type whose values may be missing.
public protocol FieldOptionalType: ExpressibleByNilLiteral {
  /// The type of the values that are not missing.
  associatedtype Wrapped
}

extension Optional: FieldOptionalType {}

extension String {
  /// The names of a path: `String(keyPath: \Dog.$master ~ \.$name)`.
  public init<O, P>(keyPath: PropertyPath<O, P>) { self = keyPath.names.joined(separator: ".") }
}
