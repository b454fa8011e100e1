import DatastoreCore

/// One property with its value in a record of `upsert`: `PropertyToUpsert(\.$age, 3)`.
public struct PropertyToUpsert<T: DatastoreObject>: Sendable {
  let content: UpsertedValue

  /// An attribute or an enum. nil removes the value; for a property that must have one it says nothing of a new object.
  ///
  /// - Parameters:
  ///   - keyPath: the property.
  ///   - value: its value.
  public init<P: ComparableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable, _ value: P.KeyPathType?
  ) {
    content = UpsertedValue(
      slot: ClassReflection.of(T.self).slot(of: keyPath), keySlot: nil,
      value: value.map(P.storedValue(of:)) ?? .null)
  }

  /// A relationship to the object that has a value for one of its attributes.
  ///
  /// ```swift
  /// .init(\.$company, keyedBy: \.$name, "Acme")
  /// ```
  ///
  /// - Parameters:
  ///   - keyPath: the relationship, to one object.
  ///   - attribute: an attribute of the class that it leads to; of several objects with the value, the first counts.
  ///   - value: what the object holds there; nil leads to none.
  public init<
    R: RelationshipProperty & ComparableProperty, P: FetchableProperty & ComparableProperty
  >(
    _ keyPath: any KeyPath<T, R> & Sendable,
    keyedBy attribute: any KeyPath<R.Destination, P> & Sendable, _ value: P.KeyPathType?
  ) {
    content = UpsertedValue(
      slot: ClassReflection.of(T.self).slot(of: keyPath),
      keySlot: ClassReflection.of(R.Destination.self).slot(of: attribute),
      value: value.map(P.storedValue(of:)) ?? .null)
  }
}

/// One value of a record: of an attribute, of a relationship as a key, or of the attribute by which the object that a
/// relationship leads to is found.
struct UpsertedValue: Sendable {
  let slot: Slot
  /// The attribute of the other side; nil where the value is what is stored.
  let keySlot: Slot?
  let value: Value
}

/// What `upsert` has done.
public struct UpsertResult: Sendable, Hashable {
  /// How many records have made a new object.
  public internal(set) var insertedCount = 0
  /// How many records were about an object that was there, which has their values now.
  public internal(set) var updatedCount = 0
  /// How many records were left out.
  public internal(set) var skippedCount = 0
}
