public import DatastoreCore
public import SwiftDatastore

/// An order of a class.
public protocol OrderByClause<ObjectType>: FetchClause {
  /// The class of the objects.
  associatedtype ObjectType: DatastoreObject
  /// What is compared first, second and so on.
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
/// It shadows the `OrderBy` of SwiftDatastore, which is one key: `SortKey` here.
public struct OrderBy<O: DatastoreObject>: OrderByClause, Hashable {
  public typealias ObjectType = O
  /// One key.
  public typealias SortKey = SwiftDatastore::OrderBy<O>

  /// The keys.
  public var sortKeys: [SortKey]

  /// What is compared first, second and so on.
  public init(_ sortKeys: SortKey...) { self.sortKeys = sortKeys }

  /// The same with the keys in an array.
  public init(_ sortKeys: [SortKey]) { self.sortKeys = sortKeys }

  public func applied<T>(to query: From<T>) -> From<T> {
    query.orderBy(sortDescriptors.map(SwiftDatastore::OrderBy<T>.init))
  }

  /// The keys of the one, then those of the other.
  public static func + (left: OrderBy, right: OrderBy) -> OrderBy { [left, right].combined() }

  /// Appends the keys of another one.
  public static func += (left: inout OrderBy, right: OrderBy) { left.sortKeys += right.sortKeys }
}

extension Sequence where Element: OrderByClause {
  /// The keys of all, one after the other.
  public func combined() -> OrderBy<Element.ObjectType> { OrderBy(flatMap(\.sortKeys)) }
}

extension SwiftDatastore::OrderBy {
  /// From the least to the greatest, of an attribute or a to-one relationship: `asc(_:)`.
  public static func ascending<P: EntityProperty & QueryProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable
  ) -> Self { .asc(keyPath) }

  /// From the greatest to the least, of an attribute or a to-one relationship: `desc(_:)`.
  public static func descending<P: EntityProperty & QueryProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable
  ) -> Self { .desc(keyPath) }

  /// From the least to the greatest, of a property that a closure names: `.ascending { $0.$age }`.
  public static func ascending<P: QueryProperty>(
    _ property: (PropertyPaths<T>) -> PropertyPath<T, P>
  ) -> Self { .asc(property(PropertyPaths())) }

  /// From the greatest to the least, of a property that a closure names.
  public static func descending<P: QueryProperty>(
    _ property: (PropertyPaths<T>) -> PropertyPath<T, P>
  ) -> Self { .desc(property(PropertyPaths())) }

  /// From the least to the greatest, of a property by its name, or several with dots between them. Traps when
  /// there is none.
  public static func ascending(_ keyPath: String) -> Self { named(keyPath, ascending: true) }

  /// From the greatest to the least, of a property by its name. Traps when there is none.
  public static func descending(_ keyPath: String) -> Self { named(keyPath, ascending: false) }

  private static func named(_ keyPath: String, ascending: Bool) -> Self {
    let property = naming(T.self) { try NamedProperty(keyPath, of: T.self) }
    return Self(SortDescriptor(property.operand, ascending: ascending))
  }
}
