public import Foundation
import SwiftDatastore

/// Why a struct could not be stored. What cannot be read is a `DatastoreValueError`.
public enum CVManagedStructError: Error, Sendable {
  /// The struct is not one that can be stored: it is not a struct, or has a property that the entity has not.
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

/// The domain of a `CVManagedStructError` as an `NSError`.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let CVErrorDomain = "CVErrorDomain"
/// The number of one that a value could not be made of an object.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let CVErrorUnboxFailed = 1

extension CVManagedStructError: CustomNSError {
  public static var errorDomain: String { CVErrorDomain }
  public var errorCode: Int { CVErrorUnboxFailed }
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}

/// A value that was made of another one, or was not.
public enum Unboxed<T> {
  /// It was made.
  case success(T)
  /// It is of another type, as a sentence.
  case typeMismatch(String)

  /// The value; nil where it was not made.
  public var value: T? { if case .success(let value) = self { value } else { nil } }
}
