import SwiftDatastore

/// Why a struct could not be stored. What cannot be read is a `DatastoreValueError`.
public enum CVManagedStructError: Error, Sendable {
  /// The struct is not one that can be stored: it is no struct, or has a property that the entity has not.
  case structConversionError(message: String)
  /// A property of the struct does not fit that of the entity.
  case structValueError(message: String)
  /// The object that the struct was saved as is gone.
  case structUpdateError(message: String)
  /// The struct has nothing by which its object could be found.
  case structDeleteError(message: String)

  init(_ error: DatastoreValueError) {
    let message = "\(error)"
    self =
      switch error {
      case .unknownProperty: .structConversionError(message: message)
      case .mismatch, .missing, .circular, .tooDeep: .structValueError(message: message)
      case .gone: .structUpdateError(message: message)
      case .noIdentity: .structDeleteError(message: message)
      }
  }

  /// Gives errors of values these names.
  static func naming<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as DatastoreValueError {
      throw CVManagedStructError(error)
    }
  }
}

extension CVManagedStructError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .structConversionError(let message), .structValueError(let message),
      .structUpdateError(let message), .structDeleteError(let message):
      message
    }
  }
}
