public import DatastoreCore
public import SwiftDatastore

/// An order of a class.
public protocol OrderByClause<ObjectType>: FetchClause {
  /// The class of the objects.
  associatedtype ObjectType: DatastoreObject
  /// The keys, the most significant first.
  var sortKeys: [OrderBy<ObjectType>.SortKey] { get }
}

extension OrderByClause {
  /// The keys without the class.
  public var sortDescriptors: [DatastoreCore.SortDescriptor] { sortKeys.map(\.sortDescriptor) }
}

/// An order as a clause: keys that are compared one after the other.
///
/// ```swift
/// var orderBy = OrderBy<Person>(.descending(\.$rating))
/// if sortFromYoungest { orderBy += OrderBy(.ascending(\.$age)) }
/// ```
///
/// It shadows the `OrderBy` of SwiftDatastore, which is a single key: `SortKey` here.
public struct OrderBy<O: DatastoreObject>: OrderByClause, Hashable {
  public typealias ObjectType = O
  /// One key.
  public typealias SortKey = SwiftDatastore::OrderBy<O>

  /// The keys.
  public var sortKeys: [SortKey]

  /// An order by these keys, the most significant first.
  public init(_ sortKeys: SortKey...) { self.sortKeys = sortKeys }

  /// An order by an array of keys, the most significant first.
  public init(_ sortKeys: [SortKey]) { self.sortKeys = sortKeys }

  public func applied<T>(to query: From<T>) -> From<T> {
    query.orderBy(sortDescriptors.map(SwiftDatastore::OrderBy<T>.init))
  }

  /// The keys of the left order, then those of the right one.
  public static func + (left: OrderBy, right: OrderBy) -> OrderBy { [left, right].combined() }

  /// Appends the keys of another order.
  public static func += (left: inout OrderBy, right: OrderBy) { left.sortKeys += right.sortKeys }
}

extension Sequence where Element: OrderByClause {
  /// The keys of all orders, one after the other.
  public func combined() -> OrderBy<Element.ObjectType> { OrderBy(flatMap(\.sortKeys)) }
}

extension SwiftDatastore::OrderBy {
  /// Ascending order of an attribute or a to-one relationship: `asc(_:)`.
  public static func ascending<P: EntityProperty & QueryProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable
  ) -> Self { .asc(keyPath) }

  /// Descending order of an attribute or a to-one relationship: `desc(_:)`.
  public static func descending<P: EntityProperty & QueryProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable
  ) -> Self { .desc(keyPath) }

  /// Ascending order of a property that a closure names: `.ascending { $0.$age }`.
  public static func ascending<P: QueryProperty>(
    _ property: (PropertyPaths<T>) -> PropertyPath<T, P>
  ) -> Self { .asc(property(PropertyPaths())) }

  /// Descending order of a property that a closure names.
  public static func descending<P: QueryProperty>(
    _ property: (PropertyPaths<T>) -> PropertyPath<T, P>
  ) -> Self { .desc(property(PropertyPaths())) }

  /// Ascending order of a property by its name, or several with dots between them. Traps when there is none.
  public static func ascending(_ keyPath: String) -> Self { named(keyPath, ascending: true) }

  /// Descending order of a property by its name. Traps when there is none.
  public static func descending(_ keyPath: String) -> Self { named(keyPath, ascending: false) }

  private static func named(_ keyPath: String, ascending: Bool) -> Self {
    let property = naming(T.self) { try NamedProperty(keyPath, of: T.self) }
    return Self(SortDescriptor(property.operand, ascending: ascending))
  }
}
