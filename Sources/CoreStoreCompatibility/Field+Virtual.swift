import Basics
import SwiftDatastore

extension FieldContainer {
  /// A value that is not stored: computed from the object each time it is read, or kept with it in memory.
  ///
  /// ```swift
  /// @Field.Virtual("plural", customGetter: { (object, field) in object.$species.value + "s" })
  /// var plural: String
  /// ```
  ///
  /// A getter may keep a computed value in `field.primitiveValue`, which lasts as long as the object is in
  /// memory; `Attribute.Virtual` keeps it by itself until the object changes.
  @propertyWrapper
  public struct Virtual<V> {
    /// The type of `$property`: its value. It cannot be used in queries and orders, as the store does not
    /// know it.
    public struct Property {
      let proxy: FieldProxy<V>
      /// The value.
      public var value: V { proxy.value }
    }

    /// The class of the objects.
    public typealias ObjectType = O
    /// The type of the property.
    public typealias ReturnValueType = V

    private let keyPath: String
    private var getter: Getter<V>?
    private var setter: Setter<V>?
    private var primitive: V?

    /// The getter makes the value, on the queue or actor of the object's context. The setter receives an
    /// assigned value; without a setter the value is kept. `affectedByKeyPaths` has no effect, as the getter
    /// runs each time.
    public init(
      _ keyPath: String, customGetter: @escaping Getter<V>, customSetter: Setter<V>? = nil,
      affectedByKeyPaths: @autoclosure () -> Set<String> = []
    ) {
      self.keyPath = keyPath
      getter = customGetter
      setter = customSetter
    }

    /// A value that is kept with the object in memory, and starts as this one.
    public init(
      wrappedValue initial: V, _ keyPath: String, versionHashModifier: String? = nil,
      customGetter: Getter<V>? = nil, customSetter: Setter<V>? = nil,
      affectedByKeyPaths: @autoclosure () -> Set<String> = []
    ) {
      self.keyPath = keyPath
      getter = customGetter
      setter = customSetter
      primitive = initial
    }

    /// A value that is kept with the object in memory, and starts as nil.
    public init(
      _ keyPath: String, customGetter: Getter<V>? = nil, customSetter: Setter<V>? = nil,
      affectedByKeyPaths: @autoclosure () -> Set<String> = []
    ) where V: ExpressibleByNilLiteral {
      self.init(
        wrappedValue: nil, keyPath, customGetter: customGetter, customSetter: customSetter)
    }

    @available(*, unavailable, message: "@Field.Virtual belongs in a CoreStoreObject")
    public var wrappedValue: V {
      get { fatalError() }
      // swift-format-ignore: UseSingleLinePropertyGetter
      set { fatalError() }
    }

    @available(*, unavailable, message: "@Field.Virtual belongs in a CoreStoreObject")
    public var projectedValue: Property { fatalError() }

    public static subscript(
      _enclosingInstance object: O, wrapped _: ReferenceWritableKeyPath<O, V>,
      storage storage: ReferenceWritableKeyPath<O, Virtual<V>>
    ) -> V {
      get { proxy(of: object, storage).value }
      set { proxy(of: object, storage).value = newValue }
    }

    public static subscript(
      _enclosingInstance object: O, projected _: KeyPath<O, Property>,
      storage storage: ReferenceWritableKeyPath<O, Virtual<V>>
    ) -> Property { Property(proxy: proxy(of: object, storage)) }

    private static func proxy(
      of object: O, _ storage: ReferenceWritableKeyPath<O, Virtual<V>>
    ) -> FieldProxy<V> {
      FieldProxy(
        read: { object[keyPath: storage].primitive },
        write: { object[keyPath: storage].primitive = $0 },
        get: {
          object.requireMemoryAccess()
          let field = object[keyPath: storage]
          if let getter = field.getter {
            return getter(ObjectProxy(object: object), proxy(of: object, storage))
          }
          guard let value = field.primitive else {
            trap("\(O.entityName).\(field.keyPath) was read before it was set")
          }
          return value
        },
        set: { value in
          object.requireMemoryAccess()
          guard let setter = object[keyPath: storage].setter else {
            return object[keyPath: storage].primitive = value
          }
          setter(ObjectProxy(object: object), proxy(of: object, storage), value)
        })
    }
  }
}
