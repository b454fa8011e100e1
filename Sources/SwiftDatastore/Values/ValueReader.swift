import DatastoreCore
import Foundation

/// Decodes a value from an object: keys are the names of its properties.
struct ValueReader: Decoder {
  let reading: ValueReading

  init(_ object: DatastoreObject, for type: Any.Type) {
    reading = ValueReading(object: object, type: type)
  }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(ValueReaderContainer<Key>(reading: reading))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw unsupported }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw unsupported }

  private var unsupported: DecodingError {
    .typeMismatch(
      reading.type,
      .init(
        codingPath: [],
        debugDescription:
          "\(reading.type) is decoded without keys, and an object has properties with names"))
  }
}

/// The properties of one object.
struct ValueReaderContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let reading: ValueReading

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { reading.object.entity.properties.compactMap { Key(stringValue: $0.name) } }

  // Also for unknown names: those are errors, not missing values.
  func contains(_ key: Key) -> Bool { true }
  func decodeNil(forKey key: Key) throws -> Bool { try reading.isMissing(key) }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try attribute(type, key) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try attribute(type, key) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try attribute(type, key) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try attribute(type, key) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try attribute(type, key) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try attribute(type, key) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try attribute(type, key) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try attribute(type, key) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try attribute(type, key) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try attribute(type, key) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try attribute(type, key) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try attribute(type, key) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try attribute(type, key) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try attribute(type, key) }

  @inline(__always)
  private func attribute<A: AttributeValueType>(_ type: A.Type, _ key: Key) throws -> A {
    try reading.attribute(type, key)
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try reading.decode(type, key)
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    try reading.decodeIfPresent(type, key)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    throw reading.mismatch(key, "keys within a property are for coded attributes")
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw reading.mismatch(key, "values within a property are for coded attributes")
  }

  func superDecoder() -> any Decoder { ValueReader(reading.object, for: reading.type) }
  func superDecoder(forKey key: Key) -> any Decoder { superDecoder() }
}

/// Decodes one attribute as a single value, as for enums with raw values.
struct CellReader: Decoder, SingleValueDecodingContainer {
  let reading: ValueReading
  let slot: Slot
  let key: any CodingKey

  var codingPath: [any CodingKey] { [key] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw reading.mismatch(key, "it is a single value, and the type is decoded by keys")
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw reading.mismatch(key, "it is a single value, and the type is decoded from several")
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { reading.object.value(at: slot).isNull }
  func decode(_ type: Bool.Type) throws -> Bool { try reading.attribute(type, key) }
  func decode(_ type: String.Type) throws -> String { try reading.attribute(type, key) }
  func decode(_ type: Double.Type) throws -> Double { try reading.attribute(type, key) }
  func decode(_ type: Float.Type) throws -> Float { try reading.attribute(type, key) }
  func decode(_ type: Int.Type) throws -> Int { try reading.attribute(type, key) }
  func decode(_ type: Int8.Type) throws -> Int8 { try reading.attribute(type, key) }
  func decode(_ type: Int16.Type) throws -> Int16 { try reading.attribute(type, key) }
  func decode(_ type: Int32.Type) throws -> Int32 { try reading.attribute(type, key) }
  func decode(_ type: Int64.Type) throws -> Int64 { try reading.attribute(type, key) }
  func decode(_ type: UInt.Type) throws -> UInt { try reading.attribute(type, key) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try reading.attribute(type, key) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try reading.attribute(type, key) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try reading.attribute(type, key) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try reading.attribute(type, key) }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try reading.decode(type, key) }
}
