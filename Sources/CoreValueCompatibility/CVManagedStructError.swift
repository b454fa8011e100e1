public import Foundation
import SwiftDatastore

/// The reason why a struct could not be stored. Failed reading is a `DatastoreValueError`.
public enum CVManagedStructError: Error, Sendable {
  /// The value cannot be stored: it is not a struct, or has a property that the entity lacks.
  case structConversionError(message: String)
  /// A property of the struct does not fit that of the entity.
  case structValueError(message: String)
  /// The object that the struct was saved as has been deleted.
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

  /// Converts errors of values to this type.
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
/// The number of the error that an object could not be converted to a value.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let CVErrorUnboxFailed = 1

extension CVManagedStructError: CustomNSError {
  public static var errorDomain: String { CVErrorDomain }
  public var errorCode: Int { CVErrorUnboxFailed }
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}

/// The result of converting a value.
public enum Unboxed<T> {
  /// The conversion has succeeded.
  case success(T)
  /// The value is of another type; a sentence.
  case typeMismatch(String)

  /// The value; nil if the conversion has failed.
  public var value: T? { if case .success(let value) = self { value } else { nil } }
}
