import DatastoreCore

/// A struct that is made from an object of the store, and saved as one: the rest of the program can work with
/// values, without a `DatastoreObject`.
///
/// ```swift
/// struct Shop: DatastoreValue, Codable {
///   typealias Object = ShopObject
///   var name: String
///   var employees: [Clerk]
/// }
///
/// var shop = Shop(name: "Corner", employees: [Clerk(name: "Ann")])
/// try context.save(&shop)
/// let shops = try context.fetch(Shop.self, where: \.$name == "Corner")
/// ```
///
/// A `Codable` struct needs nothing else: its keys are the names of the entity's properties. Attributes are
/// values of their type, including raw values of enums; a coded attribute takes any `Codable` value. A to-one
/// relationship is another `DatastoreValue` or a `DatastoreObjectID`, a to-many relationship an array or a
/// set of `DatastoreValue`s. Other structs define the mapping themselves, which is faster:
///
/// ```swift
/// struct Clerk: DatastoreValue {
///   var name: String
///
///   init(_ object: ClerkObject) { name = object.name }
///
///   func assign(to object: ClerkObject, in context: any ObjectContext) { object.name = name }
/// }
/// ```
///
/// A value by itself has no identity: saving it twice makes two objects, also of its parts. With
/// `IdentifiedDatastoreValue` it is tied to the object that it was made from or saved as, with
/// `KeyedDatastoreValue` to the object with its key.
///
/// Parts of a value are stored with it. A member that is removed from an array leaves the relationship, and
/// is not deleted; the order of an ordered relationship is that of the array. A nil to-one relationship is
/// cleared, a nil to-many relationship left unchanged.
///
/// If both sides of a relationship are properties, a value that is already being made is not made again: the
/// way back is nil if the property is optional, and an error otherwise. So a value that was made as a part of
/// another one does not know the way back: save it with the whole.
public protocol DatastoreValue {
  /// The class of its objects: a model class, `DynamicObject`, or `DatastoreObject`, the base class of all.
  associatedtype Object: DatastoreObject

  /// The name of the entity; by default that of the class. A struct for `DynamicObject` or `DatastoreObject`
  /// has to define it.
  static var entityName: String { get }

  /// Makes the value of an object. `Codable` structs get this by default.
  ///
  /// - Parameter object: an object of the entity, on the queue or actor of its context.
  /// - Throws: an error if the object does not make a value; `DatastoreValueError` for `Codable` structs.
  init(_ object: Object) throws

  /// Sets the properties of the value on an object. `Codable` structs get this by default.
  ///
  /// - Parameters:
  ///   - object: the object; a new one, or the one that the value is tied to.
  ///   - context: its context, in which `stage(_:)` makes objects of parts.
  /// - Throws: an error if the value cannot be stored; nothing of it is staged then.
  func assign(to object: Object, in context: any ObjectContext) throws

  /// Updates the value after it was saved, with identifiers of its parts and changes made by the store. By
  /// default it becomes the value of the object; a struct with properties that are not stored keeps them by
  /// implementing this method.
  ///
  /// - Parameter object: the saved object.
  /// - Throws: the errors of `init(_:)`.
  mutating func refresh(from object: Object) throws
}

extension DatastoreValue {
  public static var entityName: String { Object.entityName }

  public mutating func refresh(from object: Object) throws {
    self = try object.makeValue(Self.self)
  }
}

/// A value that is tied to an object: saving it updates that object. If the object is gone, saving throws,
/// and makes no new one.
///
/// The library sets the identifier, and does not store it: `CodingKeys` may leave it out.
public protocol IdentifiedDatastoreValue: DatastoreValue {
  /// The identifier of the object that the value was made from or saved as; nil for a new value.
  var objectID: DatastoreObjectID? { get set }
}

/// A value that is tied to the object with its key: saving it updates that object, or makes one if there is
/// none.
///
/// ```swift
/// struct Product: KeyedDatastoreValue, Codable {
///   typealias Object = ProductObject
///   typealias KeyProperty = Attribute.NotOptional<Int64>.Property
///   static var keyProperty: any KeyPath<ProductObject, KeyProperty> & Sendable { \.$number }
///   var key: Int64 { number }
///   var number: Int64
///   var name: String
/// }
/// ```
///
/// The attribute should be `unique: true`, or at least `indexed: true`: objects are looked up by it. A value
/// whose key was changed is another one: saving it makes a new object, and the old one stays;
/// `save(_:replacing:)` changes the key.
public protocol KeyedDatastoreValue: NameKeyedDatastoreValue {
  /// The property type of `keyProperty`: `Attribute.NotOptional<Int>.Property` and the like.
  associatedtype KeyProperty: FetchableProperty & ComparableProperty

  /// The attribute that identifies the object.
  static var keyProperty: any KeyPath<Object, KeyProperty> & Sendable { get }

  /// The value of that attribute.
  var key: KeyProperty.KeyPathType { get }
}

/// A value that is tied to the object with its key, when the attribute is known by its name: the class of the
/// objects is `DynamicObject` or `DatastoreObject`. Otherwise use `KeyedDatastoreValue`, which follows the
/// same rules.
///
/// ```swift
/// struct Product: NameKeyedDatastoreValue, Codable {
///   typealias Object = DynamicObject
///   static let entityName = "product"
///   static let keyName = "number"
///   var storedKey: Value { .integer(number) }
///   var number: Int64
///   var name: String
/// }
/// ```
public protocol NameKeyedDatastoreValue: DatastoreValue {
  /// The attribute that identifies the object.
  static var keyName: String { get }

  /// The value of that attribute, in stored form.
  var storedKey: Value { get }
}

/// The result of saving a value.
public enum DatastoreValueSaving: Sendable {
  /// The value is in the store.
  case saved
  /// Other changes were staged in the context before: the value is staged with them, and saved when they are.
  case staged
}
