import SwiftDatastore

/// Why a transaction has saved nothing.
public enum CoreStoreError: Error, Sendable {
  /// Its closure has called `cancel()`.
  case userCancelled
  /// Its closure has thrown.
  case userError(error: any Error)
  /// It could not be saved: a `ValidationError`, `ConflictError` or `StoreError` of SwiftDatastore.
  case internalError(error: any Error)

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
    }
  }
}
