import Basics
public import DatastoreCore

/// Classes that several stores of a datastore hold.
extension ObjectContext {
  /// A new object in one of the stores that hold its class; otherwise like `createObject()`.
  ///
  /// ```swift
  /// let note: Note = try context.createObject(in: .file(url, configuration: "Archive"))
  /// ```
  ///
  /// - Parameter store: the store, as it was added.
  /// - Throws: `StoreError.notInStore` where that store does not hold the class, or was not added;
  ///   otherwise like `createObject()`.
  public func createObject<T: DatastoreObject>(in store: StoreDescription) throws -> T {
    try createObject(in: .stores([store]))
  }

  /// The same in a store that was added for a configuration.
  package func createObject<T: DatastoreObject>(in stores: StoreSelection) throws -> T {
    guard let object = try core.create(core.concreteEntity(of: T.self), in: stores) as? T else {
      trap("\(T.entityName) belongs to another class in this datastore")
    }
    return object
  }

  /// Makes all objects of classes that several stores hold in one of them, as long as `body` runs: those
  /// that an import makes, too. Imports find only objects of that store again.
  ///
  /// ```swift
  /// try context.assigning(to: archive) { try context.importObjects(Note.self, from: sources) }
  /// ```
  ///
  /// - Parameters:
  ///   - store: the store, as it was added.
  ///   - body: makes the objects.
  /// - Throws: what `body` throws; creating an object throws `StoreError.notInStore` where that store does
  ///   not hold the class and several others do.
  public func assigning<Result>(
    to store: StoreDescription, _ body: () throws -> Result
  ) rethrows -> Result {
    try assigning(to: .stores([store]), body)
  }

  /// The same for a store that was added for a configuration.
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
  /// The store in which objects of an entity are made; nil where only one holds it.
  func assigned(for entity: Entity) -> StoreSelection? {
    guard let assigned, coordinator.store.places(of: entity.index).count > 1 else { return nil }
    return assigned
  }

  /// A request that says by a condition on the keys of its rows which stores it asks.
  ///
  /// - Throws: `UnknownEntityError`; `StoreError.notInStore` where none of the stores holds the entity.
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
