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
  /// trap when the property cannot be nil. Conditions cannot name it.
  @propertyWrapper
  public struct Coded<V: Sendable>: SlottedWrapper {
    package let slot: Int16

    /// - Parameters:
    ///   - initial: the value every new object starts with.
    ///   - keyPath: the name of the property in the file and in texts.
    ///   - coder: how values become bytes.
    public init<Coder: FieldCoderType>(
      wrappedValue initial: @autoclosure () -> V, _ keyPath: String, coder: Coder.Type
    ) where Coder.FieldStoredValue == V {
      slot = O.takeSlot {
        FieldCoding(Coder.coder).record(keyPath, initial(), isOptional: false)
      }
    }

    /// - Parameters:
    ///   - initial: the value every new object starts with.
    ///   - keyPath: the name of the property in the file and in texts.
    ///   - coder: how values become bytes.
    public init<Wrapped, Coder: FieldCoderType>(
      wrappedValue initial: @autoclosure () -> V = nil, _ keyPath: String, coder: Coder.Type
    ) where V == Wrapped?, Coder.FieldStoredValue == Wrapped {
      slot = O.takeSlot {
        FieldCoding(optional: Coder.coder).record(keyPath, initial(), isOptional: true)
      }
    }

    /// - Parameters:
    ///   - initial: the value every new object starts with.
    ///   - keyPath: the name of the property in the file and in texts; the file calls the coder by it, too.
    ///   - coder: how values become bytes, and bytes values.
    public init<Wrapped>(
      wrappedValue initial: @autoclosure () -> V = nil, _ keyPath: String,
      coder: (
        encode: @Sendable (Wrapped) throws -> Data, decode: @Sendable (Data) throws -> Wrapped
      )
    ) where V == Wrapped? {
      slot = O.takeSlot {
        FieldCoding(optional: .custom(keyPath, encode: coder.encode, decode: coder.decode))
          .record(keyPath, initial(), isOptional: true)
      }
    }

    @available(*, unavailable, message: "@Field.Coded belongs in a CoreStoreObject")
    public var wrappedValue: V {
      get { fatalError("@Field.Coded belongs in a CoreStoreObject") }
      // swift-format-ignore: UseSingleLinePropertyGetter
      set { fatalError("@Field.Coded belongs in a CoreStoreObject") }
    }

    @available(*, unavailable, message: "@Field.Coded belongs in a CoreStoreObject")
    public var projectedValue: Property { fatalError("@Field.Coded belongs in a CoreStoreObject") }

    public static subscript(
      _enclosingInstance object: O, wrapped _: ReferenceWritableKeyPath<O, V>,
      storage storage: ReferenceWritableKeyPath<O, Coded<V>>
    ) -> V {
      get { Property(object: object, slot: Slot(object[keyPath: storage].slot)).value }
      set {
        let slot = Slot(object[keyPath: storage].slot)
        object.writeAttribute(FieldCoding<V>.of(type(of: object), slot).encode(newValue), slot)
      }
    }

    public static subscript(
      _enclosingInstance object: O, projected _: KeyPath<O, Property>,
      storage storage: ReferenceWritableKeyPath<O, Coded<V>>
    ) -> Property {
      Property(object: object, slot: Slot(object[keyPath: storage].slot))
    }

    /// What `$property` gives.
    public struct Property: SnapshotProperty {
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

      /// Traps like `value`.
      public static func value(at slot: Slot, in row: SnapshotRow) -> V {
        let stored = row.storedValue(at: slot)
        guard let value = FieldCoding<V>.of(row.objectType, slot).decode(Data(storedValue: stored))
        else { fatalError("a coded value of a snapshot holds \(stored), which is no \(V.self)") }
        return value
      }
    }
  }
}

/// The coder of one property, as its class records it.
private struct FieldCoding<V: Sendable>: Sendable {
  let name: String?
  let encode: @Sendable (V) -> Value
  let decode: @Sendable (Data?) -> V?

  init(_ coder: AttributeCoder<V>) {
    name = coder.name
    encode = { coder.stored($0) }
    decode = { $0.flatMap { try? coder.decode($0) } }
  }

  init<Wrapped>(optional coder: AttributeCoder<Wrapped>) where V == Wrapped? {
    name = coder.name
    encode = { coder.stored($0) }
    decode = { .some($0.flatMap { try? coder.decode($0) }) }
  }

  static func of(_ type: DatastoreObject.Type, _ slot: Slot) -> FieldCoding {
    guard let coding = type.recordedCoder(at: slot) as? FieldCoding else {
      preconditionFailure("a coded property of \(type) is read as \(V.self), which it is not")
    }
    return coding
  }

  func record(_ keyPath: String, _ initial: V, isOptional: Bool) -> AttributeRecord {
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
