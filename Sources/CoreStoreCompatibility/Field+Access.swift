import Basics
public import SwiftDatastore

/// The object that a custom getter or setter receives: its properties, each as a `FieldProxy`.
///
/// ```swift
/// @Field.Stored("title", customSetter: { (object, field, newValue) in field.primitiveValue = newValue.capitalized })
/// var title: String = ""
/// ```
@dynamicMemberLookup
public struct ObjectProxy<O: DatastoreObject> {
  let object: O

  /// A stored or coded property: `object.$species`.
  public subscript<P: AssignableProperty>(
    dynamicMember keyPath: KeyPath<O, P>
  ) -> FieldProxy<P.PropertyValue> {
    let slot = object[keyPath: keyPath].slot
    return FieldAccess<O, P.PropertyValue>.proxy(P.self, of: object, at: slot)
  }

  /// A property that is not stored.
  public subscript<Owner, V>(
    dynamicMember keyPath: KeyPath<O, FieldContainer<Owner>.Virtual<V>.Property>
  ) -> FieldProxy<V> { object[keyPath: keyPath].proxy }

  /// One property of the object.
  public typealias FieldProxy<V> = CoreStoreCompatibility::FieldProxy<V>
}

/// One property of the object that a custom getter or setter receives.
public struct FieldProxy<V> {
  let read: () -> V?
  let write: (V?) -> Void
  let get: () -> V
  let set: (V) -> Void

  /// The value that the object stores for the property, bypassing its getter and setter; nil if it is
  /// missing.
  public var primitiveValue: V? {
    get { read() }
    nonmutating set { write(newValue) }
  }

  /// The value, through its getter and setter.
  public var value: V {
    get { get() }
    nonmutating set { set(newValue) }
  }
}

extension FieldContainer {
  /// Returns the value of a property, on the queue or actor of the object's context.
  public typealias Getter<V> = @Sendable (ObjectProxy<O>, FieldProxy<V>) -> V
  /// Receives an assigned value.
  public typealias Setter<V> = @Sendable (ObjectProxy<O>, FieldProxy<V>, V) -> Void
}

/// The getter and setter of a stored property, as its class records them.
struct FieldAccess<O: DatastoreObject, V>: Sendable {
  let getter: FieldContainer<O>.Getter<V>?
  let setter: FieldContainer<O>.Setter<V>?

  static func of(_ type: DatastoreObject.Type, _ slot: Slot) -> FieldAccess? {
    type.recordedAccess(at: slot) as? FieldAccess
  }

  static func proxy<P: AssignableProperty>(
    _: P.Type, of object: O, at slot: Slot
  ) -> FieldProxy<V> where P.PropertyValue == V {
    FieldProxy(
      read: { object.value(at: slot).isNull ? nil : P(object: object, slot: slot).value },
      write: { value in
        guard let value else { return object.writeAttribute(.null, slot) }
        P.assign(value, to: object, at: slot)
      },
      get: { Self.get(P.self, object, slot) },
      set: { Self.set(P.self, object, slot, $0) })
  }

  static func get<P: AssignableProperty>(
    _: P.Type, _ object: O, _ slot: Slot
  ) -> V where P.PropertyValue == V {
    object.requireMemoryAccess()
    guard let getter = of(type(of: object), slot)?.getter else {
      return P(object: object, slot: slot).value
    }
    return getter(ObjectProxy(object: object), proxy(P.self, of: object, at: slot))
  }

  static func set<P: AssignableProperty>(
    _: P.Type, _ object: O, _ slot: Slot, _ value: V
  ) where P.PropertyValue == V {
    object.requireMemoryAccess()
    guard let setter = of(type(of: object), slot)?.setter else {
      return P.assign(value, to: object, at: slot)
    }
    setter(ObjectProxy(object: object), proxy(P.self, of: object, at: slot), value)
  }
}

/// An object whose properties closures name: `partialObject().value(for: { $0.$name })`.
public typealias PartialObject<O: DatastoreObject> = ObjectProxy<O>

extension ObjectProxy {
  /// The object.
  public func completeObject() -> O { object }

  /// A value, through its getter.
  public func value<V>(for property: (Self) -> FieldProxy<V>) -> V { property(self).value }

  /// Sets a value, through its setter.
  public func setValue<V>(_ value: V, for property: (Self) -> FieldProxy<V>) {
    property(self).value = value
  }

  /// The value that the object stores for a property; nil before it was set.
  public func primitiveValue<V>(for property: (Self) -> FieldProxy<V>) -> V? {
    property(self).primitiveValue
  }

  /// Sets the value that the object stores for a property.
  public func setPrimitiveValue<V>(_ value: V, for property: (Self) -> FieldProxy<V>) {
    property(self).primitiveValue = value
  }
}

extension FieldOwner where Self: DatastoreObject {
  /// The object as a getter receives it.
  public func partialObject() -> PartialObject<Self> { ObjectProxy(object: self) }
}
