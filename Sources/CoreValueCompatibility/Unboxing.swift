public import SwiftDatastore

/// What can be read from a property of an object: values of attributes, enums with raw values, structs, and identifiers.
public protocol Unboxing {
  /// The value of a property.
  ///
  /// - Parameters:
  ///   - object: the object.
  ///   - key: the name of the property; of an identifier also `objectID`.
  /// - Throws: `DatastoreValueError` where the property is missing, unknown or of another kind.
  static func unbox(_ object: NSManagedObject, _ key: String) throws -> Self

  /// The value of a property that may be missing.
  ///
  /// - Parameters:
  ///   - object: the object.
  ///   - key: the name of the property.
  /// - Throws: `DatastoreValueError` where the property is unknown or of another kind.
  static func unboxIfPresent(_ object: NSManagedObject, _ key: String) throws -> Self?
}

extension Unboxing {
  public static func unboxIfPresent(_ object: NSManagedObject, _ key: String) throws -> Self? {
    try ValueReading(object).isMissing(PropertyKey(stringValue: key)) ? nil : unbox(object, key)
  }
}

extension Unboxing where Self: AttributeValueType {
  public static func unbox(_ object: NSManagedObject, _ key: String) throws -> Self {
    try ValueReading(object).attribute(Self.self, PropertyKey(stringValue: key))
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
