import Basics
public import DatastoreCore

/// One property with its value in a record of `upsert`: `PropertyToUpsert(\.$age, 3)`.
public struct PropertyToUpsert<T: DatastoreObject>: Sendable {
  // The only stored property: records are read as values of its type (`withValues`).
  @usableFromInline let content: UpsertedValue

  /// An attribute or an enum. nil removes the value; for a required property of a new object it has no
  /// effect.
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

  /// A relationship to the object that has a value in one of its attributes.
  ///
  /// ```swift
  /// .init(\.$company, keyedBy: \.$name, "Acme")
  /// ```
  ///
  /// - Parameters:
  ///   - keyPath: the to-one relationship.
  ///   - attribute: an attribute of its destination class; of several objects with the value, the first
  ///     counts.
  ///   - value: the value of that attribute; nil for no destination.
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
  /// The values of a record. As properties of `T`, which is known at run time only, each would be copied
  /// through its metadata: that took a third of the time of `upsert`.
  static func withValues(
    of record: [PropertyToUpsert], _ body: (UnsafeBufferPointer<UpsertedValue>) -> Void
  ) {
    // A struct with one stored property has the layout of that property.
    record.withUnsafeBufferPointer { $0.withMemoryRebound(to: UpsertedValue.self, body) }
  }
}

/// A value of a record and its target: an attribute, or the attribute that identifies the destination of a
/// relationship.
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

  /// Whether both have the same key paths: a key path literal is one object, however often it is evaluated.
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

/// The target of a value: an attribute or relationship.
struct UpsertedPlace: Hashable {
  let slot: Slot
  /// The attribute of the destination; nil if the value is stored as it is.
  let keySlot: Slot?
}

/// The targets of values in records, remembered in the order of the last record, because most records name
/// the same properties. Asking the class for each took a quarter of the time of `upsert`.
struct UpsertedPlaces {
  let type: DatastoreObject.Type
  private var known: [(value: UpsertedValue, place: UpsertedPlace)] = []

  init(of type: DatastoreObject.Type) { self.type = type }

  /// - Parameter index: the index of the value in its record.
  mutating func place(of value: UpsertedValue, at index: Int) -> UpsertedPlace {
    if index < known.count, known[index].value.isNamed(like: value) { return known[index].place }
    let place = value.place(in: type)
    known.removeSubrange(min(index, known.count)...)
    known.append((value, place))
    return place
  }
}

/// The result of `upsert`.
public struct UpsertResult: Sendable, Hashable {
  /// The number of records that made a new object.
  public internal(set) var insertedCount = 0
  /// The number of records that belonged to an existing object, which now has their values.
  public internal(set) var updatedCount = 0
  /// The number of records that were left out.
  public internal(set) var skippedCount = 0
}
