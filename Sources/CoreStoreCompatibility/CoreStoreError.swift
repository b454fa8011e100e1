public import Foundation
import SwiftDatastore

/// Why a transaction has saved nothing, or a storage was not added.
public enum CoreStoreError: Error, Sendable {
  /// Its closure has called `cancel()`.
  case userCancelled
  /// Its closure has thrown.
  case userError(error: any Error)
  /// It could not be saved or opened: a `ValidationError`, `ConflictError`, `StoreError` or `MigrationError` of
  /// SwiftDatastore.
  case internalError(error: any Error)
  /// No storage was added to the stack.
  case persistentStoreNotFound
  /// The stack has another storage already, and one of the two holds all entities.
  case severalStorages(existing: String, added: String)
  /// The stack has the file already, for other entities.
  case differentStorageExistsAtURL(existingPersistentStoreURL: URL)
  /// The file has to be migrated, which is not done for a caller that waits.
  case asynchronousMigrationRequired(localStoreURL: URL)
  /// The file has to be migrated in several steps, which its options do not allow.
  case progressiveMigrationRequired(localStoreURL: URL)

  /// The error of a transaction as a whole.
  init(ofTransaction error: any Error) {
    self =
      switch error {
      case let error as CoreStoreError: error
      case is CancellationError: .userCancelled
      default: .internalError(error: error)
      }
  }

  /// What a closure throws by itself gets this type. Conflicts keep theirs: they let it run again.
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

extension CoreStoreError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .userCancelled: "The transaction was cancelled; nothing was saved."
    case .userError(let error), .internalError(let error): "\(error)"
    case .persistentStoreNotFound:
      "The stack has no storage; add one with `addStorage` or `addStorageAndWait` first."
    case .severalStorages(let existing, let added):
      "The stack has a storage already, \(existing); \(added) can only stand beside it where each has a "
        + "`configuration:` of its own."
    case .differentStorageExistsAtURL(let url):
      "The stack has \(url.path) already, for the entities of another configuration."
    case .asynchronousMigrationRequired(let url):
      "\(url.path) was made with another version of the model; add it with `addStorage(_:completion:)`, which "
        + "migrates it in the background."
    case .progressiveMigrationRequired(let url):
      "\(url.path) has several versions of the model to go through, which `.preventProgressiveMigration` does not "
        + "allow."
    }
  }
}
