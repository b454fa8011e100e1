import DatastoreCore
import Foundation

/// Encodes a value into an object: keys are the names of its properties.
struct ValueWriter: Encoder {
  let writing: ValueWriting

  init(_ object: DatastoreObject, for type: Any.Type, in context: any ObjectContext) {
    writing = ValueWriting(object: object, type: type, context: context)
  }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(ValueWriterContainer<Key>(writing: writing))
  }

  // These cannot throw; encoding into them does.
  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    RefusedContainer(refusal: writing.refusal("it is encoded without keys"))
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    RefusedContainer(refusal: writing.refusal("it is encoded without keys"))
  }
}

/// The properties of one object.
struct ValueWriterContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let writing: ValueWriting

  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) throws { try writing.clear(key) }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try writing.encode(value, key) }
  func encode(_ value: Bool, forKey key: Key) throws { try writing.set(value, key) }
  func encode(_ value: String, forKey key: Key) throws { try writing.set(value, key) }
  func encode(_ value: Double, forKey key: Key) throws { try writing.set(value, key) }
  func encode(_ value: Float, forKey key: Key) throws { try writing.set(value, key) }
  func encode(_ value: Int, forKey key: Key) throws { try writing.set(value, key) }
  func encode(_ value: Int8, forKey key: Key) throws { try writing.set(value, key) }
  func encode(_ value: Int16, forKey key: Key) throws { try writing.set(value, key) }
  func encode(_ value: Int32, forKey key: Key) throws { try writing.set(value, key) }
  func encode(_ value: Int64, forKey key: Key) throws { try writing.set(value, key) }
  func encode(_ value: UInt, forKey key: Key) throws { try writing.set(value, key) }
  func encode(_ value: UInt8, forKey key: Key) throws { try writing.set(value, key) }
  func encode(_ value: UInt16, forKey key: Key) throws { try writing.set(value, key) }
  func encode(_ value: UInt32, forKey key: Key) throws { try writing.set(value, key) }
  func encode(_ value: UInt64, forKey key: Key) throws { try writing.set(value, key) }

  // Without these, nil would leave the property as it is.
  func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
    try writing.encodeIfPresent(value, key)
  }
  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try set(value, key) }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws { try set(value, key) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try set(value, key) }
  func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try set(value, key) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try set(value, key) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try set(value, key) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try set(value, key) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try set(value, key) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try set(value, key) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try set(value, key) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try set(value, key) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try set(value, key) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try set(value, key) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try set(value, key) }

  private func set<A: AttributeValueType>(_ value: A?, _ key: Key) throws {
    if let value { try writing.set(value, key) } else { try writing.clear(key) }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(
      RefusedKeys<Nested>(
        refusal: writing.mismatch(key, "keys within a property are for coded attributes")))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    RefusedContainer(
      refusal: writing.mismatch(key, "values within a property are for coded attributes"))
  }

  func superEncoder() -> any Encoder { ValueWriter(writing) }
  func superEncoder(forKey key: Key) -> any Encoder { ValueWriter(writing) }
}

extension ValueWriter {
  fileprivate init(_ writing: ValueWriting) { self.writing = writing }
}

/// Encodes one attribute as a single value, as for enums with raw values.
struct CellWriter: Encoder, SingleValueEncodingContainer {
  let writing: ValueWriting
  let key: any CodingKey

  var codingPath: [any CodingKey] { [key] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(
      RefusedKeys<Key>(
        refusal: writing.mismatch(key, "it is a single value, and the type is encoded by keys")))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    RefusedContainer(
      refusal: writing.mismatch(key, "it is a single value, and the type is encoded as several"))
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() throws { try writing.clear(key) }
  func encode(_ value: Bool) throws { try writing.set(value, key) }
  func encode(_ value: String) throws { try writing.set(value, key) }
  func encode(_ value: Double) throws { try writing.set(value, key) }
  func encode(_ value: Float) throws { try writing.set(value, key) }
  func encode(_ value: Int) throws { try writing.set(value, key) }
  func encode(_ value: Int8) throws { try writing.set(value, key) }
  func encode(_ value: Int16) throws { try writing.set(value, key) }
  func encode(_ value: Int32) throws { try writing.set(value, key) }
  func encode(_ value: Int64) throws { try writing.set(value, key) }
  func encode(_ value: UInt) throws { try writing.set(value, key) }
  func encode(_ value: UInt8) throws { try writing.set(value, key) }
  func encode(_ value: UInt16) throws { try writing.set(value, key) }
  func encode(_ value: UInt32) throws { try writing.set(value, key) }
  func encode(_ value: UInt64) throws { try writing.set(value, key) }
  func encode<T: Encodable>(_ value: T) throws { try writing.encode(value, key) }
}
