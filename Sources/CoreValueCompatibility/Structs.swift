public import DatastoreCore
public import SwiftDatastore

/// A struct that becomes an object of an entity, a new one each time. Its properties have the names of the
/// entity's properties.
///
/// ```swift
/// struct Counter: BoxingStruct {
///   static let EntityName = "Counter"
///   var count: Int
///   let name: String
/// }
/// ```
public protocol BoxingStruct: DatastoreValue, Boxing where Object == DatastoreObject {
  /// The name of the entity.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  static var EntityName: String { get }
}

/// A struct that knows its object once it was saved or fetched. Saving it updates that object.
public protocol BoxingPersistentStruct: BoxingStruct, IdentifiedDatastoreValue {}

/// A type whose values identify objects.
public protocol IdentifierType: AttributeValueType {}

extension Int: IdentifierType {}
extension Int8: IdentifierType {}
extension Int16: IdentifierType {}
extension Int32: IdentifierType {}
extension Int64: IdentifierType {}
extension String: IdentifierType {}
extension UUID: IdentifierType {}

/// A struct that is tied to the object with its identifier: saving it updates that object, or creates one.
///
/// The attribute should be `unique: true`, or at least `indexed: true`: objects are looked up by it.
public protocol BoxingUniqueStruct: BoxingStruct, NameKeyedDatastoreValue {
  /// The name of the attribute that holds the identifier.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  static var IdentifierName: String { get }
  /// The identifier.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  func IdentifierValue() -> any IdentifierType
}

/// A struct that can be created from an object.
public protocol UnboxingStruct: Unboxing {
  /// The struct of an object.
  ///
  /// - Parameter object: an object, on the queue or actor of its context.
  /// - Throws: an error if the object does not make a struct.
  static func fromObject(_ object: NSManagedObject) throws -> Self
}

/// A struct that is stored and read, and creates a new object each time.
public protocol CVManagedStruct: BoxingStruct, UnboxingStruct {}

/// A struct that is stored and read, and knows its object.
public protocol CVManagedPersistentStruct: BoxingPersistentStruct, UnboxingStruct {}

/// A struct that is stored and read, and is found by an identifier.
public protocol CVManagedUniqueStruct: BoxingUniqueStruct, UnboxingStruct {}

extension BoxingStruct {
  public static var entityName: String { EntityName }

  /// Always fails: a struct that is only stored cannot be created from an object.
  ///
  /// - Parameter object: an object.
  /// - Throws: always.
  public init(_ object: NSManagedObject) throws {
    throw CVManagedStructError.structConversionError(
      message: "A \(Self.self) is stored, but not read; make it an UnboxingStruct.")
  }

  /// Leaves the struct unchanged.
  ///
  /// - Parameter object: the object it was saved as.
  public mutating func refresh(from object: NSManagedObject) {}

  public func assign(to object: NSManagedObject, in context: NSManagedObjectContext) throws {
    let mirror = Mirror(reflecting: self)
    guard mirror.displayStyle == .struct else {
      throw CVManagedStructError.structConversionError(
        message: "A \(Self.self) is not a struct, and cannot be stored as a \(Self.EntityName).")
    }
    for case (let name?, let value) in mirror.children {
      if name == "objectID", self is any IdentifiedDatastoreValue { continue }
      guard let value = value as? any Boxing else {
        throw CVManagedStructError.structConversionError(
          message: "\(Self.self).\(name) cannot be stored: \(type(of: value)) is not Boxing.")
      }
      try object.making(Self.self) { try value.box(object, withKey: name, in: context) }
    }
  }

  public func box(
    _ object: NSManagedObject, withKey key: String, in context: NSManagedObjectContext
  ) throws {
    try ValueWriting(object, context).relate(self, PropertyKey(stringValue: key))
  }

  /// Stages the struct: creates its object, or assigns its properties to the object that it is tied to.
  ///
  /// - Parameter context: the context to use.
  /// - Returns: the object.
  /// - Throws: `CVManagedStructError`; nothing is staged then.
  @discardableResult
  public func toObject(_ context: NSManagedObjectContext) throws -> NSManagedObject {
    try CVManagedStructError.naming { try context.stage(self) }
  }
}

extension BoxingStruct where Self: UnboxingStruct {
  public init(_ object: NSManagedObject) throws {
    self = try object.making(Self.self) { try Self.fromObject(object) }
  }

  public mutating func refresh(from object: NSManagedObject) throws {
    self = try Self(object)
  }

  public static func unbox(_ object: NSManagedObject, _ key: String) throws -> Self {
    try ValueReading(object).related(Self.self, PropertyKey(stringValue: key))
  }

  public static func unboxIfPresent(_ object: NSManagedObject, _ key: String) throws -> Self? {
    try ValueReading(object).relatedIfPresent(Self.self, PropertyKey(stringValue: key))
  }
}

extension UnboxingStruct {
  /// Creates a struct that is not stored from the destination of a relationship.
  ///
  /// - Parameters:
  ///   - object: the object.
  ///   - key: the name of the relationship.
  /// - Throws: `DatastoreValueError` if it leads nowhere; the errors of `fromObject(_:)`.
  public static func unbox(_ object: NSManagedObject, _ key: String) throws -> Self {
    guard let slot = object.entity.slot(named: key), object.entity.links[slot]?.kind == .toOne
    else {
      throw DatastoreValueError.mismatch(
        value: "\(Self.self)", property: key, entity: object.entity.name,
        reason: "there is no relationship to one object of that name")
    }
    guard let other = object.readableRelated(at: slot) as? NSManagedObject else {
      throw DatastoreValueError.missing(
        value: "\(Self.self)", property: key, entity: object.entity.name)
    }
    return try fromObject(other)
  }
}

extension BoxingUniqueStruct {
  public static var keyName: String { IdentifierName }
  public var storedKey: Value { IdentifierValue().storedValue }
}

extension IdentifierType {
  /// The condition that finds objects with this identifier, in the property with a name.
  public func predicate(_ identifierName: String) -> NSPredicate {
    NSPredicate(format: "%K == %@", identifierName, self)
  }
}

extension BoxingUniqueStruct {
  /// The condition that finds the object of this value.
  public func identifierPredicate() throws -> NSPredicate {
    IdentifierValue().predicate(Self.IdentifierName)
  }
}

/// A struct that is stored and read.
public typealias _CVManagedStruct = BoxingStruct & UnboxingStruct
/// A struct that is stored and read, and knows its object.
public typealias _CVManagedPersistentStruct = BoxingPersistentStruct & UnboxingStruct
/// A struct that is stored and read, and has an identifier.
public typealias _CVManagedUniqueStruct = BoxingUniqueStruct & UnboxingStruct
