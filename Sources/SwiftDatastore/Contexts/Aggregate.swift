public import DatastoreCore

/// A value computed over all objects of a group: `.sum(\.$salary)`, `.count()`.
///
/// Missing values do not count. Every aggregate but `count` over nothing is nil. One that does not fit its type
/// is an `AggregateValueError`: a sum of whole numbers that is greater than their type holds.
public struct Aggregate<T: DatastoreObject, Result: AttributeValueType>: Sendable {
  let term: AggregateTerm
}

extension Aggregate where Result == Int {
  /// The number of objects.
  public static func count() -> Aggregate { Aggregate(term: .countRows) }

  /// The number of objects that have a value.
  public static func count<P: ComparableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable
  ) -> Aggregate {
    Aggregate(term: .count([ClassReflection.of(T.self).name(of: keyPath)]))
  }
}

extension Aggregate where Result == Double {
  /// The mean of the numbers.
  public static func average<P: FetchableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable
  ) -> Aggregate {
    Aggregate(term: .aggregate(.average, [ClassReflection.of(T.self).name(of: keyPath)]))
  }
}

extension Aggregate {
  /// The sum of the numbers. Decimals of more than 15 digits, which are stored as text, do not count.
  public static func sum<P: FetchableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable
  ) -> Aggregate where P.FetchedValue == Result {
    Aggregate(term: .aggregate(.sum, [ClassReflection.of(T.self).name(of: keyPath)]))
  }

  /// The least value.
  public static func minimum<P: FetchableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable
  ) -> Aggregate where P.FetchedValue == Result {
    Aggregate(term: .aggregate(.minimum, [ClassReflection.of(T.self).name(of: keyPath)]))
  }

  /// The greatest value.
  public static func maximum<P: FetchableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable
  ) -> Aggregate where P.FetchedValue == Result {
    Aggregate(term: .aggregate(.maximum, [ClassReflection.of(T.self).name(of: keyPath)]))
  }
}

/// An aggregate whose value its type cannot hold.
public struct AggregateValueError: Error, Sendable, CustomStringConvertible {
  /// The aggregate: `sum of salary`.
  public let aggregate: String
  /// What was computed.
  public let value: Value

  public var description: String {
    "The \(aggregate) is \(value), which does not fit the type it is asked for."
  }
}

extension AggregateTerm {
  /// As an error names it.
  var title: String {
    switch self {
    case .countRows: "number of objects"
    case .count(let path): "number of values of \(path.joined(separator: "."))"
    case .aggregate(let aggregate, let path):
      "\(aggregate.rawValue) of \(path.joined(separator: "."))"
    }
  }

  /// A value of this aggregate as its type; nil where there was nothing to compute it of.
  ///
  /// - Throws: `AggregateValueError`.
  func value<Result: AttributeValueType>(
    _ stored: Value, as type: Result.Type
  ) throws(AggregateValueError) -> Result? {
    if stored.isNull { return nil }
    guard let value = Result(storedValue: stored) else {
      throw AggregateValueError(aggregate: title, value: stored)
    }
    return value
  }
}

/// A condition on groups: `Having(.average(\.$salary), .greaterThan, 3000)`.
public struct Having<T: DatastoreObject>: Sendable {
  let condition: GroupCondition

  /// - Parameters:
  ///   - aggregate: what is computed of each group.
  ///   - comparator: one that compares two values: not `in`, `between` or one for text.
  ///   - value: what it is compared with.
  public init<Result>(
    _ aggregate: Aggregate<T, Result>, _ comparator: Predicate.Comparator, _ value: Result
  ) {
    condition = GroupCondition(aggregate.term, comparator, value.storedValue)
  }
}
