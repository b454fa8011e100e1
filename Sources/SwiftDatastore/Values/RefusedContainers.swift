/// A container that refuses every value: the methods that request containers cannot throw, but encoding a
/// value can.
struct RefusedContainer: UnkeyedEncodingContainer, SingleValueEncodingContainer {
  let refusal: DatastoreValueError

  var codingPath: [any CodingKey] { [] }
  var count: Int { 0 }

  func encodeNil() throws { throw refusal }
  func encode<T: Encodable>(_ value: T) throws { throw refusal }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(RefusedKeys<Nested>(refusal: refusal))
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
  func superEncoder() -> any Encoder { RefusedEncoder(refusal: refusal) }
}

/// A keyed container that refuses every value.
struct RefusedKeys<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let refusal: DatastoreValueError

  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) throws { throw refusal }
  func encode<T: Encodable>(_ value: T, forKey key: Key) throws { throw refusal }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(RefusedKeys<Nested>(refusal: refusal))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    RefusedContainer(refusal: refusal)
  }

  func superEncoder() -> any Encoder { RefusedEncoder(refusal: refusal) }
  func superEncoder(forKey key: Key) -> any Encoder { RefusedEncoder(refusal: refusal) }
}

/// An encoder that has only such containers.
struct RefusedEncoder: Encoder {
  let refusal: DatastoreValueError

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(RefusedKeys<Key>(refusal: refusal))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { RefusedContainer(refusal: refusal) }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    RefusedContainer(refusal: refusal)
  }
}
