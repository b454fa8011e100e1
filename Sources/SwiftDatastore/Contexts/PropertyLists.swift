import DatastoreCore

/// An attribute whose stored values can be read without objects.
public protocol FetchableProperty: EntityProperty {
  /// What a value is read as; the raw value of an enum.
  associatedtype FetchedValue: AttributeValueType
}

extension Attribute.NotOptional.Property: FetchableProperty {
  public typealias FetchedValue = T
}

extension Attribute.Optional.Property: FetchableProperty {
  public typealias FetchedValue = T
}

extension Attribute.Enum.Property: FetchableProperty {
  public typealias FetchedValue = T.RawValue
}

/// One property that `fetch(_:properties:)` reads: `PropertyToFetch(\.$salary)`.
public struct PropertyToFetch<T: DatastoreObject>: Sendable {
  let name: String
  /// The typed value of a stored one; nil when it is missing or of another type.
  let typed: @Sendable (Value) -> Any?

  /// Any attribute; relationships cannot be read this way.
  public init<P: FetchableProperty>(_ keyPath: any KeyPath<T, P> & Sendable) {
    name = ClassReflection.of(T.self).name(of: keyPath)
    typed = { P.FetchedValue(storedValue: $0) }
  }

  /// A coded attribute, read as its type; a stored value that cannot be decoded reads as missing.
  public init<C>(_ keyPath: any KeyPath<T, Attribute.Coded<C>.Property> & Sendable) {
    let reflection = ClassReflection.of(T.self)
    name = reflection.name(of: keyPath)
    let coder = Attribute.Coded<C>.coder(in: T.self, reflection.slot(of: keyPath))
    typed = { value in
      guard case .blob(let data) = value else { return nil }
      return try? coder.decode(data)
    }
  }

  @available(
    *, unavailable,
    message: "a virtual attribute is not stored: fetch objects, and read it from them"
  )
  public init<V>(_ keyPath: any KeyPath<T, Attribute.Virtual<V>.Property> & Sendable) {
    fatalError("a virtual attribute is not stored")
  }
}

/// One property with a value: `PropertyToUpdate(\.$age, 3)`, `PropertyToUpdate(\.$phone, nil)`.
public struct PropertyToUpdate<T: DatastoreObject>: Sendable {
  let slot: Slot
  let value: Value

  /// Attributes, enums and to-one relationships (to objects that are saved). nil removes the value.
  public init<P: ComparableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable, _ value: P.KeyPathType?
  ) {
    slot = ClassReflection.of(T.self).slot(of: keyPath)
    let slot = slot
    self.value = value.map { P.storedValue(of: $0, in: T.self, at: slot) } ?? .null
  }
}
