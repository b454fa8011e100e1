import Basics
public import SwiftDatastore

/// The object that a custom getter or setter is given.
public typealias ObjectProxy<O: DatastoreObject> = O

/// The property that a custom getter or setter is given.
public struct FieldProxy<V> {
  fileprivate let read: () -> V?
  fileprivate let write: (V?) -> Void

  /// What the object keeps for the property, without its getter and setter; nil before it was set.
  public var primitiveValue: V? {
    get { read() }
    nonmutating set { write(newValue) }
  }
}

extension FieldContainer {
  /// A value that is not stored: computed from the object each time it is read, or kept with it in memory.
  ///
  /// ```swift
  /// @Field.Virtual("plural", customGetter: { (object, field) in object.$species.value + "s" })
  /// var plural: String
  /// ```
  ///
  /// What a getter computes it may keep in `field.primitiveValue`, which is there as long as the object is in memory;
  /// `Attribute.Virtual` keeps it by itself until the object changes.
  @propertyWrapper
  public struct Virtual<V> {
    /// What `$property` gives: its value. It cannot be queried or sorted by, as the store does not know it.
    public struct Property { public let value: V }

    private let keyPath: String
    private var getter: ((ObjectProxy<O>, FieldProxy<V>) -> V)?
    private var setter: ((ObjectProxy<O>, FieldProxy<V>, V) -> Void)?
    private var primitive: V?

    /// The getter makes the value, on the queue or actor of the object's context. The setter is given a value that is assigned;
    /// it is kept without one.
    public init(
      _ keyPath: String, customGetter: @escaping (ObjectProxy<O>, FieldProxy<V>) -> V,
      customSetter: ((ObjectProxy<O>, FieldProxy<V>, V) -> Void)? = nil
    ) {
      self.keyPath = keyPath
      getter = customGetter
      setter = customSetter
    }

    /// A value that starts as nil, and is kept with the object in memory.
    public init(_ keyPath: String) where V: ExpressibleByNilLiteral {
      self.keyPath = keyPath
      primitive = .some(nil)
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
      get { value(of: object, storage) }
      set {
        object.requireMemoryAccess()
        if let setter = object[keyPath: storage].setter {
          setter(object, proxy(of: object, storage), newValue)
        } else {
          object[keyPath: storage].primitive = newValue
        }
      }
    }

    public static subscript(
      _enclosingInstance object: O, projected _: KeyPath<O, Property>,
      storage storage: ReferenceWritableKeyPath<O, Virtual<V>>
    ) -> Property { Property(value: value(of: object, storage)) }

    private static func value(
      of object: O, _ storage: ReferenceWritableKeyPath<O, Virtual<V>>
    ) -> V {
      object.requireMemoryAccess()
      let field = object[keyPath: storage]
      if let getter = field.getter { return getter(object, proxy(of: object, storage)) }
      guard let value = field.primitive else {
        trap("\(O.entityName).\(field.keyPath) was read before it was set")
      }
      return value
    }

    private static func proxy(
      of object: O, _ storage: ReferenceWritableKeyPath<O, Virtual<V>>
    ) -> FieldProxy<V> {
      FieldProxy(
        read: { object[keyPath: storage].primitive },
        write: { object[keyPath: storage].primitive = $0 })
    }
  }
}
