public import SwiftDatastore

/// A representation of an object of any class.
public protocol AnyObjectRepresentation {
  /// The identifier of the object.
  var objectID: DatastoreObjectID { get }
}

extension DatastoreObject: AnyObjectRepresentation {}

/// The representations of an object: the object itself, its publisher and its snapshot.
public protocol ObjectRepresentation<ObjectType>: AnyObjectRepresentation {
  /// The class of the object.
  associatedtype ObjectType: DatastoreObject
}

extension ObjectSnapshot: ObjectRepresentation {
  public typealias ObjectType = T

  /// Attributes and the identifiers of to-one destinations, by the names of their properties: `dictionary`.
  public func dictionaryForValues() -> [String: Any] { dictionary }
}

extension ObjectPublisher: @MainActor ObjectRepresentation {}

/// The object in other contexts; nil if it is not saved or was deleted. All functions throw `StoreError` when
/// the store cannot be read.
extension ObjectRepresentation {
  /// The publisher of the object in a stack. Throws `ObjectNotFoundError` for one that is not saved or was
  /// deleted.
  @MainActor
  public func asPublisher(in dataStack: DataStack) throws -> ObjectPublisher<ObjectType> {
    try dataStack.publishObject(dataStack.objectContext.object(with: objectID))
  }

  /// The object of the view context of a stack.
  @MainActor public func asReadOnly(in dataStack: DataStack) throws -> ObjectType? {
    try dataStack.fetchExisting(objectID)
  }

  /// The object of a transaction.
  public func asEditable(in transaction: some ObjectContext) throws -> ObjectType? {
    try transaction.fetchExisting(objectID)
  }

  /// The values of the object in the view context of a stack.
  @MainActor public func asSnapshot(in dataStack: DataStack) throws -> ObjectSnapshot<ObjectType>? {
    try asReadOnly(in: dataStack).flatMap { ObjectSnapshot(of: $0) }
  }

  /// The values of the object in a transaction.
  public func asSnapshot(in transaction: some ObjectContext) throws -> ObjectSnapshot<ObjectType>? {
    try asEditable(in: transaction).flatMap { ObjectSnapshot(of: $0) }
  }
}

/// The representations of an object, with its class as `Self`.
extension FieldOwner where Self: DatastoreObject {
  /// The publisher of the object in a stack.
  @MainActor public func asPublisher(in dataStack: DataStack) throws -> ObjectPublisher<Self> {
    try dataStack.publishObject(self)
  }

  /// The object of the view context of a stack.
  @MainActor
  public func asReadOnly(in dataStack: DataStack) throws -> Self? {
    try dataStack.fetchExisting(self)
  }

  /// The object of a transaction.
  public func asEditable(in transaction: some ObjectContext) throws -> Self? {
    try transaction.edit(self)
  }

  /// The values of the object in the view context of a stack.
  @MainActor public func asSnapshot(in dataStack: DataStack) throws -> ObjectSnapshot<Self>? {
    try dataStack.publishObject(self).snapshot
  }

  /// The values of the object in a transaction.
  public func asSnapshot(in transaction: some ObjectContext) throws -> ObjectSnapshot<Self>? {
    try transaction.edit(self).flatMap { ObjectSnapshot(of: $0) }
  }

  /// Discards the staged changes of the object and its values in memory; does nothing for a new object.
  public func refreshAsFault() { refresh(mergeChanges: false) }

  /// Discards the object's values in memory, and keeps its staged changes.
  public func refreshAndMerge() { refresh(mergeChanges: true) }

  /// Calls the closure after every change of a property, until the token is released or cancelled. The
  /// options determine which values it receives in addition to the object.
  public func observe<P: EntityProperty>(
    _ keyPath: KeyPath<Self, P>, options: PropertyObservingOptions = [],
    changeHandler: @escaping (Self, PropertyChange<P.PropertyValue>) -> Void
  ) -> PropertyObservation {
    self[keyPath: keyPath].observe(options: options) { [unowned self] in changeHandler(self, $1) }
  }
}

/// In CoreStore the identifier is a function: `publisher.objectID()`.
extension DatastoreObjectID {
  public func callAsFunction() -> DatastoreObjectID { self }
}
