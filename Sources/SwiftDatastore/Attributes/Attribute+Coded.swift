import CSlots
public import DatastoreCore
import Foundation

extension Attribute {
  /// An attribute that holds any `Codable` value, or nothing. Stored as JSON.
  ///
  /// ```swift
  /// struct Address: Codable, Sendable { var street: String; var city: String }
  /// @Attribute.Coded var address: Address?
  /// @Attribute.Coded var nicknames: [String]? = []
  /// ```
  ///
  /// Each reading decodes and each assignment encodes the whole value, O(size); so does a change in
  /// place (`employee.address?.city = "Umeå"`). A stored value that cannot be decoded reads as nil and
  /// stays stored until another is assigned. Conditions can compare it for equality (as JSON with
  /// sorted keys); its order is that of the JSON's bytes.
  ///
  /// Assigning traps when the value's own `encode(to:)` throws.
  @propertyWrapper
  public struct Coded<T: Codable & Sendable> {
    @usableFromInline let slot: Int16

    /// - Parameters:
    ///   - renamedFrom: the name it had in an older version of the model.
    ///   - named: the name that it has in the file; its own unless it is said. The property can then be renamed in
    ///     Swift, and the file stays as it is.
    ///   - hashModifier: a text that makes the entity another version, where only the meaning of values has
    ///     changed.
    public init(renamedFrom: String? = nil, named: String? = nil, hashModifier: String? = nil) {
      self.init(default: .null, renamedFrom: renamedFrom, named: named, hashModifier: hashModifier)
    }

    /// - Parameters:
    ///   - wrappedValue: the value every new object starts with.
    ///   - renamedFrom: the name it had in an older version of the model.
    ///   - named: the name that it has in the file; its own unless it is said. The property can then be renamed in
    ///     Swift, and the file stays as it is.
    ///   - hashModifier: a text that makes the entity another version, where only the meaning of values has
    ///     changed.
    public init(
      wrappedValue: @autoclosure () -> T?, renamedFrom: String? = nil, named: String? = nil,
      hashModifier: String? = nil
    ) {
      let isRecorded = cslots_is_recording() != 0
      self.init(
        default: isRecorded ? Self.stored(wrappedValue()) : .null, renamedFrom: renamedFrom,
        named: named, hashModifier: hashModifier)
    }

    private init(default value: Value, renamedFrom: String?, named: String?, hashModifier: String?)
    {
      slot = cslots_take()
      if cslots_is_recording() != 0 {
        ModelRecorder.record(
          AttributeRecord(
            type: .coded, isOptional: true, defaultValue: value, isIndexed: false,
            isUnique: false, renamedFrom: renamedFrom, storedName: named, hashModifier: hashModifier
          ),
          slot: slot)
      }
    }

    @available(*, unavailable, message: "@Attribute.Coded belongs in a DatastoreObject")
    public var wrappedValue: T? {
      get { fatalError("@Attribute.Coded belongs in a DatastoreObject") }
      // swift-format-ignore: UseSingleLinePropertyGetter
      set { fatalError("@Attribute.Coded belongs in a DatastoreObject") }
    }

    @available(*, unavailable, message: "@Attribute.Coded belongs in a DatastoreObject")
    public var projectedValue: Property {
      fatalError("@Attribute.Coded belongs in a DatastoreObject")
    }

    public static subscript<Object: DatastoreObject>(
      _enclosingInstance object: Object,
      wrapped _: ReferenceWritableKeyPath<Object, T?>,
      storage storage: ReferenceWritableKeyPath<Object, Coded<T>>
    ) -> T? {
      get { Property(object: object, slot: Slot(object[keyPath: storage].slot)).value }
      set { object.writeAttribute(stored(newValue), Slot(object[keyPath: storage].slot)) }
    }

    public static subscript<Object: DatastoreObject>(
      _enclosingInstance object: Object,
      projected _: KeyPath<Object, Property>,
      storage storage: ReferenceWritableKeyPath<Object, Coded<T>>
    ) -> Property {
      Property(object: object, slot: Slot(object[keyPath: storage].slot))
    }

    /// What `$property` gives.
    public struct Property: ComparableProperty {
      public let object: DatastoreObject
      public let slot: Slot

      public init(object: DatastoreObject, slot: Slot) {
        self.object = object
        self.slot = slot
      }

      public var value: T? {
        let data: Data? = object.readOptionalAttribute(slot)
        return data.flatMap(Coded.decoded)
      }

      public static func storedValue(of value: T) -> Value { Coded.stored(value) }
    }

    private static func stored(_ value: T?) -> Value {
      guard let value else { return .null }
      let encoder = JSONEncoder()
      // Equal values must make equal data, and every number must be stored.
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      encoder.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
      do {
        return .blob(try encoder.encode(value))
      } catch {
        fatalError("a \(T.self) cannot be stored, because its `encode(to:)` threw: \(error)")
      }
    }

    /// nil for data that is not JSON of a `T`, as the model promises: an older or third-party program may
    /// have written it.
    static func decoded(_ data: Data) -> T? {
      let decoder = JSONDecoder()
      decoder.nonConformingFloatDecodingStrategy = .convertFromString(
        positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
      return try? decoder.decode(T.self, from: data)
    }
  }
}

extension Attribute.Coded: SlottedWrapper {}
