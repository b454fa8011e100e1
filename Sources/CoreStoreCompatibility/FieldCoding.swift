import Basics
import DatastoreCore
import Foundation
import SwiftDatastore

/// How the values of one property are stored, as its class records it.
struct FieldCoding<V: Sendable>: Sendable {
  /// The name of its coder in files.
  var name: String?
  var type = AttributeType.coded
  let isOptional: Bool
  let encode: @Sendable (V) -> Value
  let decode: @Sendable (Data?) -> V?

  static func of(_ type: DatastoreObject.Type, _ slot: Slot) -> FieldCoding {
    guard let coding = type.recordedCoder(at: slot) as? FieldCoding else {
      trap("a coded property of \(type) is read as \(V.self), which it is not")
    }
    return coding
  }
}

extension FieldCoding {
  init(_ coder: AttributeCoder<V>) {
    self.init(
      name: coder.name, isOptional: false, encode: { coder.stored($0) },
      decode: { $0.flatMap { try? coder.decode($0) } })
  }

  init<Wrapped>(optional coder: AttributeCoder<Wrapped>) where V == Wrapped? {
    self.init(
      name: coder.name, isOptional: true, encode: { coder.stored($0) },
      decode: { .some($0.flatMap { try? coder.decode($0) }) })
  }

  init(
    _ name: String, _ encode: @escaping @Sendable (V) -> Data?,
    _ decode: @escaping @Sendable (Data?) -> V
  ) {
    self.init(
      name: name, isOptional: true, encode: { encode($0).map { .blob($0) } ?? .null },
      decode: { .some(decode($0)) })
  }
}

extension FieldContainer.Slotted where V: Sendable {
  /// The number of an attribute, whose class records its description when a prototype is made.
  static func take(
    _ name: String, _ modifier: String?, _ formerName: String?, _ getter: Getter?,
    _ setter: Setter?, _ coding: () -> FieldCoding<V>, value: () -> V? = { nil },
    initial: (@Sendable () -> V)? = nil
  ) -> Int16 {
    let isCustom = getter != nil || setter != nil
    let slot = O.takeSlot { () -> AttributeRecord in
      let coding = coding()
      let made = initial.map { make -> @Sendable () -> Value in { coding.encode(make()) } }
      return AttributeRecord(
        name: name, type: coding.type, isOptional: coding.isOptional,
        defaultValue: value().map(coding.encode) ?? .null, renamedFrom: formerName,
        hashModifier: modifier, initial: made,
        coder: coding.type == .coded ? (coding.name, coding) : nil,
        access: isCustom ? FieldAccess<O, V>(getter: getter, setter: setter) : nil)
    }
    return isCustom ? ~slot : slot
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
