public import SwiftDatastore

/// A type of properties of a struct that can be stored: values of attributes, enums with raw values, structs,
/// arrays of structs, and optionals of all of them.
public protocol Boxing {
  /// Gives a property of an object this value.
  ///
  /// - Parameters:
  ///   - object: the object.
  ///   - key: the name of the property.
  ///   - context: the context of the object, in which the objects of structs are created.
  /// - Throws: `DatastoreValueError` if the value does not fit the property.
  func box(_ object: NSManagedObject, withKey key: String, in context: NSManagedObjectContext)
    throws
}

struct PropertyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension ValueWriting {
  /// For one property of the struct that is being stored.
  init(_ object: NSManagedObject, _ context: NSManagedObjectContext) {
    self.init(
      object: object, type: object.graph.valueTrail.maker ?? DatastoreObject.self,
      context: context)
  }
}

extension Boxing where Self: AttributeValueType {
  public func box(
    _ object: NSManagedObject, withKey key: String, in context: NSManagedObjectContext
  ) throws {
    try ValueWriting(object, context).set(self, PropertyKey(stringValue: key))
  }
}

extension Boxing where Self: RawRepresentable, RawValue: AttributeValueType {
  public func box(
    _ object: NSManagedObject, withKey key: String, in context: NSManagedObjectContext
  ) throws {
    try ValueWriting(object, context).set(rawValue, PropertyKey(stringValue: key))
  }
}

extension Optional: Boxing where Wrapped: Boxing {
  public func box(
    _ object: NSManagedObject, withKey key: String, in context: NSManagedObjectContext
  ) throws {
    guard let value = self else {
      return try ValueWriting(object, context).clear(PropertyKey(stringValue: key))
    }
    try value.box(object, withKey: key, in: context)
  }
}

extension Array: Boxing where Element: BoxingStruct {
  public func box(
    _ object: NSManagedObject, withKey key: String, in context: NSManagedObjectContext
  ) throws {
    try ValueWriting(object, context).relate(self, PropertyKey(stringValue: key))
  }
}

extension Set: Boxing where Element: BoxingStruct {
  public func box(
    _ object: NSManagedObject, withKey key: String, in context: NSManagedObjectContext
  ) throws {
    try ValueWriting(object, context).relate(self, PropertyKey(stringValue: key))
  }
}
