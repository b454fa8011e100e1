import Basics
public import DatastoreCore
import Foundation

/// A property whose value an `ObjectSnapshot` has: every stored attribute and relationship.
public protocol SnapshotProperty: EntityProperty {
  /// The type of the value in a snapshot: identifiers in place of objects.
  associatedtype SnapshotValue
  /// The value in a snapshot.
  ///
  /// - Parameters:
  ///   - slot: the number of the property.
  ///   - row: the values of the snapshot.
  static func value(at slot: Slot, in row: SnapshotRow) -> SnapshotValue
}

/// A property that can be set in a copy of a snapshot: attributes and to-one relationships.
public protocol WritableSnapshotProperty: SnapshotProperty {
  /// The stored form of a value.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - slot: the number of the property.
  ///   - row: the values of the snapshot in which it is set.
  static func storedValue(
    ofSnapshot value: SnapshotValue, at slot: Slot, in row: SnapshotRow
  ) -> Value
}

extension Attribute.NotOptionalProperty: WritableSnapshotProperty {
  /// Traps when a new object had no value yet, as reading the property does.
  public static func value(at slot: Slot, in row: SnapshotRow) -> T {
    if let value: T = row.attribute(at: slot) { return value }
    let name = "\(row.entity.name).\(row.entity.properties[slot].name)"
    let stored = row.value(at: slot)
    trap(
      stored.isNull
        ? "\(name) of \(row.objectID) had no value when the snapshot was made"
        : "\(name) of \(row.objectID) holds \(stored), which is not of its type")
  }

  public static func storedValue(
    ofSnapshot value: T, at slot: Slot, in row: SnapshotRow
  ) -> Value { value.storedValue }
}

extension Attribute.OptionalProperty: WritableSnapshotProperty {
  public static func value(at slot: Slot, in row: SnapshotRow) -> T? { row.attribute(at: slot) }

  public static func storedValue(
    ofSnapshot value: T?, at slot: Slot, in row: SnapshotRow
  ) -> Value { value?.storedValue ?? .null }
}

extension Attribute.EnumProperty: WritableSnapshotProperty {
  public static func value(at slot: Slot, in row: SnapshotRow) -> T? {
    let raw: T.RawValue? = row.attribute(at: slot)
    return raw.flatMap(T.init(rawValue:))
  }

  public static func storedValue(
    ofSnapshot value: T?, at slot: Slot, in row: SnapshotRow
  ) -> Value {
    value?.rawValue.storedValue ?? .null
  }
}

extension Attribute.Coded.Property: WritableSnapshotProperty {
  /// Decodes the value. O(size).
  public static func value(at slot: Slot, in row: SnapshotRow) -> T? {
    let data: Data? = row.attribute(at: slot)
    return data.flatMap { try? Attribute.Coded<T>.coder(at: slot, in: row).decode($0) }
  }

  public static func storedValue(
    ofSnapshot value: T?, at slot: Slot, in row: SnapshotRow
  ) -> Value {
    Attribute.Coded<T>.coder(at: slot, in: row).stored(value)
  }
}

extension Attribute.Coded.NotOptional.Property: WritableSnapshotProperty {
  /// Decodes the value, or makes that of a new object when it cannot be decoded. O(size).
  public static func value(at slot: Slot, in row: SnapshotRow) -> T {
    let data: Data? = row.attribute(at: slot)
    return data.flatMap { try? Attribute.Coded<T>.coder(at: slot, in: row).decode($0) }
      ?? Attribute.Coded<T>.valueOfNewObjects(in: row.type, slot)
  }

  public static func storedValue(
    ofSnapshot value: T, at slot: Slot, in row: SnapshotRow
  ) -> Value {
    Attribute.Coded<T>.coder(at: slot, in: row).stored(value)
  }
}

extension Attribute.Coded {
  fileprivate static func coder(at slot: Slot, in row: SnapshotRow) -> AttributeCoder<T> {
    row.entity.codedSlots.contains(slot) ? coder(in: row.type, slot) : .json
  }
}

extension Relationship.ToOne.Property: WritableSnapshotProperty {
  public static func value(at slot: Slot, in row: SnapshotRow) -> DatastoreObjectID? {
    row.destination(at: slot)
  }

  public static func storedValue(
    ofSnapshot value: DatastoreObjectID?, at slot: Slot, in row: SnapshotRow
  ) -> Value {
    value.map { .key($0.key) } ?? .null
  }
}

extension Relationship.ToMany.Property: SnapshotProperty {
  /// nil when the snapshot was made without the members.
  public static func value(at slot: Slot, in row: SnapshotRow) -> Set<DatastoreObjectID>? {
    row.members(at: slot).map { Set($0) }
  }
}

extension Relationship.ToMany.Ordered.Property: SnapshotProperty {
  /// In their order; nil when the snapshot was made without the members.
  public static func value(at slot: Slot, in row: SnapshotRow) -> [DatastoreObjectID]? {
    row.members(at: slot)
  }
}
