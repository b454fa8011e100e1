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
/// A class may inherit from another model class. Each of the two that is part of the model is an entity
/// of its own, with a table of its own that has the inherited properties, too: fetching the parent
/// does not find objects of the child. A relationship with an inverse cannot be inherited, since its
/// inverse leads to one entity only.
open class DatastoreObject: ManagedObject {
  /// The name of the entity, and with that of the table. The name of the class, unless overridden.
  open class var entityName: String { String(describing: self) }

  /// Properties whose values together are unique: no two objects may agree in all of a set, unless one of
  /// the values is missing. Attributes and to-one relationships.
  ///
  /// ```swift
  /// override class var uniqueConstraints: [[AnyKeyPath]] {
  ///   [[\Employee.$name, \Employee.$company]]
  /// }
  /// ```
  ///
  /// For one attribute alone, `unique: true` on its wrapper is shorter. A class that inherits from another
  /// model class has the constraints of both if it adds `super.uniqueConstraints`.
  open class var uniqueConstraints: [[AnyKeyPath]] { [] }

  /// The entity name that this class had in an older version of the model. Not inherited.
  open class var renamedFrom: String? { nil }

  /// Makes the object of a row; contexts call it, also for objects that are fetched.
  ///
  /// A class that overrides it passes the argument on to `super`. Properties may not be touched here: it
  /// also runs for a prototype without values, which tells the model what the class stores.
  public required init(managedObject: ManagedObjectLogic) {
    super.init(managedObject: managedObject)
  }

  /// Called once, when the object was created in a context and has its defaults and initial values; never
  /// when it is fetched. Does nothing by itself. Runs on the context's queue or actor.
  open func objectDidCreate() {}

  /// What identifies the object's row in its store.
  public final var objectID: DatastoreObjectID {
    DatastoreObjectID(store: graph.storeID, entityName: entity.name, entity: entity.index, key: key)
  }
}

extension DatastoreObject: Hashable {
  public static func == (left: DatastoreObject, right: DatastoreObject) -> Bool {
    left === right
      || left.key == right.key && left.entity === right.entity && left.state != .gone
        && right.state != .gone
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(entity.index)
    hasher.combine(key)
  }
}

/// What identifies a row: its store, its entity and its key. Valid from the creation of an object on,
/// in every context of the datastore.
public struct DatastoreObjectID: Hashable, Sendable, CustomStringConvertible {
  let store: ObjectIdentifier
  /// The name of the object's entity.
  public let entityName: String
  let entity: Int
  /// The key of the row.
  public let key: Int64

  /// `Employee/42`.
  public var description: String { "\(entityName)/\(key)" }
}
