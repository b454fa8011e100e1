import DatastoreCore

/// One property with its value in a record of `upsert`: `PropertyToUpsert(\.$age, 3)`.
public struct PropertyToUpsert<T: DatastoreObject>: Sendable {
  fileprivate let keyPath: any AnyKeyPath & Sendable
  /// The attribute by which the object that a relationship leads to is found, and the class of that.
  fileprivate let attribute: (keyPath: any AnyKeyPath & Sendable, type: DatastoreObject.Type)?
  let value: Value

  /// An attribute or an enum. nil removes the value; for a property that must have one it says nothing of a new object.
  ///
  /// - Parameters:
  ///   - keyPath: the property.
  ///   - value: its value.
  public init<P: ComparableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable, _ value: P.KeyPathType?
  ) {
    self.keyPath = keyPath
    attribute = nil
    self.value = value.map(P.storedValue(of:)) ?? .null
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
    self.keyPath = keyPath
    self.attribute = (attribute, R.Destination.self)
    self.value = value.map(P.storedValue(of:)) ?? .null
  }
}

/// What a value of a record is one of: an attribute, a relationship as a key, or the attribute by which the object that
/// a relationship leads to is found.
struct UpsertedPlace: Hashable {
  let slot: Slot
  /// The attribute of the other side; nil where the value is what is stored.
  let keySlot: Slot?
}

/// What the properties of records stand for, remembered in the order of the last record: most records name the same
/// ones. Asked of the class for every value, that took a third of the time of `upsert`.
struct UpsertedPlaces<T: DatastoreObject> {
  private var known: [(property: PropertyToUpsert<T>, place: UpsertedPlace)] = []

  /// - Parameter index: the number of the property in its record.
  mutating func place(of property: PropertyToUpsert<T>, at index: Int) -> UpsertedPlace {
    if index < known.count, known[index].property.isNamed(like: property) {
      return known[index].place
    }
    let place = property.place
    known.removeSubrange(min(index, known.count)...)
    known.append((property, place))
    return place
  }
}

extension PropertyToUpsert {
  /// Whether it is given by the same key paths: a literal is one object, wherever it stands.
  fileprivate func isNamed(like other: Self) -> Bool {
    keyPath === other.keyPath && attribute?.keyPath === other.attribute?.keyPath
  }

  fileprivate var place: UpsertedPlace {
    UpsertedPlace(
      slot: Self.slot(of: keyPath, in: T.self),
      keySlot: attribute.map { Self.slot(of: $0.keyPath, in: $0.type) })
  }

  private static func slot(of keyPath: AnyKeyPath, in type: DatastoreObject.Type) -> Slot {
    guard let slot = ClassReflection.of(type).slot(ofAny: keyPath) else {
      preconditionFailure("the key path of a property stands for one of its class")
    }
    return slot
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
