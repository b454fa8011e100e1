public import DatastoreCore

/// The base class of model objects.
///
/// ```swift
/// final class Employee: DatastoreObject {
///   @Attribute.NotOptional var name: String
///   @Attribute.Optional var phone: String?
///   @Relationship.ToOne(inverse: \.$employees) var company: Company?
/// }
/// ```
///
/// An object belongs to the context that created or fetched it, and is used only on that context's
/// queue or actor: touching it elsewhere traps (always in debug builds; in release builds when
/// `SwiftDatastore.Options.checksAccess` is set). There is one object for a row in a context (`===`);
/// `==` compares the identity of rows, also between contexts.
///
/// A class may inherit from another model class. If both are part of the model, the child's objects are
/// objects of the parent, too: fetching the parent finds them, each as an instance of its own class, and a
/// relationship to the parent leads to them. The whole family is kept in one table, whose column `_entity`
/// names each row's entity. A class that is not listed in the model is not an entity: its children each have
/// its properties, but nothing in common.
///
/// ```swift
/// class Animal: DatastoreObject {
///   override class var isAbstract: Bool { self == Animal.self }
///   @Attribute.NotOptional var name: String
///   @Relationship.ToOne(inverse: \.$pets) var owner: Owner?
/// }
///
/// final class Dog: Animal {
///   @Attribute.Optional var breed: String?
/// }
/// ```
open class DatastoreObject: ManagedObject {
  /// The name of the entity and of its table. The name of the class, unless overridden.
  open class var entityName: String { String(describing: self) }

  /// Sets of properties whose values together are unique: no two objects may agree in all values of a set,
  /// unless one of the values is missing. Attributes and to-one relationships.
  ///
  /// ```swift
  /// override class var uniqueConstraints: [[AnyKeyPath]] {
  ///   [[\Employee.$name, \Employee.$company]]
  /// }
  /// ```
  ///
  /// For a single attribute, `unique: true` on its wrapper is shorter. Constraints on the properties of a
  /// parent apply to all classes that inherit from it, also between them.
  open class var uniqueConstraints: [[AnyKeyPath]] { [] }

  /// Indexes over several properties, which speed up finding and sorting objects. Attributes and to-one
  /// relationships.
  ///
  /// ```swift
  /// override class var indexes: [Index] {
  ///   [
  ///     Index(\Employee.$company, \Employee.$surname),
  ///     Index(.ascending(\Employee.$city), .descending(\Employee.$salary)),
  ///   ]
  /// }
  /// ```
  ///
  /// For a single attribute, `indexed: true` on its wrapper is shorter; to-one relationships are indexed
  /// automatically. Adding or removing indexes needs no new version of the model.
  open class var indexes: [Index] { [] }

  /// A text that is part of the entity's version: change it when only the meaning of its objects has changed.
  /// Not inherited.
  open class var hashModifier: String? { nil }

  /// The entity name that this class had in an older version of the model. Not inherited.
  open class var renamedFrom: String? { nil }

  /// Whether only classes that inherit from this one have objects; creating an object of this class traps.
  ///
  /// Inherited like every class property, so name the class that is abstract:
  ///
  /// ```swift
  /// override class var isAbstract: Bool { self == Animal.self }
  /// ```
  open class var isAbstract: Bool { false }

  /// Makes the object of a row; contexts call it, also for fetched objects.
  ///
  /// An override passes the argument on to `super`. It must not touch properties: it also runs for a
  /// prototype without values, from which the model learns what the class stores.
  public required init(managedObject: ManagedObjectLogic) {
    super.init(managedObject: managedObject)
  }

  /// Called once, when the object was created in a context and has its defaults and initial values; never
  /// when it is fetched. The default implementation does nothing. Runs on the context's queue or actor.
  open func objectDidCreate() {}

  /// The entity, the key, the state, and the known value of each property, with staged values as `old → new`:
  ///
  ///     Employee/42 (changed) name: "Ann" → "Zoe", age: 30, company: Company/7, tasks: 3 objects
  ///
  /// Never reads the store and never traps, so that a debugger can call it anywhere: it leaves out values
  /// that were not read, and outside its context an object is shown as its entity and key.
  open var debugDescription: String { line }

  /// The identifier of the object's row in its store.
  public final var objectID: DatastoreObjectID {
    DatastoreObjectID(store: graph.storeID, entity: entity, key: key)
  }
}

extension DatastoreObject: CustomDebugStringConvertible {}

/// Objects are equal when they are the same row, in whatever context, even after it was deleted.
extension DatastoreObject: Hashable {
  public static func == (left: DatastoreObject, right: DatastoreObject) -> Bool {
    left === right || left.key == right.key && left.entity === right.entity
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(entity.index)
    hasher.combine(key)
  }
}

/// The identifier of a row: its store, its family of entities and its key. Valid from the creation of an
/// object on, in every context of the datastore.
public struct DatastoreObjectID: Hashable, Sendable, CustomStringConvertible {
  let store: ObjectIdentifier
  /// The name of the object's entity, or of the parent in the request for it.
  public let entityName: String
  let entity: EntityIndex
  /// The root of the family, in which the key is unique.
  private let root: EntityIndex
  /// The key of the row.
  public let key: RowKey

  init(store: ObjectIdentifier, entity: Entity, key: RowKey) {
    self.store = store
    entityName = entity.name
    self.entity = entity.index
    root = entity.root
    self.key = key
  }

  public static func == (left: DatastoreObjectID, right: DatastoreObjectID) -> Bool {
    left.key == right.key && left.root == right.root && left.store == right.store
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(root)
    hasher.combine(key)
  }

  /// `Employee/42`.
  public var description: String { "\(entityName)/\(key)" }
}
