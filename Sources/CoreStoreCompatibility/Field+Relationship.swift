public import DatastoreCore
public import SwiftDatastore

/// A type that `@Field.Relationship` can have: `Person?`, `Set<Dog>` or `[Dog]`.
public protocol FieldRelationshipType {
  /// The type of `$property`.
  associatedtype FieldProperty: RelationshipProperty & AssignableProperty
  where FieldProperty.PropertyValue == Self
  /// Whether it leads to one object or to several.
  static var relationshipKind: RelationshipKind { get }
}

extension Optional: FieldRelationshipType where Wrapped: DatastoreObject {
  public typealias FieldProperty = Relationship.ToOne<Wrapped>.Property
  public static var relationshipKind: RelationshipKind { .toOne }
}

extension Set: FieldRelationshipType where Element: DatastoreObject {
  public typealias FieldProperty = Relationship.ToMany<Element>.Property
  public static var relationshipKind: RelationshipKind { .toMany }
}

extension Array: FieldRelationshipType where Element: DatastoreObject {
  public typealias FieldProperty = Relationship.ToMany<Element>.Ordered.Property
  public static var relationshipKind: RelationshipKind { .orderedToMany }
}

extension FieldContainer {
  /// A relationship: to one object if its type is optional, to any number for a set or, with an order, an
  /// array. Its inverse is named on one side.
  ///
  /// The same as `Relationship.ToOne`, `Relationship.ToMany` and `Relationship.ToMany.Ordered`.
  ///
  /// `keyPath` is the name of the property in the file and in texts, `previousVersionKeyPath` its name in an
  /// older version of the model; `versionHashModifier` is a text that makes it another version, if only its
  /// meaning has changed. `minCount` and `maxCount` are checked when an object is saved, the least number
  /// only if there is any object; 0 means no limit. `deleteRule` determines what happens to the other side
  /// when the object is deleted.
  public typealias Relationship<V: FieldRelationshipType> = Slotted<V, V.FieldProperty>
}

extension FieldRelationshipType {
  /// The class of its destinations.
  public typealias DestinationObjectType = FieldProperty.Destination
}

extension FieldRelationshipType where FieldProperty: SnapshotProperty {
  /// The type of its value in a snapshot.
  public typealias SnapshotValueType = FieldProperty.SnapshotValue
  /// The type of its value from a publisher.
  public typealias PublishedType = FieldProperty.SnapshotValue
}

extension FieldContainer.Slotted where V: FieldRelationshipType, Property == V.FieldProperty {
  /// What happens to the other side when an object is deleted.
  public typealias DeleteRule = SwiftDatastore::DeleteRule

  /// Without an inverse, or as the inverse that the other side names.
  public init(
    _ keyPath: String, minCount: Int = 0, maxCount: Int = 0, deleteRule: DeleteRule = .nullify,
    versionHashModifier: String? = nil, previousVersionKeyPath: String? = nil,
    affectedByKeyPaths: @autoclosure () -> Set<String> = []
  ) {
    number = Self.take(
      keyPath, minCount, maxCount, nil, deleteRule, versionHashModifier, previousVersionKeyPath)
  }

  /// With the relationship of the other class that leads back.
  public init<P: RelationshipProperty>(
    _ keyPath: String, minCount: Int = 0, maxCount: Int = 0,
    inverse: @autoclosure @escaping @Sendable () -> KeyPath<V.FieldProperty.Destination, P>,
    deleteRule: DeleteRule = .nullify, versionHashModifier: String? = nil,
    previousVersionKeyPath: String? = nil,
    affectedByKeyPaths: @autoclosure () -> Set<String> = []
  ) {
    number = Self.take(
      keyPath, minCount, maxCount, { O.slot(of: inverse()) }, deleteRule, versionHashModifier,
      previousVersionKeyPath)
  }

  private static func take(
    _ name: String, _ minimum: Int, _ maximum: Int, _ inverse: (@Sendable () -> Slot)?,
    _ deleteRule: DeleteRule, _ modifier: String?, _ formerName: String?
  ) -> Int16 {
    O.takeSlot(relationship: {
      RelationshipRecord(
        name: name, kind: V.relationshipKind, destination: V.FieldProperty.Destination.self,
        inverse: inverse, deleteRule: deleteRule, minimumCount: minimum, maximumCount: maximum,
        renamedFrom: formerName, storedName: nil, hashModifier: modifier)
    })
  }
}
