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
/// `$property` has the same types as with the wrappers of SwiftDatastore, so conditions, orders, snapshots
/// and observers make no difference. The text in front is the name of the property everywhere outside Swift.
public enum FieldContainer<O: DatastoreObject> {
  /// The wrapper of `@Field.Stored`, `@Field.Coded` and `@Field.Relationship`: the number of a property in
  /// its class.
  @propertyWrapper
  public struct Slotted<V, Property: AssignableProperty>: SlottedWrapper
  where Property.PropertyValue == V {
    /// Returns the value of the property, on the queue or actor of the object's context.
    public typealias Getter = FieldContainer.Getter<V>
    /// Receives an assigned value.
    public typealias Setter = FieldContainer.Setter<V>
    /// The class of the objects.
    public typealias ObjectType = O
    /// The type of the property.
    public typealias ReturnValueType = V

    /// The number of the property in its class; its complement if it has a custom getter or setter.
    @usableFromInline let number: Int16

    @usableFromInline package var slot: Int16 { number < 0 ? ~number : number }

    @available(*, unavailable, message: "@Field belongs in a CoreStoreObject")
    public var wrappedValue: V {
      get { fatalError() }
      // swift-format-ignore: UseSingleLinePropertyGetter
      set { fatalError() }
    }

    @available(*, unavailable, message: "@Field belongs in a CoreStoreObject")
    public var projectedValue: Property { fatalError() }

    @inlinable
    public static subscript(
      _enclosingInstance object: O, wrapped _: ReferenceWritableKeyPath<O, V>,
      storage storage: ReferenceWritableKeyPath<O, Self>
    ) -> V {
      get {
        let number = object[keyPath: storage].number
        if number < 0 { return getCustom(object, Slot(~number)) }
        return Property(object: object, slot: Slot(number)).value
      }
      set {
        let number = object[keyPath: storage].number
        if number < 0 { return setCustom(object, Slot(~number), newValue) }
        Property.assign(newValue, to: object, at: Slot(number))
      }
    }

    @usableFromInline
    static func getCustom(_ object: O, _ slot: Slot) -> V {
      FieldAccess.get(Property.self, object, slot)
    }

    @usableFromInline
    static func setCustom(_ object: O, _ slot: Slot, _ value: V) {
      FieldAccess.set(Property.self, object, slot, value)
    }

    @inlinable
    public static subscript(
      _enclosingInstance object: O, projected _: KeyPath<O, Property>,
      storage storage: ReferenceWritableKeyPath<O, Self>
    ) -> Property { Property(object: object, slot: Slot(object[keyPath: storage].slot)) }
  }
}

/// A class whose properties are declared with `@Field`: every `CoreStoreObject`.
public protocol FieldOwner: AnyObject {}

extension DatastoreObject: FieldOwner {}

extension FieldOwner where Self: DatastoreObject {
  /// The property wrappers of the class.
  public typealias Field = FieldContainer<Self>
}

extension String {
  /// The name of a property, with those of the relationships before it: `String(keyPath: \Dog.$nickname)`.
  public init<O: DatastoreObject, P: EntityProperty>(keyPath: KeyPath<O, P>) {
    self = PropertyPath(keyPath).names.joined(separator: ".")
  }
}
