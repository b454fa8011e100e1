import Basics
public import DatastoreCore

/// The operations of a context: of the view context, and of the context inside a `perform`.
///
/// Everything runs on the context's own queue or actor; calls that read or save wait there for the store.
/// Only `SwiftDatastoreViewContext` and `SwiftDatastoreContext.Closure`, which `perform` passes, conform; no
/// other type can.
public protocol ObjectContext: ObjectSource {
  /// The context's graph and store.
  var core: ContextCore { get }
}

/// A source of objects: a context, or a value that has one.
public protocol ObjectSource: AnyObject {
  /// The context that reads.
  ///
  /// - Throws: an error if there is no store to read from.
  var objectContext: any ObjectContext { get throws }
}

extension ObjectContext {
  /// The context itself.
  public var objectContext: any ObjectContext { self }
}

extension ObjectContext {
  /// Whether anything is staged that has not been saved. O(changed objects).
  public var hasChanges: Bool { core.graph.hasChanges }

  /// Creates an object, staged until the next save, with its defaults and initial values, then calls
  /// `objectDidCreate()`. The object has its `objectID` from the start.
  ///
  /// ```swift
  /// let employee: Employee = try context.createObject()
  /// ```
  ///
  /// Traps for an abstract class.
  ///
  /// - Throws: `UnknownEntityError` when the class is not part of the datastore's model; `StoreError`
  ///   when the store cannot give it a key.
  public func createObject<T: DatastoreObject>() throws -> T {
    guard let object = try core.create(core.concreteEntity(of: T.self)) as? T else {
      trap("\(T.entityName) belongs to another class in this datastore")
    }
    return object
  }

  /// Creates an object of an entity without a compiled class.
  ///
  /// - Throws: like `createObject()`; `AbstractEntityError` for an abstract entity.
  public func createObject(entityName: String) throws -> DynamicObject {
    guard let object = try core.create(core.entity(named: entityName)) as? DynamicObject else {
      trap("\(entityName) has a compiled class; use `createObject()`")
    }
    return object
  }

  /// Stages the deletion of an object, and applies the delete rules of its relationships.
  ///
  /// The other sides of its relationships are updated at once. Traps for an object of another context.
  /// Deleting twice does nothing; an object that was never saved is discarded.
  public func deleteObject(_ object: DatastoreObject) {
    core.graph.delete(object)
  }

  /// Writes all staged changes in one transaction, or nothing. A child context hands them to its parent,
  /// where they are staged. The other contexts of the datastore merge the save; the merge into the view
  /// context is enqueued before this returns.
  ///
  /// - Throws: `ValidationError`, `ConflictError` or `StoreError`, each naming the objects; staged changes
  ///   stay staged.
  @discardableResult
  public func saveChanges() throws -> SwiftDatastoreSavedChanges {
    try core.save()
  }

  /// Discards all staged changes: changed objects have the values of the store (or parent), deleted ones
  /// exist again, and new ones are gone. O(changed objects).
  public func revertChanges() {
    core.graph.revert()
  }

  /// Objects of one class and of those that inherit from it, unsaved changes included; each is an
  /// instance of its own class.
  ///
  /// - Parameters:
  ///   - condition: which objects; all if nil.
  ///   - order: the order; by key if empty.
  ///   - offset: the number of objects to skip.
  ///   - limit: the greatest number of objects; 0 means no limit.
  /// - Throws: `UnknownEntityError`, or `StoreError` when the store cannot be read.
  public func fetch<T: DatastoreObject>(
    where condition: Where<T>? = nil, orderBy order: [OrderBy<T>] = [], offset: Int = 0,
    limit: Int = 0
  ) throws -> [T] {
    try fetch(From(where: condition, orderBy: order, offset: offset, limit: limit))
  }

  /// The first object that meets the condition, or nil. Use the order to find the least or the
  /// greatest.
  ///
  /// - Throws: like `fetch(where:orderBy:offset:limit:)`.
  public func fetchFirst<T: DatastoreObject>(
    where condition: Where<T>? = nil, orderBy order: [OrderBy<T>] = []
  ) throws -> T? {
    try fetch(where: condition, orderBy: order, limit: 1).first
  }

  /// The number of objects that meet the condition, unsaved changes included.
  ///
  /// - Throws: like `fetch(where:orderBy:offset:limit:)`.
  public func count<T: DatastoreObject>(
    _ type: T.Type = T.self, where condition: Where<T>? = nil
  ) throws -> Int {
    try count(From(where: condition))
  }

  /// Objects of a request by entity name.
  ///
  /// - Throws: like `fetch(where:orderBy:offset:limit:)`.
  public func fetch<T: DatastoreObject>(_ request: FetchRequest) throws -> [T] {
    let request = try core.resolved(request)
    let objects = try core.coordinator.log.fetching(From<T>(request).description, \.count) {
      try core.graph.fetch(request)
    }
    return core.typed(objects, as: T.self, of: request.entity)
  }

  /// The number of objects that a request finds, unsaved changes included.
  ///
  /// - Throws: like `fetch(where:orderBy:offset:limit:)`.
  public func count(_ request: FetchRequest) throws -> Int {
    let request = try core.resolved(request)
    return try core.coordinator.log.fetching("count(*) \(From<DynamicObject>(request))", \.self) {
      try core.graph.count(request)
    }
  }

  /// This context's object for an object of another context, as in the store: unsaved changes of the other
  /// context are not carried over.
  ///
  /// - Throws: `ObjectNotFoundError` when the object was never saved or is deleted.
  public func convert<T: DatastoreObject>(existingObject object: T) throws -> T {
    try self.object(with: object.objectID)
  }

  /// This context's object for an identifier.
  ///
  /// Reads the row, unless this context knows it.
  ///
  /// - Throws: `ObjectNotFoundError` when there is no such row, or it is of another class or datastore;
  ///   `StoreError` when the store cannot be read.
  public func object<T: DatastoreObject>(with id: DatastoreObjectID) throws -> T {
    guard id.store == core.graph.storeID else {
      throw ObjectNotFoundError(id: id, reason: "it belongs to another datastore")
    }
    let object = core.graph.object(entity: id.entity, key: id.key)
    try core.graph.fulfil([object])
    guard object.state != .gone else {
      throw ObjectNotFoundError(id: id, reason: "it is not saved, or has been deleted")
    }
    guard let typed = object as? T else {
      throw ObjectNotFoundError(id: id, reason: "it is not a \(T.self)")
    }
    return typed
  }
}

/// The error of an identifier for which there is no object.
public struct ObjectNotFoundError: Error, Sendable, CustomStringConvertible {
  /// The identifier.
  public let id: DatastoreObjectID
  /// The reason, as part of a sentence.
  public let reason: String

  public var description: String { "\(id) was not found in this context: \(reason)." }
}

extension ContextCore {
  func entity(named name: String) throws -> Entity {
    guard let entity = graph.schema.entity(named: name) else {
      throw UnknownEntityError(name: name, known: graph.schema.entities.map(\.name))
    }
    return entity
  }
}
