import Basics
public import DatastoreCore
public import Foundation
public import SwiftDatastore

extension FieldContainer {
  /// A value of any type, stored as bytes; it may be missing if its type is optional.
  ///
  /// ```swift
  /// @Field.Coded("otherInfo", coder: FieldCoders.Json.self) var otherInfo: CustomInfo?
  /// @Field.Coded("photo", coder: (encode: { $0.toData() }, decode: { Photo(fromData: $0) })) var photo: Photo?
  /// ```
  ///
  /// Each reading decodes and each assignment encodes the whole value. Bytes that cannot be decoded read as
  /// nil, and trap when the property cannot be nil. Conditions cannot name it. `keyPath` is the name of the
  /// property in the file and in texts.
  public typealias Coded<V: Sendable> = Slotted<V, CodedProperty<V>>
}

extension FieldContainer.Slotted where V: Sendable, Property == CodedProperty<V> {
  /// With a value that every new object starts with.
  public init<Coder: FieldCoderType>(
    wrappedValue initial: @autoclosure () -> V, _ keyPath: String,
    versionHashModifier: String? = nil, previousVersionKeyPath: String? = nil, coder: Coder.Type,
    customGetter: Getter? = nil, customSetter: Setter? = nil,
    affectedByKeyPaths: @autoclosure () -> Set<String> = []
  ) where Coder.FieldStoredValue == V {
    number = Self.take(
      keyPath, versionHashModifier, previousVersionKeyPath, customGetter, customSetter,
      { FieldCoding(Coder.coder) }, value: initial)
  }

  /// With a closure that makes the value of each new object.
  public init<Coder: FieldCoderType>(
    _ keyPath: String, versionHashModifier: String? = nil, previousVersionKeyPath: String? = nil,
    coder: Coder.Type, customGetter: Getter? = nil, customSetter: Setter? = nil,
    affectedByKeyPaths: @autoclosure () -> Set<String> = [],
    dynamicInitialValue: @escaping @Sendable () -> V
  ) where Coder.FieldStoredValue == V {
    number = Self.take(
      keyPath, versionHashModifier, previousVersionKeyPath, customGetter, customSetter,
      { FieldCoding(Coder.coder) }, initial: dynamicInitialValue)
  }

  /// With a value that may be missing.
  public init<Wrapped, Coder: FieldCoderType>(
    wrappedValue initial: @autoclosure () -> V = nil, _ keyPath: String,
    versionHashModifier: String? = nil, previousVersionKeyPath: String? = nil, coder: Coder.Type,
    customGetter: Getter? = nil, customSetter: Setter? = nil,
    affectedByKeyPaths: @autoclosure () -> Set<String> = []
  ) where V == Wrapped?, Coder.FieldStoredValue == Wrapped {
    number = Self.take(
      keyPath, versionHashModifier, previousVersionKeyPath, customGetter, customSetter,
      { FieldCoding(optional: Coder.coder) }, value: initial)
  }

  /// With closures instead of a coder, which the file identifies by the name of the property. Bytes are
  /// missing if `encode` returns nil.
  public init(
    wrappedValue initial: @autoclosure () -> V, _ keyPath: String,
    versionHashModifier: String? = nil, previousVersionKeyPath: String? = nil,
    coder: (encode: @Sendable (V) -> Data?, decode: @Sendable (Data?) -> V),
    customGetter: Getter? = nil, customSetter: Setter? = nil,
    affectedByKeyPaths: @autoclosure () -> Set<String> = []
  ) {
    number = Self.take(
      keyPath, versionHashModifier, previousVersionKeyPath, customGetter, customSetter,
      { FieldCoding(keyPath, coder.encode, coder.decode) }, value: initial)
  }

  /// With closures and without an initial value: the result of decoding nil, unless a closure makes the value
  /// of each new object.
  public init(
    _ keyPath: String, versionHashModifier: String? = nil, previousVersionKeyPath: String? = nil,
    coder: (encode: @Sendable (V) -> Data?, decode: @Sendable (Data?) -> V),
    customGetter: Getter? = nil, customSetter: Setter? = nil,
    affectedByKeyPaths: @autoclosure () -> Set<String> = [],
    dynamicInitialValue: (@Sendable () -> V)? = nil
  ) {
    number = Self.take(
      keyPath, versionHashModifier, previousVersionKeyPath, customGetter, customSetter,
      { FieldCoding(keyPath, coder.encode, coder.decode) }, initial: dynamicInitialValue)
  }

  /// With closures for values and bytes that are not nil.
  @_disfavoredOverload public init<Wrapped>(
    wrappedValue initial: @autoclosure () -> V = nil, _ keyPath: String,
    coder: (
      encode: @Sendable (Wrapped) throws -> Data, decode: @Sendable (Data) throws -> Wrapped
    )
  ) where V == Wrapped? {
    let coder = AttributeCoder.custom(keyPath, encode: coder.encode, decode: coder.decode)
    number = Self.take(
      keyPath, nil, nil, nil, nil, { FieldCoding(optional: coder) }, value: initial)
  }
}

/// The type of `$property`.
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
