import Basics
public import DatastoreCore

/// One property with its value in a record of `upsert`: `PropertyToUpsert(\.$age, 3)`.
public struct PropertyToUpsert<T: DatastoreObject>: Sendable {
  // Nothing else: records are read as values of that type (`withValues`).
  @usableFromInline let content: UpsertedValue

  /// An attribute or an enum. nil removes the value; for a property that must have one it says nothing of a
  /// new object.
  ///
  /// - Parameters:
  ///   - keyPath: the property.
  ///   - value: its value.
  @inlinable
  public init<P: ComparableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable, _ value: P.KeyPathType?
  ) {
    content = UpsertedValue(keyPath, value.map(P.storedValue(of:)) ?? .null)
  }

  /// A relationship to the object that has a value for one of its attributes.
  ///
  /// ```swift
  /// .init(\.$company, keyedBy: \.$name, "Acme")
  /// ```
  ///
  /// - Parameters:
  ///   - keyPath: the relationship, to one object.
  ///   - attribute: an attribute of the class that it leads to; of several objects with the value, the first
  ///     counts.
  ///   - value: what the object holds there; nil leads to none.
  @inlinable
  public init<
    R: RelationshipProperty & ComparableProperty, P: FetchableProperty & ComparableProperty
  >(
    _ keyPath: any KeyPath<T, R> & Sendable,
    keyedBy attribute: any KeyPath<R.Destination, P> & Sendable, _ value: P.KeyPathType?
  ) {
    content = UpsertedValue(
      keyPath, value.map(P.storedValue(of:)) ?? .null,
      keyedBy: .init(keyPath: attribute, type: R.Destination.self))
  }
}

extension PropertyToUpsert {
  /// The values of a record. As properties of `T`, which is known at run time only, each would be copied by
  /// way of its metadata: that took a third of the time of `upsert`.
  static func withValues(
    of record: [PropertyToUpsert], _ body: (UnsafeBufferPointer<UpsertedValue>) -> Void
  ) {
    // A struct of one value is laid out like that value.
    record.withUnsafeBufferPointer { $0.withMemoryRebound(to: UpsertedValue.self, body) }
  }
}

/// A value of a record, and what it is one of: an attribute, or the attribute by which the object that a
/// relationship leads to is found.
@usableFromInline
struct UpsertedValue: Sendable {
  /// An attribute of another class.
  @usableFromInline
  struct OtherAttribute: Sendable {
    let keyPath: any AnyKeyPath & Sendable
    let type: DatastoreObject.Type

    @usableFromInline
    init(keyPath: any AnyKeyPath & Sendable, type: DatastoreObject.Type) {
      self.keyPath = keyPath
      self.type = type
    }
  }

  let keyPath: any AnyKeyPath & Sendable
  let attribute: OtherAttribute?
  let value: Value

  @usableFromInline
  init(
    _ keyPath: any AnyKeyPath & Sendable, _ value: Value, keyedBy attribute: OtherAttribute? = nil
  ) {
    self.keyPath = keyPath
    self.attribute = attribute
    self.value = value
  }

  /// Whether it is given by the same key paths: a literal is one object, however often it is evaluated.
  fileprivate func isNamed(like other: UpsertedValue) -> Bool {
    keyPath === other.keyPath && attribute?.keyPath === other.attribute?.keyPath
  }

  fileprivate func place(in type: DatastoreObject.Type) -> UpsertedPlace {
    UpsertedPlace(
      slot: Self.slot(of: keyPath, in: type),
      keySlot: attribute.map { Self.slot(of: $0.keyPath, in: $0.type) })
  }

  private static func slot(of keyPath: AnyKeyPath, in type: DatastoreObject.Type) -> Slot {
    guard let slot = ClassReflection.of(type).slot(ofAny: keyPath) else {
      trap("the key path of a property names one of its class")
    }
    return slot
  }
}

/// Where a value goes: to an attribute or relationship.
struct UpsertedPlace: Hashable {
  let slot: Slot
  /// The attribute of the other side; nil where the value is what is stored.
  let keySlot: Slot?
}

/// What the values of records are given by, remembered in the order of the last record: most records name the
/// same properties. To ask the class for each took a quarter of the time of `upsert`.
struct UpsertedPlaces {
  let type: DatastoreObject.Type
  private var known: [(value: UpsertedValue, place: UpsertedPlace)] = []

  init(of type: DatastoreObject.Type) { self.type = type }

  /// - Parameter index: the number of the value in its record.
  mutating func place(of value: UpsertedValue, at index: Int) -> UpsertedPlace {
    if index < known.count, known[index].value.isNamed(like: value) { return known[index].place }
    let place = value.place(in: type)
    known.removeSubrange(min(index, known.count)...)
    known.append((value, place))
    return place
  }
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
