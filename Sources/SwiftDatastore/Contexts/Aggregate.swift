public import DatastoreCore
import DatastoreSQLite

/// A value computed over all objects of a group: `.sum(\.$salary)`, `.count()`.
///
/// Missing values do not count. `sum` of whole numbers that does not fit its type reads as nil, and so
/// does every aggregate but `count` over nothing.
public struct Aggregate<T: DatastoreObject, Result: AttributeValueType>: Sendable {
  let term: SQLiteStore.AggregateTerm
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

/// A condition on groups: `Having(.average(\.$salary), .greaterThan, 3000)`.
public struct Having<T: DatastoreObject>: Sendable {
  let condition: SQLiteStore.GroupCondition

  /// - Parameters:
  ///   - aggregate: what is computed of each group.
  ///   - comparator: one that compares two values: not `in`, `between` or one for text.
  ///   - value: what it is compared with.
  public init<Result>(
    _ aggregate: Aggregate<T, Result>, _ comparator: Predicate.Comparator, _ value: Result
  ) {
    condition = SQLiteStore.GroupCondition(aggregate.term, comparator, value.storedValue)
  }
}
