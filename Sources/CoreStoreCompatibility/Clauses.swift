import Basics
import DatastoreCore
public import SwiftDatastore

/// A part of a query that follows its `From`: `Where`, `OrderBy`, `Tweak` and `GroupBy`.
public protocol QueryClause: Sendable {}

/// A part of a query of objects that are deleted: every one but `GroupBy`.
public typealias DeleteClause = FetchClause

/// A part of a query of objects: every one but `GroupBy`.
public protocol FetchClause: QueryClause {
  /// The query with this part as well.
  func applied<O: DatastoreObject>(to query: From<O>) -> From<O>
}

extension From {
  func applying(_ clauses: [any FetchClause]) -> From {
    clauses.reduce(self) { $1.applied(to: $0) }
  }
}

/// A condition of whatever class.
public protocol AnyWhereClause: FetchClause {
  /// The condition by names.
  var predicate: Predicate { get }
}

/// A condition of a class.
public protocol WhereClauseType<ObjectType>: AnyWhereClause {
  /// The class of the objects.
  associatedtype ObjectType: DatastoreObject
}

extension Where: WhereClauseType {
  public typealias ObjectType = T

  public func applied<O: DatastoreObject>(to query: From<O>) -> From<O> {
    query.where(Where<O>(predicate))
  }

  /// A condition from text in the NSPredicate format language: `Where<Person>("%K > %d", "age", 30)`.
  ///
  /// `%@`, `%d`, `%f` and `%K` stand for values that attributes can have, arrays of them, objects, and nil. Traps for a text
  /// that cannot be read, and where it names what the class does not have; `Where(format:arguments:)` throws.
  public init(_ format: String, _ arguments: Any?...) { self.init(format, given: arguments) }

  init(_ format: String, given arguments: [Any?]) {
    do {
      try self.init(format: format, arguments: arguments.map(PredicateArgument.init(any:)))
    } catch {
      trap("Where<\(T.self)>: \(error)")
    }
  }

  /// A condition on a property that a text names: `Where<Person>("name", isEqualTo: "John")`. Nil finds objects without a value.
  public init(_ keyPath: String, isEqualTo value: Any?) {
    self.init("%K == %@", keyPath, value)
  }
}

/// An order as a clause: keys that are compared one after the other.
///
/// ```swift
/// var orderBy = OrderBy<Person>(.descending(\.$rating))
/// if sortFromYoungest { orderBy += OrderBy(.ascending(\.$age)) }
/// ```
///
/// It stands before the `OrderBy` of SwiftDatastore, which is one key: `SortKey` here.
public struct OrderBy<O: DatastoreObject>: FetchClause, Hashable {
  /// One key.
  public typealias SortKey = SwiftDatastore::OrderBy<O>

  /// The keys.
  public var sortKeys: [SortKey]

  /// What is compared first, second and so on.
  public init(_ sortKeys: SortKey...) { self.sortKeys = sortKeys }

  public func applied<T: DatastoreObject>(to query: From<T>) -> From<T> {
    query.orderBy(sortKeys.map { SwiftDatastore::OrderBy<T>($0.sortDescriptor) })
  }

  /// The keys of the one, then those of the other.
  public static func + (left: OrderBy, right: OrderBy) -> OrderBy {
    var both = left
    both += right
    return both
  }

  /// Appends the keys of another one.
  public static func += (left: inout OrderBy, right: OrderBy) { left.sortKeys += right.sortKeys }
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

  /// From the least to the greatest, of a property by its name, or several with dots between them. Traps when there is none.
  public static func ascending(_ keyPath: String) -> Self { named(keyPath, ascending: true) }

  /// From the greatest to the least, of a property by its name. Traps when there is none.
  public static func descending(_ keyPath: String) -> Self { named(keyPath, ascending: false) }

  private static func named(_ keyPath: String, ascending: Bool) -> Self {
    let property = naming(T.self) { try NamedProperty(keyPath, of: T.self) }
    return Self(SortDescriptor(property.operand, ascending: ascending))
  }
}
