import Basics
public import DatastoreCore

/// What can be done in a context: the view context, and the inside of a `perform`.
///
/// Everything runs on the context's own queue or actor, and what reads or saves waits there for the
/// store. Two contexts conform, and no others can: `SwiftDatastoreViewContext`, and
/// `SwiftDatastoreContext.Closure`, which `perform` gives.
public protocol ObjectContext: ObjectSource {
  /// The context's graph and store.
  var core: ContextCore { get }
}

/// A source of objects: a context, or a value that has one.
public protocol ObjectSource: AnyObject {
  /// The context that reads.
  ///
  /// - Throws: an error where there is no store to read from.
  var objectContext: any ObjectContext { get throws }
}

extension ObjectContext {
  /// The context itself.
  public var objectContext: any ObjectContext { self }
}

extension ObjectContext {
  /// Whether anything is staged that has not been saved. O(changed objects).
  public var hasChanges: Bool { core.graph.hasChanges }

  /// A new object, staged until the next save, with its defaults and initial values; then
  /// `objectDidCreate()` is called. It has its `objectID` from the start.
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

  /// A new object of an entity without a compiled class.
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

  /// Writes everything staged in one transaction, or nothing; in a child context, hands it to the
  /// parent, where it is staged. The other contexts of the datastore
  /// merge it by themselves; the merge into the view context is enqueued before this returns.
  ///
  /// - Throws: `ValidationError`, `ConflictError` or `StoreError`, each naming the objects; what was
  ///   staged stays staged.
  @discardableResult
  public func saveChanges() throws -> SwiftDatastoreSavedChanges {
    try core.save()
  }

  /// Discards everything that is staged: changed objects are as the store (or parent) has them, deleted
  /// ones are there again, and new ones are gone. O(changed objects).
  public func revertChanges() {
    core.graph.revert()
  }

  /// Objects of one class and of those that inherit from it, unsaved changes included; each is an
  /// instance of its own class.
  ///
  /// - Parameters:
  ///   - condition: which objects; all without it.
  ///   - order: in which order; by key without it.
  ///   - offset: objects left out at the start.
  ///   - limit: most objects returned; 0 means no limit.
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

  /// How many objects meet the condition, unsaved changes included.
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

  /// How many objects a request finds, unsaved changes included.
  ///
  /// - Throws: like `fetch(where:orderBy:offset:limit:)`.
  public func count(_ request: FetchRequest) throws -> Int {
    let request = try core.resolved(request)
    return try core.coordinator.log.fetching("count(*) \(From<DynamicObject>(request))", \.self) {
      try core.graph.count(request)
    }
  }

  /// This context's object for an object of another context, as the store has it: unsaved changes of
  /// the other context are not carried over.
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

/// No object was found for an identifier.
public struct ObjectNotFoundError: Error, Sendable, CustomStringConvertible {
  /// The identifier that was asked for.
  public let id: DatastoreObjectID
  /// Why it was not found, as part of a sentence.
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
