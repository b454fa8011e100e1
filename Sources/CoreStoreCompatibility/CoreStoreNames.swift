public import SwiftDatastore

// CoreStore's names of types, which are other words for what SwiftDatastore has.

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
/// An object of the store, of whatever class.
public typealias NSManagedObject = DatastoreObject
/// What identifies an object of the store.
public typealias NSManagedObjectID = DatastoreObjectID
/// The class of all objects. It shadows the `DynamicObject` of SwiftDatastore, which has no compiled
/// class.
public typealias DynamicObject = DatastoreObject

extension DatastoreObject {
  /// What identifies an object.
  public typealias ObjectID = DatastoreObjectID
}

/// A type of values that can be compared and selected.
public typealias QueryableAttributeType = AttributeValueType
/// A type of values that attributes have.
public typealias ImportableAttributeType = AttributeValueType
/// What can be selected.
public typealias SelectResultType = Any
/// What can be selected as a dictionary.
public typealias SelectAttributesResultType = Any
/// A type of to-one relationships.
public typealias FieldRelationshipToOneType = FieldRelationshipType
/// A type of to-many relationships.
public typealias FieldRelationshipToManyType = FieldRelationshipType
/// A type of to-many relationships with an order.
public typealias FieldRelationshipToManyOrderedType = FieldRelationshipType
/// A type of to-many relationships without an order.
public typealias FieldRelationshipToManyUnorderedType = FieldRelationshipType

/// What a key path with a dollar sign leads to.
public typealias AnyKeyPathStringConvertible = EntityProperty
/// What a key path with a dollar sign leads to.
public typealias KeyPathStringConvertible = EntityProperty
/// An attribute.
public typealias AttributeKeyPathStringConvertible = FetchableProperty
/// A relationship.
public typealias RelationshipKeyPathStringConvertible = RelationshipProperty
/// A relationship to many objects.
public typealias ToManyRelationshipKeyPathStringConvertible = ToManyProperty

extension EntityProperty {
  /// What it reads as.
  public typealias ReturnValueType = PropertyValue
}

extension QueryProperty {
  /// What it is compared with.
  public typealias DestinationValueType = KeyPathType
}

extension RelationshipProperty {
  /// The class of the objects that it leads to.
  public typealias DestinationValueType = Destination
}

/// A type whose values may be missing.
public protocol FieldOptionalType: ExpressibleByNilLiteral {
  /// The type of the values that are there.
  associatedtype Wrapped
}

extension Optional: FieldOptionalType {}

extension String {
  /// The names of a path: `String(keyPath: \Dog.$master ~ \.$name)`.
  public init<O, P>(keyPath: PropertyPath<O, P>) { self = keyPath.names.joined(separator: ".") }
}
