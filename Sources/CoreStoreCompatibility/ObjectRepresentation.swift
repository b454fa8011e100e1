public import SwiftDatastore

/// A representation of an object of any class.
public protocol AnyObjectRepresentation {
  /// What identifies the object.
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

/// The object elsewhere; nil where it is not saved or was deleted. All of it throws `StoreError` when the
/// store cannot be read.
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

/// The same of an object, whose class is `Self`.
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

  /// Forgets what is staged for the object and what is known of its row; does nothing for a new object.
  public func refreshAsFault() { refresh(mergeChanges: false) }

  /// Forgets what is known of the object's row, and keeps what is staged.
  public func refreshAndMerge() { refresh(mergeChanges: true) }

  /// Calls the closure after every change of a property, until the token is released or cancelled. The
  /// options say which values it is handed, beside the object.
  public func observe<P: EntityProperty>(
    _ keyPath: KeyPath<Self, P>, options: PropertyObservingOptions = [],
    changeHandler: @escaping (Self, PropertyChange<P.PropertyValue>) -> Void
  ) -> PropertyObservation {
    self[keyPath: keyPath].observe(options: options) { [unowned self] in changeHandler(self, $1) }
  }
}

/// CoreStore asks for an identifier by a function: `publisher.objectID()`.
extension DatastoreObjectID {
  public func callAsFunction() -> DatastoreObjectID { self }
}
