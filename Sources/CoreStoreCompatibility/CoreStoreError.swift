public import Foundation
public import SwiftDatastore

/// The reason why a transaction has saved nothing, or a storage was not added.
public enum CoreStoreError: Error, Sendable {
  /// The cause is unknown.
  case unknown
  /// The transaction's closure has called `cancel()`.
  case userCancelled
  /// The transaction's closure has thrown.
  case userError(error: any Error)
  /// Saving or opening has failed: a `ValidationError`, `ConflictError`, `StoreError` or `MigrationError` of
  /// SwiftDatastore.
  case internalError(error: any Error)
  /// No storage of the stack has the class; `DatastoreObject` if the stack has no storage.
  case persistentStoreNotFound(entity: DatastoreObject.Type)
  /// The stack has another storage already, and one of the two holds all entities.
  case severalStorages(existing: String, added: String)
  /// The stack has the file already, for other entities.
  case differentStorageExistsAtURL(existingPersistentStoreURL: URL)
  /// Not thrown: a version without a way to migrate to it is a `MigrationError`.
  case mappingModelNotFound(localStoreURL: URL, targetModelVersion: String)
  /// The file has to be migrated, which requires an asynchronous call.
  case asynchronousMigrationRequired(localStoreURL: URL)
  /// The file has to be migrated in several steps, which its options do not allow.
  case progressiveMigrationRequired(localStoreURL: URL)

  /// Converts any error; nil becomes `unknown`.
  public init(_ error: (any Error)?) {
    self = error.map(CoreStoreError.init(ofTransaction:)) ?? .unknown
  }

  /// The error of a transaction as a whole.
  package init(ofTransaction error: any Error) {
    self =
      switch error {
      case let error as CoreStoreError: error
      case is CancellationError: .userCancelled
      case let fault as ImportFault: .userError(error: fault.thrownError ?? fault)
      default: .internalError(error: error)
      }
  }

  /// Converts the errors that a closure throws itself to this type. Conflicts keep theirs: they let it run
  /// again.
  static func naming<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch is CancellationError {
      throw CoreStoreError.userCancelled
    } catch  where !(error is CoreStoreError || error is ConflictError) {
      throw CoreStoreError.userError(error: error)
    }
  }
}

extension ImportFault {
  /// The error that the class of an object has thrown.
  var thrownError: (any Error)? { if case .thrown(let error) = reason { error } else { nil } }
}

/// The domain of a `CoreStoreError` as an `NSError`.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let CoreStoreErrorDomain = "com.corestore.error"

/// The number of a `CoreStoreError`, in CoreStore's order.
public enum CoreStoreErrorCode: Int, Sendable {
  case unknownError, differentStorageExistsAtURL, mappingModelNotFound
  case progressiveMigrationRequired, asynchronousMigrationRequired
  case internalError, userError, userCancelled, persistentStoreNotFound
  /// CoreStore has no such error.
  case severalStorages
}

extension CoreStoreError: CustomNSError {
  public static var errorDomain: String { CoreStoreErrorDomain }

  public var errorCode: Int {
    let code: CoreStoreErrorCode =
      switch self {
      case .unknown: .unknownError
      case .userCancelled: .userCancelled
      case .userError: .userError
      case .internalError: .internalError
      case .persistentStoreNotFound: .persistentStoreNotFound
      case .severalStorages: .severalStorages
      case .differentStorageExistsAtURL: .differentStorageExistsAtURL
      case .mappingModelNotFound: .mappingModelNotFound
      case .asynchronousMigrationRequired: .asynchronousMigrationRequired
      case .progressiveMigrationRequired: .progressiveMigrationRequired
      }
    return code.rawValue
  }

  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}

/// Errors are equal when they say the same.
extension CoreStoreError: Hashable {
  public static func == (left: CoreStoreError, right: CoreStoreError) -> Bool {
    left.errorCode == right.errorCode && left.description == right.description
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(errorCode) }
}

extension CoreStoreError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unknown: "Something has failed, and nothing is known of it."
    case .userCancelled: "The transaction was cancelled; nothing was saved."
    case .userError(let error), .internalError(let error): "\(error)"
    case .persistentStoreNotFound(let entity) where entity == DatastoreObject.self:
      "The stack has no storage; add one with `addStorage` or `addStorageAndWait` first."
    case .persistentStoreNotFound(let entity):
      "No storage of the stack has objects of \(entity.entityName); add one whose configuration has the class."
    case .severalStorages(let existing, let added):
      "The stack has a storage already, \(existing); \(added) can only stand beside it where each has a "
        + "`configuration:` of its own."
    case .differentStorageExistsAtURL(let url):
      "The stack has \(url.path) already, for the entities of another configuration."
    case .mappingModelNotFound(let url, let version):
      "Nothing says how \(url.path) is brought to the version “\(version)” of the model."
    case .asynchronousMigrationRequired(let url):
      "\(url.path) was made with another version of the model; add it with `addStorage(_:completion:)`, which "
        + "migrates it in the background."
    case .progressiveMigrationRequired(let url):
      "\(url.path) has several versions of the model to go through, which `.preventProgressiveMigration` does not "
        + "allow."
    }
  }
}
