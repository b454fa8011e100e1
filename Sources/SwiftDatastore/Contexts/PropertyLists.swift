import Basics
import DatastoreCore

/// One property that `fetch(_:properties:)` reads: `PropertyToFetch(\.$salary)`.
public struct PropertyToFetch<T: DatastoreObject>: Sendable {
  /// The name of the property as in a path: `tasks.@count`.
  package let name: String
  package let operand: Predicate.Operand
  /// Converts a stored value to the property's type; nil when it is missing or of another type.
  package let typed: @Sendable (Value) -> Any?

  /// Any attribute; relationships cannot be read this way.
  public init<P: FetchableProperty>(_ keyPath: any KeyPath<T, P> & Sendable) {
    operand = PropertyPath(keyPath).operand
    name = operand.propertyName
    typed = { P.FetchedValue(storedValue: $0) }
  }

  /// A coded attribute, read as its type; a stored value that cannot be decoded reads as missing.
  public init<C>(_ keyPath: any KeyPath<T, Attribute.Coded<C>.Property> & Sendable) {
    self.init(coded: keyPath, by: { Attribute.Coded<C>.coder(in: T.self, $0) })
  }

  /// A coded attribute that always has a value; a stored value that cannot be decoded reads as missing.
  public init<C>(
    _ keyPath: any KeyPath<T, Attribute.Coded<C>.NotOptional.Property> & Sendable
  ) {
    self.init(coded: keyPath, by: { Attribute.Coded<C>.coder(in: T.self, $0) })
  }

  private init<P: EntityProperty, C>(
    coded keyPath: any KeyPath<T, P> & Sendable, by coder: (Slot) -> AttributeCoder<C>
  ) {
    operand = PropertyPath(keyPath).operand
    name = operand.propertyName
    let coder = coder(ClassReflection.of(T.self).slot(of: keyPath))
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
    trap("a virtual attribute is not stored")
  }
}

/// One property with a value: `PropertyToUpdate(\.$age, 3)`, `PropertyToUpdate(\.$phone, nil)`.
public struct PropertyToUpdate<T: DatastoreObject>: Sendable {
  let slot: Slot
  let value: Value

  /// Attributes, enums and to-one relationships (to saved objects). nil removes the value.
  public init<P: ComparableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable, _ value: P.KeyPathType?
  ) {
    slot = ClassReflection.of(T.self).slot(of: keyPath)
    let slot = slot
    self.value = value.map { P.storedValue(of: $0, in: T.self, at: slot) } ?? .null
  }
}

extension Predicate.Operand {
  /// The name of a property of the class itself, without the quotes that some names need in text.
  var propertyName: String {
    if case .keyPath(let path) = self { path.joined(separator: ".") } else { description }
  }
}
