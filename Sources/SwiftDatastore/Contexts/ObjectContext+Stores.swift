import Basics
public import DatastoreCore

/// Objects of classes that several stores of a datastore hold.
extension ObjectContext {
  /// Creates an object in one of the stores that hold its class; otherwise like `createObject()`.
  ///
  /// ```swift
  /// let note: Note = try context.createObject(in: .file(url, configuration: "Archive"))
  /// ```
  ///
  /// - Parameter store: the store, as it was added.
  /// - Throws: `StoreError.notInStore` if that store does not hold the class, or was not added; otherwise
  ///   like `createObject()`.
  public func createObject<T: DatastoreObject>(in store: StoreDescription) throws -> T {
    try createObject(in: .stores([store]))
  }

  /// Creates an object in a store that was added for a configuration.
  package func createObject<T: DatastoreObject>(in stores: StoreSelection) throws -> T {
    guard let object = try core.create(core.concreteEntity(of: T.self), in: stores) as? T else {
      trap("\(T.entityName) belongs to another class in this datastore")
    }
    return object
  }

  /// While `body` runs, creates all objects of classes that several stores hold in one of them, including
  /// those that an import creates. Imports find only existing objects of that store.
  ///
  /// ```swift
  /// try context.assigning(to: archive) { try context.importObjects(Note.self, from: sources) }
  /// ```
  ///
  /// - Parameters:
  ///   - store: the store, as it was added.
  ///   - body: creates the objects.
  /// - Throws: the errors of `body`; creating an object throws `StoreError.notInStore` if that store does not
  ///   hold the class and several others do.
  public func assigning<Result>(
    to store: StoreDescription, _ body: () throws -> Result
  ) rethrows -> Result {
    try assigning(to: .stores([store]), body)
  }

  /// Assigns a store that was added for a configuration.
  package func assigning<Result>(
    to stores: StoreSelection, _ body: () throws -> Result
  ) rethrows -> Result {
    let former = core.assigned
    core.assigned = stores
    defer { core.assigned = former }
    return try body()
  }
}

extension ContextCore {
  /// The store for new objects of an entity; nil if only one holds it.
  func assigned(for entity: Entity) -> StoreSelection? {
    guard let assigned, coordinator.store.places(of: entity.index).count > 1 else { return nil }
    return assigned
  }

  /// Replaces the stores of a request by a condition on the keys of its rows.
  ///
  /// - Throws: `UnknownEntityError`; `StoreError.notInStore` if none of the stores holds the entity.
  func resolved(_ request: FetchRequest) throws -> FetchRequest {
    guard let stores = request.stores else { return request }
    var resolved = request
    resolved.stores = nil
    let entity = try entity(named: request.entity)
    guard let keys = try coordinator.store.keys(of: entity.index, in: stores) else {
      return resolved
    }
    let isThere = Predicate.isAmong(keys)
    resolved.predicate = request.predicate.map { .and([isThere, $0]).flattened } ?? isThere
    return resolved
  }
}
