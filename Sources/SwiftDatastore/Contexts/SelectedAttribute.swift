package import DatastoreCore

/// One value in the dictionaries of `dictionaries(_:)`, and its key there.
public struct SelectedAttribute<T: DatastoreObject>: Sendable {
  let key: String
  package let term: QueryColumn.Term
  /// The type of an aggregate, by its kind and the property; nil for a property itself and for an identifier.
  let aggregateType: (any AttributeValueType.Type)?
  let read: @Sendable (SelectedRow) throws -> Any?

  private init(_ property: PropertyToFetch<T>, _ alias: String?) {
    key = alias ?? property.name
    term = .value(property.operand)
    aggregateType = nil
    read = { property.typed($0.stored()) }
  }

  /// A property by its name, or an aggregate of one: `count`, `average`, `max`, `min` or `sum`.
  ///
  /// - Throws: `PredicateSyntaxError` when the class has no such property.
  package init(function: String?, named name: String, as alias: String?) throws {
    let property = try NamedProperty(name, of: T.self)
    let operand = property.operand
    let type = property.type.valueType
    let term: QueryColumn.Term
    switch (function, operand) {
    // A to-many relationship already stands for the number of its objects.
    case (nil, _), ("count", .count): term = .value(operand)
    case ("count", _): term = .count(operand)
    case ("average", _): term = .aggregate(.average, operand)
    case ("max", _): term = .aggregate(.maximum, operand)
    case ("min", _): term = .aggregate(.minimum, operand)
    default: term = .aggregate(.sum, operand)
    }
    key = alias ?? function.map { "\($0)(\(name))" } ?? name
    self.term = term
    if term.isAggregate {
      let result = term.resultType(of: type)
      aggregateType = result
      read = { try $0.aggregate(term, as: result) }
    } else {
      aggregateType = nil
      read = { type.init(storedValue: $0.stored()) }
    }
  }

  private init<Value: AttributeValueType>(
    _ aggregate: Aggregate<T, Value>, _ name: String, of property: PropertyToFetch<T>,
    _ alias: String?
  ) {
    self.init(alias ?? "\(name)(\(property.name))", aggregate)
  }
}

extension SelectedAttribute {
  /// The identifier of the object itself, a `DatastoreObjectID`.
  ///
  /// - Parameter alias: its key; `objectID` if nil.
  public static func objectID(as alias: String? = nil) -> SelectedAttribute {
    SelectedAttribute(alias ?? "objectID", .key([])) { $0.objectID() }
  }

  private init(
    _ key: String, _ term: QueryColumn.Term,
    _ read: @escaping @Sendable (SelectedRow) throws -> Any?
  ) {
    self.key = key
    self.term = term
    aggregateType = nil
    self.read = read
  }

  private init<Value: AttributeValueType>(_ key: String, _ aggregate: Aggregate<T, Value>) {
    let term = aggregate.term
    self.key = key
    self.term = term
    aggregateType = Value.self
    read = { try $0.aggregate(term, as: Value.self) }
  }

  /// An attribute; the raw value of an enum.
  ///
  /// - Parameters:
  ///   - keyPath: the attribute, or the number of related objects, like `\.$friends.count`.
  ///   - alias: its key; the name of the property if nil.
  public static func attribute<P: FetchableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable, as alias: String? = nil
  ) -> SelectedAttribute {
    SelectedAttribute(PropertyToFetch(keyPath), alias)
  }

  /// The number of objects that have a value.
  ///
  /// - Parameters:
  ///   - keyPath: the attribute.
  ///   - alias: its key; `count(age)` if nil.
  public static func count<P: FetchableProperty & ComparableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable, as alias: String? = nil
  ) -> SelectedAttribute {
    SelectedAttribute(Aggregate.count(keyPath), "count", of: PropertyToFetch(keyPath), alias)
  }

  /// The number of objects.
  ///
  /// - Parameter alias: its key; `count` if nil.
  public static func count(as alias: String? = nil) -> SelectedAttribute {
    SelectedAttribute(alias ?? "count", Aggregate<T, Int>.count())
  }

  /// The mean of the numbers, a `Double`.
  ///
  /// - Parameters:
  ///   - keyPath: the attribute.
  ///   - alias: its key; `average(age)` if nil.
  public static func average<P: FetchableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable, as alias: String? = nil
  ) -> SelectedAttribute {
    SelectedAttribute(Aggregate.average(keyPath), "average", of: PropertyToFetch(keyPath), alias)
  }

  /// The greatest value.
  ///
  /// - Parameters:
  ///   - keyPath: the attribute.
  ///   - alias: its key; `max(age)` if nil.
  public static func maximum<P: FetchableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable, as alias: String? = nil
  ) -> SelectedAttribute {
    SelectedAttribute(
      Aggregate<T, P.FetchedValue>.maximum(keyPath), "max", of: PropertyToFetch(keyPath), alias)
  }

  /// The least value.
  ///
  /// - Parameters:
  ///   - keyPath: the attribute.
  ///   - alias: its key; `min(age)` if nil.
  public static func minimum<P: FetchableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable, as alias: String? = nil
  ) -> SelectedAttribute {
    SelectedAttribute(
      Aggregate<T, P.FetchedValue>.minimum(keyPath), "min", of: PropertyToFetch(keyPath), alias)
  }

  /// The sum of the numbers, in the type that their type sums to: an `Int` for small whole numbers and
  /// `Bool`.
  ///
  /// - Parameters:
  ///   - keyPath: the attribute.
  ///   - alias: its key; `sum(age)` if nil.
  public static func sum<P: FetchableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable, as alias: String? = nil
  ) -> SelectedAttribute {
    SelectedAttribute(
      Aggregate<T, P.FetchedValue.SumValue>.sum(keyPath), "sum", of: PropertyToFetch(keyPath), alias
    )
  }
}
