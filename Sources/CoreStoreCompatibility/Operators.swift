public import SwiftDatastore

// Values that CoreStore compares relationships and properties with, besides objects and arrays.

/// The relationship leads to the object with an identifier.
public func == <T, R: RelationshipProperty>(
  keyPath: any KeyPath<T, R> & Sendable, id: DatastoreObjectID
) -> Where<T> { Where(keyPath, isEqualTo: id) }

/// The relationship does not lead to the object with an identifier.
public func != <T, R: RelationshipProperty>(
  keyPath: any KeyPath<T, R> & Sendable, id: DatastoreObjectID
) -> Where<T> { !(keyPath == id) }

/// The relationship leads to the object of a snapshot or publisher; to none for nil.
public func == <T, R: RelationshipProperty, O: ObjectRepresentation>(
  keyPath: any KeyPath<T, R> & Sendable, object: O?
) -> Where<T> where O.ObjectType == R.Destination {
  Where(String(keyPath: keyPath), isEqualTo: object?.objectID)
}

/// The relationship does not lead to the object of a snapshot or publisher; for nil, it leads to any.
public func != <T, R: RelationshipProperty, O: ObjectRepresentation>(
  keyPath: any KeyPath<T, R> & Sendable, object: O?
) -> Where<T> where O.ObjectType == R.Destination { !(keyPath == object) }

/// The relationship leads to one of the objects with these identifiers.
public func ~= <T, R: RelationshipProperty>(
  ids: some Sequence<DatastoreObjectID>, keyPath: any KeyPath<T, R> & Sendable
) -> Where<T> { Where(keyPath, isMemberOf: ids) }

/// The value is one of a sequence: `Set([20, 30]) ~= \.$age`.
@_disfavoredOverload public func ~= <T, P: EntityProperty & QueryProperty>(
  values: some Sequence<P.KeyPathType>, keyPath: any KeyPath<T, P> & Sendable
) -> Where<T> { Array(values) ~= keyPath }

extension KeyPath where Root: DatastoreObject, Value: ToManyProperty {
  /// The number of objects: `(\Person.$pets).count() > 3`.
  public func count() -> PropertyPath<Root, RelationshipCount> {
    PropertyPath(appending(path: \.count))
  }
}

extension PropertyPath where P: ToManyProperty {
  /// The number of objects: `count`.
  public func count() -> PropertyPath<T, RelationshipCount> { count }
}

/// CoreStore's names for quantifiers of a path through to-many relationships.
extension PropertyPath where P: ComparableProperty {
  /// The condition holds for at least one object: `any`.
  public func any() -> PropertyPath { any }
  /// The condition holds for every object: `all`.
  public func all() -> PropertyPath { all }
  /// The condition holds for no object: `none`.
  public func none() -> PropertyPath { none }
}
