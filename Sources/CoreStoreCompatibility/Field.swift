public import SwiftDatastore

/// The property wrappers of a class, under the name `Field` inside it.
///
/// ```swift
/// class Person: CoreStoreObject {
///   @Field.Stored("name") var name: String = ""
///   @Field.Relationship("pets", inverse: \Dog.$master) var pets: Set<Dog>
/// }
/// ```
///
/// What `$property` gives is what the wrappers of SwiftDatastore give, so that conditions, orders, snapshots and
/// observers know no difference. The text in front is the name of the property everywhere outside of Swift.
public enum FieldContainer<O: DatastoreObject> {}

/// A class whose properties are declared with `@Field`: every `CoreStoreObject`.
public protocol FieldOwner: AnyObject {}

extension DatastoreObject: FieldOwner {}

extension FieldOwner where Self: DatastoreObject {
  /// The property wrappers of the class.
  public typealias Field = FieldContainer<Self>
}

extension String {
  /// The name of a property, with those of the relationships before it: `String(keyPath: \Dog.$nickname)`.
  ///
  /// - Parameter keyPath: the property.
  public init<O: DatastoreObject, P: EntityProperty>(keyPath: KeyPath<O, P>) {
    self = PropertyPath(keyPath).names.joined(separator: ".")
  }
}
