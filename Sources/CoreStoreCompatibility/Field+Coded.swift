import Basics
public import DatastoreCore
public import Foundation
public import SwiftDatastore

extension FieldContainer {
  /// A value of any type, stored as bytes; it may be missing where its type is optional.
  ///
  /// ```swift
  /// @Field.Coded("otherInfo", coder: FieldCoders.Json.self) var otherInfo: CustomInfo?
  /// @Field.Coded("photo", coder: (encode: { $0.toData() }, decode: { Photo(fromData: $0) })) var photo: Photo?
  /// ```
  ///
  /// Each reading decodes and each assignment encodes the whole value. Bytes that cannot be decoded read as nil, and
  /// trap when the property cannot be nil. Conditions cannot name it. `keyPath` is the name of the property in the file and in
  /// texts.
  public typealias Coded<V: Sendable> = Slotted<V, CodedProperty<V>>
}

extension FieldContainer.Slotted where V: Sendable, Property == CodedProperty<V> {
  /// With a value that every new object starts with.
  public init<Coder: FieldCoderType>(
    wrappedValue initial: @autoclosure () -> V, _ keyPath: String,
    versionHashModifier: String? = nil, previousVersionKeyPath: String? = nil, coder: Coder.Type,
    customGetter: FieldContainer.Getter<V>? = nil, customSetter: FieldContainer.Setter<V>? = nil,
    affectedByKeyPaths: @autoclosure () -> Set<String> = []
  ) where Coder.FieldStoredValue == V {
    number = Self.takeNumber(customGetter, customSetter) { access in
      FieldCoding(Coder.coder).record(
        keyPath, initial(), nil, versionHashModifier, previousVersionKeyPath, access)
    }
  }

  /// With a closure that makes the value of each new object.
  public init<Coder: FieldCoderType>(
    _ keyPath: String, versionHashModifier: String? = nil, previousVersionKeyPath: String? = nil,
    coder: Coder.Type, customGetter: FieldContainer.Getter<V>? = nil,
    customSetter: FieldContainer.Setter<V>? = nil,
    affectedByKeyPaths: @autoclosure () -> Set<String> = [],
    dynamicInitialValue: @escaping @Sendable () -> V
  ) where Coder.FieldStoredValue == V {
    number = Self.takeNumber(customGetter, customSetter) { access in
      FieldCoding(Coder.coder).record(
        keyPath, nil, dynamicInitialValue, versionHashModifier, previousVersionKeyPath, access)
    }
  }

  /// With a value that may be missing.
  public init<Wrapped, Coder: FieldCoderType>(
    wrappedValue initial: @autoclosure () -> V = nil, _ keyPath: String,
    versionHashModifier: String? = nil, previousVersionKeyPath: String? = nil, coder: Coder.Type,
    customGetter: FieldContainer.Getter<V>? = nil, customSetter: FieldContainer.Setter<V>? = nil,
    affectedByKeyPaths: @autoclosure () -> Set<String> = []
  ) where V == Wrapped?, Coder.FieldStoredValue == Wrapped {
    number = Self.takeNumber(customGetter, customSetter) { access in
      FieldCoding(optional: Coder.coder).record(
        keyPath, initial(), nil, versionHashModifier, previousVersionKeyPath, access)
    }
  }

  /// With closures in place of a coder, which the file calls by the name of the property. Bytes are missing where `encode`
  /// gives none.
  public init(
    wrappedValue initial: @autoclosure () -> V, _ keyPath: String,
    versionHashModifier: String? = nil, previousVersionKeyPath: String? = nil,
    coder: (encode: @Sendable (V) -> Data?, decode: @Sendable (Data?) -> V),
    customGetter: FieldContainer.Getter<V>? = nil, customSetter: FieldContainer.Setter<V>? = nil,
    affectedByKeyPaths: @autoclosure () -> Set<String> = []
  ) {
    number = Self.takeNumber(customGetter, customSetter) { access in
      FieldCoding(keyPath, coder.encode, coder.decode).record(
        keyPath, initial(), nil, versionHashModifier, previousVersionKeyPath, access)
    }
  }

  /// The same without a value to start with: what `decode` makes of no bytes, unless a closure makes the value of each new
  /// object.
  public init(
    _ keyPath: String, versionHashModifier: String? = nil, previousVersionKeyPath: String? = nil,
    coder: (encode: @Sendable (V) -> Data?, decode: @Sendable (Data?) -> V),
    customGetter: FieldContainer.Getter<V>? = nil, customSetter: FieldContainer.Setter<V>? = nil,
    affectedByKeyPaths: @autoclosure () -> Set<String> = [],
    dynamicInitialValue: (@Sendable () -> V)? = nil
  ) {
    number = Self.takeNumber(customGetter, customSetter) { access in
      FieldCoding(keyPath, coder.encode, coder.decode).record(
        keyPath, nil, dynamicInitialValue, versionHashModifier, previousVersionKeyPath, access)
    }
  }

  /// With closures that know values and bytes which are there.
  @_disfavoredOverload
  public init<Wrapped>(
    wrappedValue initial: @autoclosure () -> V = nil, _ keyPath: String,
    coder: (
      encode: @Sendable (Wrapped) throws -> Data, decode: @Sendable (Data) throws -> Wrapped
    )
  ) where V == Wrapped? {
    number = O.takeSlot {
      FieldCoding(optional: .custom(keyPath, encode: coder.encode, decode: coder.decode))
        .record(keyPath, initial(), nil, nil, nil, nil)
    }
  }
}

/// What `$property` gives.
public struct CodedProperty<V: Sendable>: SnapshotProperty, AssignableProperty {
  public let object: DatastoreObject
  public let slot: Slot

  public init(object: DatastoreObject, slot: Slot) {
    self.object = object
    self.slot = slot
  }

  public var value: V {
    let data: Data? = object.readOptionalAttribute(slot)
    guard let value = FieldCoding<V>.of(type(of: object), slot).decode(data) else {
      object.missingValue(slot)
    }
    return value
  }

  public static func assign(_ value: V, to object: DatastoreObject, at slot: Slot) {
    object.writeAttribute(FieldCoding<V>.of(type(of: object), slot).encode(value), slot)
  }

  /// Traps like `value`.
  public static func value(at slot: Slot, in row: SnapshotRow) -> V {
    let stored = row.storedValue(at: slot)
    guard let value = FieldCoding<V>.of(row.objectType, slot).decode(Data(storedValue: stored))
    else { trap("a coded value of a snapshot holds \(stored), which is no \(V.self)") }
    return value
  }
}

/// The coder of one property, as its class records it.
private struct FieldCoding<V: Sendable>: Sendable {
  let name: String?
  let isOptional: Bool
  let encode: @Sendable (V) -> Value
  let decode: @Sendable (Data?) -> V?

  init(_ coder: AttributeCoder<V>) {
    (name, isOptional) = (coder.name, false)
    encode = { coder.stored($0) }
    decode = { $0.flatMap { try? coder.decode($0) } }
  }

  init<Wrapped>(optional coder: AttributeCoder<Wrapped>) where V == Wrapped? {
    (name, isOptional) = (coder.name, true)
    encode = { coder.stored($0) }
    decode = { .some($0.flatMap { try? coder.decode($0) }) }
  }

  init(
    _ name: String, _ encode: @escaping @Sendable (V) -> Data?,
    _ decode: @escaping @Sendable (Data?) -> V
  ) {
    (self.name, isOptional) = (name, true)
    self.encode = { encode($0).map { .blob($0) } ?? .null }
    self.decode = { .some(decode($0)) }
  }

  static func of(_ type: DatastoreObject.Type, _ slot: Slot) -> FieldCoding {
    guard let coding = type.recordedCoder(at: slot) as? FieldCoding else {
      trap("a coded property of \(type) is read as \(V.self), which it is not")
    }
    return coding
  }

  func record(
    _ keyPath: String, _ value: V?, _ initial: (@Sendable () -> V)?, _ modifier: String?,
    _ formerName: String?, _ access: (any Sendable)?
  ) -> AttributeRecord {
    let encode = encode
    var makeInitial: (@Sendable () -> Value)?
    if let initial { makeInitial = { encode(initial()) } }
    return AttributeRecord(
      name: keyPath, type: .coded, isOptional: isOptional,
      defaultValue: value.map(encode) ?? .null, isIndexed: false, isUnique: false,
      renamedFrom: formerName, storedName: nil, hashModifier: modifier,
      initial: makeInitial, coder: (name, self), access: access)
  }
}

/// Values of `DatastoreValue` types have coded parts.
extension FieldCoding: AnyAttributeCoder {
  func decodeAny(_ data: Data) throws -> Any {
    guard let value = decode(data) else { throw CocoaError(.coderReadCorrupt) }
    return value
  }

  func encodeAny(_ value: Any) throws -> Data? {
    (value as? V).flatMap { Data(storedValue: encode($0)) }
  }
}
