public import DatastoreCore

/// A value computed over all objects of a group: `.sum(\.$salary)`, `.count()`.
///
/// Missing values do not count. Every aggregate of nothing is nil, except `count`. The result type follows
/// from the aggregate: a count is an `Int`, an average a `Double`, minimum and maximum have the type of the
/// property, and a sum has the property's `SumValue`. A result that does not fit its type, such as a sum of
/// whole numbers beyond 64 bits, throws `AggregateValueError`.
///
/// The operand is a property of the objects (`\.$salary`, `\.$tasks.count`, `\.$hiredAt.year`), or one behind
/// to-one relationships (`\.$company ~ \.$name`). A path through a to-many relationship traps, because it has
/// more than one value.
public struct Aggregate<T: DatastoreObject, Result: AttributeValueType>: Sendable, Hashable {
  package let term: QueryColumn.Term
}

extension Aggregate where Result == Int {
  /// The number of objects.
  public static func count() -> Aggregate { Aggregate(term: .countRows) }

  /// The number of objects that have a value.
  ///
  /// - Parameter keyPath: the property, like `\.$name`.
  public static func count<P: ComparableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable
  ) -> Aggregate {
    count(PropertyPath(keyPath))
  }

  /// The number of objects that have a value behind to-one relationships.
  ///
  /// - Parameter path: the property, like `\.$company ~ \.$name`.
  public static func count<P>(_ path: PropertyPath<T, P>) -> Aggregate {
    Aggregate(term: .count(path.requireOneValue("counted").operand))
  }

  /// The number of distinct values.
  ///
  /// - Parameter keyPath: the property, like `\.$name`.
  public static func count<P: QueryProperty & EntityProperty>(
    distinct keyPath: any KeyPath<T, P> & Sendable
  ) -> Aggregate {
    count(distinct: PropertyPath(keyPath))
  }

  /// The number of distinct values behind to-one relationships.
  ///
  /// - Parameter path: the property, like `\.$company ~ \.$name`.
  public static func count<P>(distinct path: PropertyPath<T, P>) -> Aggregate {
    Aggregate(term: .countDistinct(path.requireOneValue("counted").operand))
  }
}

extension Aggregate where Result == Double {
  /// The mean of the numbers.
  ///
  /// - Parameter keyPath: the property, like `\.$name`.
  public static func average<P: FetchableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable
  ) -> Aggregate {
    average(PropertyPath(keyPath))
  }

  /// The mean of the numbers behind to-one relationships.
  ///
  /// - Parameter path: the property, like `\.$company ~ \.$name`.
  public static func average<P: FetchableProperty>(_ path: PropertyPath<T, P>) -> Aggregate {
    Aggregate(.average, path)
  }
}

extension Aggregate {
  fileprivate init<P>(_ aggregate: Predicate.Aggregate, _ path: PropertyPath<T, P>) {
    term = .aggregate(aggregate, path.requireOneValue("aggregated").operand)
  }

  /// The sum of the numbers, in the type that their type sums to: an `Int` for small whole numbers and
  /// `Bool`. Decimals of more than 15 digits, which are stored as text, do not count.
  ///
  /// - Parameter keyPath: the property, like `\.$name`.
  public static func sum<P: FetchableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable
  ) -> Aggregate where P.FetchedValue.SumValue == Result {
    sum(PropertyPath(keyPath))
  }

  /// The sum of the numbers behind to-one relationships.
  ///
  /// - Parameter path: the property, like `\.$company ~ \.$name`.
  public static func sum<P: FetchableProperty>(
    _ path: PropertyPath<T, P>
  ) -> Aggregate where P.FetchedValue.SumValue == Result {
    Aggregate(.sum, path)
  }

  /// The least value.
  ///
  /// - Parameter keyPath: the property, like `\.$name`.
  public static func minimum<P: FetchableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable
  ) -> Aggregate where P.FetchedValue == Result {
    minimum(PropertyPath(keyPath))
  }

  /// The least value behind to-one relationships.
  ///
  /// - Parameter path: the property, like `\.$company ~ \.$name`.
  public static func minimum<P: FetchableProperty>(
    _ path: PropertyPath<T, P>
  ) -> Aggregate where P.FetchedValue == Result {
    Aggregate(.minimum, path)
  }

  /// The greatest value.
  ///
  /// - Parameter keyPath: the property, like `\.$name`.
  public static func maximum<P: FetchableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable
  ) -> Aggregate where P.FetchedValue == Result {
    maximum(PropertyPath(keyPath))
  }

  /// The greatest value behind to-one relationships.
  ///
  /// - Parameter path: the property, like `\.$company ~ \.$name`.
  public static func maximum<P: FetchableProperty>(
    _ path: PropertyPath<T, P>
  ) -> Aggregate where P.FetchedValue == Result {
    Aggregate(.maximum, path)
  }
}

/// The error of an aggregate whose result does not fit its type.
public struct AggregateValueError: Error, Sendable, CustomStringConvertible {
  /// The aggregate: `sum of salary`.
  public let aggregate: String
  /// The result.
  public let value: Value

  public var description: String {
    "The \(aggregate) is \(value), which does not fit the type it is asked for."
  }
}

extension QueryColumn.Term {
  /// The aggregate in an error message.
  var title: String {
    switch self {
    case .countRows: "number of objects"
    case .count(let operand): "number of values of \(operand)"
    case .countDistinct(let operand): "number of different values of \(operand)"
    case .aggregate(let aggregate, let operand): "\(aggregate.rawValue) of \(operand)"
    case .value(.aggregate(let aggregate, let path)):
      "\(aggregate.rawValue) of \(path.joined(separator: "."))"
    case .everything, .value, .key: description
    }
  }

  /// Converts a result to its type; nil if there were no values to compute it from.
  ///
  /// - Throws: `AggregateValueError`.
  package func value<Result: AttributeValueType>(
    _ stored: Value, as type: Result.Type
  ) throws(AggregateValueError) -> Result? {
    if stored.isNull { return nil }
    guard let value = Result(storedValue: stored), !(value is Bool) || isTruth(stored) else {
      throw AggregateValueError(aggregate: title, value: stored)
    }
    return value
  }

  /// Whether a result can be read as true or false: a count or a sum can only if it is 0 or 1.
  private func isTruth(_ stored: Value) -> Bool {
    switch self {
    case .aggregate(.minimum, _), .aggregate(.maximum, _), .everything, .value, .key: true
    case .countRows, .count, .countDistinct, .aggregate:
      [.integer(0), .integer(1)].contains(stored)
    }
  }

  /// The result type of the aggregate for a property of a type.
  package func resultType(of type: any AttributeValueType.Type) -> any AttributeValueType.Type {
    func sum<Summed: AttributeValueType>(_ type: Summed.Type) -> any AttributeValueType.Type {
      Summed.SumValue.self
    }
    switch self {
    case .countRows, .count, .countDistinct: return Int.self
    case .aggregate(.average, _): return Double.self
    case .aggregate(.sum, _): return sum(type)
    case .aggregate(.minimum, _), .aggregate(.maximum, _), .everything, .value, .key: return type
    }
  }
}
