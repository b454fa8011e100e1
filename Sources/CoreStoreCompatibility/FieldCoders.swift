public import SwiftDatastore

/// How `@Field.Coded` makes bytes of values, and values of bytes.
public protocol FieldCoderType {
  /// The type of the values.
  associatedtype FieldStoredValue: Sendable
  /// The coder of SwiftDatastore; its name is kept in the file.
  static var coder: AttributeCoder<FieldStoredValue> { get }
}

/// The coders that are there.
public enum FieldCoders {
  /// JSON: what `Attribute.Coded` stores.
  public enum Json<V: Codable & Sendable>: FieldCoderType {
    public static var coder: AttributeCoder<V> { .json }
  }

  /// A binary property list: what `Attribute.Coded(coder: .propertyList)` stores.
  public enum Plist<V: Codable & Sendable>: FieldCoderType {
    public static var coder: AttributeCoder<V> { .propertyList }
  }

  /// Archives of Objective-C objects: not here.
  @available(
    *, unavailable,
    message: "There is no Objective-C runtime; use FieldCoders.Json, .Plist, or (encode:decode:)"
  )
  public enum NSCoding {}
}
