public import SwiftDatastore

/// What stands for an object: its publisher and its snapshot. Objects have the same functions.
public protocol ObjectRepresentation<ObjectType> {
  /// The class of the object.
  associatedtype ObjectType: DatastoreObject
  /// What identifies the object.
  var objectID: DatastoreObjectID { get }
}

extension ObjectSnapshot: ObjectRepresentation {
  public typealias ObjectType = T

  /// Attributes and the identifiers of to-one destinations, by the names of their properties: `dictionary`.
  public func dictionaryForValues() -> [String: Any] { dictionary }
}

extension ObjectPublisher: @MainActor ObjectRepresentation {}

/// The object elsewhere. All of it throws `StoreError` when the store cannot be read.
extension ObjectRepresentation {
  /// The publisher of the object in a stack. Throws `ObjectNotFoundError` for one that is not saved or was deleted.
  @MainActor
  public func asPublisher(in dataStack: DataStack) throws -> ObjectPublisher<ObjectType> {
    try dataStack.publishObject(dataStack.objectContext.object(with: objectID))
  }

  /// The object of the view context of a stack; nil where it is not saved or was deleted.
  @MainActor
  public func asReadOnly(in dataStack: DataStack) throws -> ObjectType? {
    try dataStack.fetchExisting(objectID)
  }

  /// The object of a transaction; nil where it is not saved or was deleted.
  public func asEditable(in transaction: BaseDataTransaction) throws -> ObjectType? {
    try transaction.fetchExisting(objectID)
  }

  /// The values of the object in the view context of a stack; nil where it is not saved or was deleted.
  @MainActor
  public func asSnapshot(in dataStack: DataStack) throws -> ObjectSnapshot<ObjectType>? {
    try asReadOnly(in: dataStack).flatMap { ObjectSnapshot(of: $0) }
  }

  /// The values of the object in a transaction; nil where it is not saved or was deleted.
  public func asSnapshot(
    in transaction: BaseDataTransaction
  ) throws -> ObjectSnapshot<ObjectType>? {
    try asEditable(in: transaction).flatMap { ObjectSnapshot(of: $0) }
  }
}

extension FieldOwner where Self: DatastoreObject {
  /// Forgets what is staged for the object and what is known of its row; does nothing for a new object.
  public func refreshAsFault() { refresh(mergeChanges: false) }

  /// Forgets what is known of the object's row, and keeps what is staged.
  public func refreshAndMerge() { refresh(mergeChanges: true) }

  @available(
    *, unavailable, message: "An object does not know its context; hand on the stack or transaction"
  )
  public func fetchSource() -> (any FetchableSource)? { nil }

  @available(
    *, unavailable, message: "An object does not know its context; hand on the stack or transaction"
  )
  public func querySource() -> (any QueryableSource)? { nil }
}
