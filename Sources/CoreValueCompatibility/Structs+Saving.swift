import Basics
public import SwiftDatastore

extension BoxingPersistentStruct {
  /// Stages the struct, and records its object in it.
  ///
  /// - Parameter context: the context to use.
  /// - Returns: the object.
  /// - Throws: `CVManagedStructError`; nothing is staged then.
  @discardableResult
  public mutating func mutatingToObject(
    _ context: NSManagedObjectContext
  ) throws -> NSManagedObject {
    let object = try toObject(context)
    objectID = object.objectID
    return object
  }

  /// Saves the struct; also saves the context if nothing else is staged in it.
  ///
  /// - Parameter context: the context to use.
  /// - Returns: whether it is saved or staged.
  /// - Throws: `CVManagedStructError`, and the errors of `saveChanges()`; nothing is staged then.
  @discardableResult
  public mutating func save(_ context: NSManagedObjectContext) throws -> DatastoreValueSaving {
    try defaultSave(context)
  }

  /// The default implementation of `save(_:)`.
  ///
  /// - Parameter context: the context to use.
  /// - Returns: whether it is saved or staged.
  /// - Throws: the same errors as `save(_:)`.
  @discardableResult
  public mutating func defaultSave(
    _ context: NSManagedObjectContext
  ) throws -> DatastoreValueSaving {
    var saved = self
    let saving = try CVManagedStructError.naming { try context.save(&saved) }
    self = saved
    return saving
  }

  /// Deletes the object of the struct, which then has no object.
  ///
  /// - Parameter context: the context to use.
  /// - Returns: false when there was none.
  /// - Throws: the errors of `saveChanges()`.
  @discardableResult
  public mutating func delete(_ context: NSManagedObjectContext) throws -> Bool {
    let isDeleted = try context.delete(self)
    if isDeleted { objectID = nil }
    return isDeleted
  }
}

extension BoxingUniqueStruct {
  /// Saves the struct; also saves the context if nothing else is staged in it.
  ///
  /// - Parameter context: the context to use.
  /// - Returns: whether it is saved or staged.
  /// - Throws: `CVManagedStructError`, and the errors of `saveChanges()`; nothing is staged then.
  @discardableResult
  public func save(_ context: NSManagedObjectContext) throws -> DatastoreValueSaving {
    var value = self
    return try CVManagedStructError.naming { try context.save(&value) }
  }

  /// Deletes the object with the identifier.
  ///
  /// - Parameter context: the context to use.
  /// - Returns: false when there is none; nothing is written then.
  /// - Throws: the errors of `saveChanges()`.
  @discardableResult
  public func delete(_ context: NSManagedObjectContext) throws -> Bool {
    try context.delete(self)
  }
}

extension Array where Element: BoxingStruct {
  /// Saves all structs with one transaction.
  ///
  /// - Parameter context: the context to use.
  /// - Returns: whether they are saved or staged.
  /// - Throws: `CVManagedStructError`, and the errors of `saveChanges()`; nothing is staged then.
  @discardableResult
  public mutating func saveAll(_ context: NSManagedObjectContext) throws -> DatastoreValueSaving {
    var saved = self
    let saving = try CVManagedStructError.naming { try context.saveAll(&saved) }
    self = saved
    return saving
  }

  /// Stages all structs; those with identifiers are looked up together.
  ///
  /// - Parameter context: the context to use.
  /// - Returns: the object of each struct.
  /// - Throws: `CVManagedStructError`; nothing is staged then.
  @discardableResult
  public func toObjects(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
    try CVManagedStructError.naming { try context.stageAll(self) }
  }
}

extension BoxingStruct where Self: UnboxingStruct {
  /// The structs of the objects that meet a condition.
  ///
  /// - Parameters:
  ///   - context: the context to use.
  ///   - predicate: the condition; all objects if nil.
  ///   - sortDescriptors: the order; by key if nil.
  /// - Throws: `UnknownEntityError`; `PredicateSyntaxError`; `StoreError`; the errors of `fromObject(_:)`.
  public static func query(
    _ context: NSManagedObjectContext, predicate: NSPredicate?,
    sortDescriptors: [NSSortDescriptor] = []
  ) throws -> [Self] {
    try context.fetch(
      Self.self,
      From(context.request(EntityName, predicate: predicate, sortDescriptors: sortDescriptors)))
  }
}

extension BoxingUniqueStruct {
  /// The object that has the identifier of this value.
  ///
  /// - Throws: `CVManagedStructError.structUpdateError` when there is none; `StoreError` when the store
  ///   cannot be read.
  public func managedObject(_ context: NSManagedObjectContext?) throws -> NSManagedObject {
    let request = try context?.request(Self.EntityName, predicate: identifierPredicate())
    guard let context, let request, let object: NSManagedObject = try context.fetch(request).first
    else {
      throw CVManagedStructError.structUpdateError(
        message: "No \(Self.EntityName) has the \(Self.IdentifierName) of a \(Self.self).")
    }
    return object
  }
}

extension ObjectContext {
  fileprivate func request(
    _ name: String, predicate: NSPredicate?, sortDescriptors: [NSSortDescriptor] = []
  ) throws -> FetchRequest {
    let schema = core.graph.schema
    guard let entity = schema.entity(named: name) else {
      throw UnknownEntityError(name: name, known: schema.entities.map(\.name))
    }
    let condition = try predicate.map {
      try Predicate.parse($0.format, arguments: $0.arguments, entity: entity, in: schema)
    }
    let order = sortDescriptors.map {
      SortDescriptor($0.key.words(at: ".").map(String.init), ascending: $0.ascending)
    }
    return FetchRequest(entity: name, predicate: condition, sortDescriptors: order)
  }
}
