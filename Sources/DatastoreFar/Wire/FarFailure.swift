import DatastoreCore

/// An error in a message: with its type if callers distinguish it, otherwise as its description.
enum FarFailure: Codable, Sendable {
  case store(StoreError)
  case conflict(ConflictError)
  case validation(ValidationError)
  case sql(SQLTextError)
  case cancelled
  case other(String)

  init(_ error: any Error) {
    self =
      switch error {
      case let error as StoreError: .store(error)
      case let error as ConflictError: .conflict(error)
      case let error as ValidationError: .validation(error)
      case let error as SQLTextError: .sql(error)
      case is CancellationError: .cancelled
      default: .other(String(describing: error))
      }
  }

  var error: any Error {
    switch self {
    case .store(let error): error
    case .conflict(let error): error
    case .validation(let error): error
    case .sql(let error): error
    case .cancelled: CancellationError()
    case .other(let sentence): FarError(description: sentence)
    }
  }
}

/// An error of the far end whose type is unknown here.
package struct FarError: Error, CustomStringConvertible {
  package let description: String
}
