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
    wrappedValue initial: @autoclosure () -> V, _ keyPath: String, coder: Coder.Type
  ) where Coder.FieldStoredValue == V {
    slot = O.takeSlot { FieldCoding(Coder.coder).record(keyPath, initial()) }
  }

  /// With a value that may be missing.
  public init<Wrapped, Coder: FieldCoderType>(
    wrappedValue initial: @autoclosure () -> V = nil, _ keyPath: String, coder: Coder.Type
  ) where V == Wrapped?, Coder.FieldStoredValue == Wrapped {
    slot = O.takeSlot { FieldCoding(optional: Coder.coder).record(keyPath, initial()) }
  }

  /// With closures in place of a coder, which the file calls by the name of the property.
  public init<Wrapped>(
    wrappedValue initial: @autoclosure () -> V = nil, _ keyPath: String,
    coder: (
      encode: @Sendable (Wrapped) throws -> Data, decode: @Sendable (Data) throws -> Wrapped
    )
  ) where V == Wrapped? {
    slot = O.takeSlot {
      FieldCoding(optional: .custom(keyPath, encode: coder.encode, decode: coder.decode))
        .record(keyPath, initial())
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

  static func of(_ type: DatastoreObject.Type, _ slot: Slot) -> FieldCoding {
    guard let coding = type.recordedCoder(at: slot) as? FieldCoding else {
      trap("a coded property of \(type) is read as \(V.self), which it is not")
    }
    return coding
  }

  func record(_ keyPath: String, _ initial: V) -> AttributeRecord {
    AttributeRecord(
      name: keyPath, type: .coded, isOptional: isOptional, defaultValue: encode(initial),
      isIndexed: false, isUnique: false, renamedFrom: nil, storedName: nil, hashModifier: nil,
      coder: (name, self))
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
