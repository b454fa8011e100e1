public import Foundation
public import SwiftDatastore

/// Converts the values of `@Field.Coded` to bytes, and bytes to values.
public protocol FieldCoderType: SendableMetatype {
  /// The type of the values.
  associatedtype FieldStoredValue: Sendable
  /// The bytes of a value; nil if there are none.
  static func encodeToStoredData(_ fieldValue: FieldStoredValue?) -> Data?
  /// The value of bytes; nil if they cannot be read.
  static func decodeFromStoredData(_ data: Data?) -> FieldStoredValue?
  /// The coder of SwiftDatastore; its name is stored in the file: that of the type, unless overridden.
  static var coder: AttributeCoder<FieldStoredValue> { get }
}

extension FieldCoderType {
  public static var coder: AttributeCoder<FieldStoredValue> {
    .custom(
      String(describing: Self.self),
      encode: { value in
        guard let data = encodeToStoredData(value) else { throw CocoaError(.coderInvalidValue) }
        return data
      },
      decode: { data in
        guard let value = decodeFromStoredData(data) else { throw CocoaError(.coderReadCorrupt) }
        return value
      })
  }
}

/// A coder that SwiftDatastore has.
public protocol KnownFieldCoder: FieldCoderType {}

extension KnownFieldCoder {
  public static func encodeToStoredData(_ fieldValue: FieldStoredValue?) -> Data? {
    fieldValue.flatMap { try? coder.encode($0) }
  }

  public static func decodeFromStoredData(_ data: Data?) -> FieldStoredValue? {
    data.flatMap { try? coder.decode($0) }
  }
}

/// The available coders.
public enum FieldCoders {
  /// JSON: the format of `Attribute.Coded`.
  public enum Json<V: Codable & Sendable>: KnownFieldCoder {
    public static var coder: AttributeCoder<V> { .json }
  }

  /// A binary property list: the format of `Attribute.Coded(coder: .propertyList)`.
  public enum Plist<V: Codable & Sendable>: KnownFieldCoder {
    public static var coder: AttributeCoder<V> { .propertyList }
  }
}
