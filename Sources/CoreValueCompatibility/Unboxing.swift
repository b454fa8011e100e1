public import SwiftDatastore

/// A type that can be read from a property of an object: values of attributes, enums with raw values,
/// structs, and identifiers.
public protocol Unboxing {
  /// The type that is created from a value.
  associatedtype StructureType = Self
  /// The value of a property.
  ///
  /// - Parameters:
  ///   - object: the object.
  ///   - key: the name of the property; of an identifier also `objectID`.
  /// - Throws: `DatastoreValueError` if the property is missing, unknown or of another kind.
  static func unbox(_ object: NSManagedObject, _ key: String) throws -> Self

  /// The value of a property that may be missing.
  ///
  /// - Parameters:
  ///   - object: the object.
  ///   - key: the name of the property.
  /// - Throws: `DatastoreValueError` if the property is unknown or of another kind.
  static func unboxIfPresent(_ object: NSManagedObject, _ key: String) throws -> Self?

  /// Converts a value that an object holds: `String.unbox(object.value(forKey: "name")!)`.
  ///
  /// - Parameter value: a value of an attribute, or an object.
  /// - Throws: `CVManagedStructError.structValueError` for a value of another kind; the errors of creating a
  ///   struct.
  static func unbox(_ value: Any) throws -> Self
}

extension Unboxing {
  /// The implementation for a type that only has `unbox(_:)`.
  public static func unbox(_ object: NSManagedObject, _ key: String) throws -> Self {
    guard !(try ValueReading(object).isMissing(PropertyKey(stringValue: key))),
      let value = object.value(forKey: key)
    else {
      throw DatastoreValueError.missing(
        value: "\(Self.self)", property: key, entity: object.entity.name)
    }
    return try unbox(value)
  }

  public static func unboxIfPresent(_ object: NSManagedObject, _ key: String) throws -> Self? {
    try ValueReading(object).isMissing(PropertyKey(stringValue: key)) ? nil : unbox(object, key)
  }
}

extension Unboxing where Self: AttributeValueType {
  public static func unbox(_ object: NSManagedObject, _ key: String) throws -> Self {
    try ValueReading(object).attribute(Self.self, PropertyKey(stringValue: key))
  }
}

/// The value of an attribute as its type.
private func attribute<A: AttributeValueType>(_ value: Any) throws -> A {
  guard let stored = (value as? any AttributeValueType)?.storedValue,
    let own = A(storedValue: stored)
  else { throw CVManagedStructError.structValueError(message: "\(value) is no \(A.self).") }
  return own
}

extension Unboxing where Self: AttributeValueType {
  public static func unbox(_ value: Any) throws -> Self { try attribute(value) }
}

extension Unboxing where Self: RawRepresentable, RawValue: AttributeValueType {
  public static func unbox(_ value: Any) throws -> Self {
    let raw: RawValue = try attribute(value)
    guard let value = Self(rawValue: raw) else {
      throw CVManagedStructError.structValueError(message: "\(raw) is no \(Self.self).")
    }
    return value
  }
}

extension Unboxing where Self: UnboxingStruct {
  public static func unbox(_ value: Any) throws -> Self {
    guard let object = value as? NSManagedObject else {
      throw CVManagedStructError.structValueError(
        message: "\(value) is not an object of a \(Self.self).")
    }
    return try fromObject(object)
  }
}

extension Unboxing where Self: RawRepresentable, RawValue: AttributeValueType {
  public static func unbox(_ object: NSManagedObject, _ key: String) throws -> Self {
    let raw = try ValueReading(object).attribute(RawValue.self, PropertyKey(stringValue: key))
    guard let value = Self(rawValue: raw) else {
      throw DatastoreValueError.mismatch(
        value: "\(Self.self)", property: key, entity: object.entity.name,
        reason: "it holds \(raw), which is no \(Self.self)")
    }
    return value
  }
}

extension DatastoreObjectID: Boxing, Unboxing {
  public static func unbox(_ value: Any) throws -> Self {
    if let id = value as? DatastoreObjectID ?? (value as? NSManagedObject)?.objectID { return id }
    throw CVManagedStructError.structValueError(message: "\(value) is not an object.")
  }

  public func box(
    _ object: NSManagedObject, withKey key: String, in context: NSManagedObjectContext
  ) throws {
    try ValueWriting(object, context).relate(self, PropertyKey(stringValue: key))
  }

  public static func unbox(_ object: NSManagedObject, _ key: String) throws -> Self {
    try ValueReading(object).related(Self.self, PropertyKey(stringValue: key))
  }

  public static func unboxIfPresent(_ object: NSManagedObject, _ key: String) throws -> Self? {
    try ValueReading(object).relatedIfPresent(Self.self, PropertyKey(stringValue: key))
  }
}

extension Array where Element: Unboxing {
  /// A value for each object or value of a collection.
  public static func unbox(_ value: Any) throws -> [Element] {
    guard let parts = value as? any Collection else {
      throw CVManagedStructError.structValueError(message: "\(value) is not a collection.")
    }
    return try parts.map { try Element.unbox($0 as Any) }
  }
}
