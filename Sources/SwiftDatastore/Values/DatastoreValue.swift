import DatastoreCore

/// A struct that is made of an object of the store, and put into one: values in and out, without a
/// `DatastoreObject` in the rest of the program.
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
/// A `Codable` struct needs nothing else: its keys are the names of properties of the entity. Attributes are
/// values of their type, raw values of enums included; a property that is coded takes any `Codable` value. A
/// to-one relationship is another `DatastoreValue` or a `DatastoreObjectID`, a to-many relationship an array
/// or a set of `DatastoreValue`s. Other structs say themselves what goes where, which is faster:
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
/// A value by itself has no identity: saving it twice makes two objects, also of the values that are parts of
/// it. With `IdentifiedDatastoreValue` it is tied to the object that it was made of or saved as, with
/// `KeyedDatastoreValue` to the one with its key.
///
/// Parts of a value are stored with it: a member of an array that is no longer in it leaves the
/// relationship, and is not deleted; the order of an ordered relationship is that of the array. A nil to-one
/// relationship is cleared, a nil to-many relationship left as it is.
///
/// Where both sides of a relationship are properties, a value that is under way already is not made again:
/// the way back is nil where the property is optional, and an error otherwise. So a value that was made as a
/// part of another one does not know the way back: save it with the whole.
public protocol DatastoreValue {
  /// The class of its objects: a model class; `DynamicObject`, or `DatastoreObject`, which every class is.
  associatedtype Object: DatastoreObject

  /// The name of the entity; that of the class unless the struct says otherwise, as it has to for a
  /// `DynamicObject` and a `DatastoreObject`.
  static var entityName: String { get }

  /// The value of an object. A `Codable` struct has this by itself.
  ///
  /// - Parameter object: an object of the entity, on the queue or actor of its context.
  /// - Throws: an error where the object does not make a value; `DatastoreValueError` for `Codable` structs.
  init(_ object: Object) throws

  /// Gives an object the properties of the value. A `Codable` struct has this by itself.
  ///
  /// - Parameters:
  ///   - object: the object; a new one, or the one that the value is tied to.
  ///   - context: its context, in which `stage(_:)` makes objects of parts.
  /// - Throws: an error where the value cannot be stored; nothing of it is staged then.
  func assign(to object: Object, in context: any ObjectContext) throws

  /// Brings the value up to date after it was saved, with identifiers of its parts, and whatever the store
  /// has made of it. Becomes the value of the object, unless the struct says otherwise: one that has
  /// properties which are not stored keeps them in its own.
  ///
  /// - Parameter object: what it was saved as.
  /// - Throws: what `init(_:)` throws.
  mutating func refresh(from object: Object) throws
}

extension DatastoreValue {
  public static var entityName: String { Object.entityName }

  public mutating func refresh(from object: Object) throws {
    self = try object.makeValue(Self.self)
  }
}

/// A value that is tied to an object: saving it updates that one. Where the object is gone, that is an error,
/// and no new one is made.
///
/// The identifier is set by the library, and is not stored: `CodingKeys` may leave it out.
public protocol IdentifiedDatastoreValue: DatastoreValue {
  /// What identifies the object that the value was made of or saved as; nil for a new value.
  var objectID: DatastoreObjectID? { get set }
}

/// A value that is tied to the object with its key: saving it updates that one, or makes one where there is
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
  /// What `keyProperty` leads to: `Attribute.NotOptional<Int>.Property` and the like.
  associatedtype KeyProperty: FetchableProperty & ComparableProperty

  /// The attribute that identifies the object.
  static var keyProperty: any KeyPath<Object, KeyProperty> & Sendable { get }

  /// What it holds.
  var key: KeyProperty.KeyPathType { get }
}

/// A value that is tied to the object with its key, where the attribute is known by its name: the class of
/// the objects is `DynamicObject` or `DatastoreObject`. Otherwise see `KeyedDatastoreValue`, whose rules it
/// has.
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

  /// What it holds, as it is stored.
  var storedKey: Value { get }
}

/// What a save of a value has done.
public enum DatastoreValueSaving: Sendable {
  /// The value is in the store.
  case saved
  /// Something else was staged in the context before: the value is staged with it, and saved when that is.
  case staged
}
