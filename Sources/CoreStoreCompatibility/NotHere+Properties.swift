// What CoreStore's properties and queries have that needs Core Data or the Objective-C runtime: the compiler says what to use.

public import SwiftDatastore

/// Properties before `@Field`.
@available(*, unavailable, message: "Use @Field.Stored, or @Field.Virtual for a transient value")
public enum ValueContainer<O: DatastoreObject> {}

@available(*, unavailable, message: "Use @Field.Relationship")
public enum RelationshipContainer<O: DatastoreObject> {}

@available(*, unavailable, message: "Use @Field.Coded")
public enum TransformableContainer<O: DatastoreObject> {}

extension Relationship {
  @available(*, unavailable, message: "Use @Field.Relationship with an array")
  public enum ToManyOrdered<V> {}

  @available(*, unavailable, message: "Use @Field.Relationship with a set")
  public enum ToManyUnordered<V> {}
}

infix operator .= : AssignmentPrecedence

@available(*, unavailable, message: "Assign the property itself: person.name = \"Ann\"")
public func .= <Property, Value>(property: Property, value: Value) {}

@available(*, unavailable, message: "Compare the property itself: person.name == \"Ann\"")
@_disfavoredOverload
public func .== <Property, Value>(property: Property, value: Value) -> Bool { false }

extension Where {
  @available(*, unavailable, message: "A path through relationships is a PropertyPath")
  public enum Expression<Target, V> {}

  @available(*, unavailable, message: "A path through relationships is a PropertyPath")
  public enum SingleTarget {}

  @available(*, unavailable, message: "A path through relationships is a PropertyPath")
  public enum CollectionTarget {}
}

@available(*, unavailable, message: "A path through relationships is a PropertyPath")
public protocol WhereExpressionTrait {}

@available(
  *, unavailable, message: "There is no Objective-C runtime; values are AttributeValueType"
)
public protocol CoreDataNativeType {}

@available(*, unavailable, message: "There is no Objective-C runtime; use EntityProperty")
public protocol AllowedObjectiveCKeyPathValue {}

@available(*, unavailable, message: "There is no Objective-C runtime; use EntityProperty")
public protocol AllowedOptionalObjectiveCKeyPathValue {}

@available(*, unavailable, message: "There is no Objective-C runtime; use FetchableProperty")
public protocol AllowedObjectiveCAttributeKeyPathValue {}

@available(*, unavailable, message: "There is no Objective-C runtime; use RelationshipProperty")
public protocol AllowedObjectiveCRelationshipKeyPathValue {}

@available(*, unavailable, message: "There is no Objective-C runtime; use ToManyProperty")
public protocol AllowedObjectiveCToManyRelationshipKeyPathValue {}

@available(
  *, unavailable, message: "There is no Objective-C runtime; use Codable and FieldCoders.Json"
)
public protocol DefaultNSSecureCodable {}
