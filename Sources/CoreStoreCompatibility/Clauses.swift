import Basics
import DatastoreCore
public import SwiftDatastore

/// A part of a query that follows its `From`: `Where`, `OrderBy`, `Tweak` and `GroupBy`.
public protocol QueryClause: Sendable {}

/// A part of a query of objects to delete: every clause but `GroupBy`.
public typealias DeleteClause = FetchClause

/// A part of a query of objects: every clause but `GroupBy`.
public protocol FetchClause: QueryClause {
  /// The query with this clause added.
  func applied<O>(to query: From<O>) -> From<O>
}

extension From {
  func applying(_ clauses: [any FetchClause]) -> From {
    clauses.reduce(self) { $1.applied(to: $0) }
  }
}

/// A condition of any class.
public protocol AnyWhereClause: FetchClause {
  /// The condition with its properties by name.
  var predicate: Predicate { get }
}

/// A condition of a class.
public protocol WhereClauseType<ObjectType>: AnyWhereClause {
  /// The class of the objects.
  associatedtype ObjectType: DatastoreObject
}

extension Where: WhereClauseType {
  public typealias ObjectType = T

  public func applied<O>(to query: From<O>) -> From<O> { query.where(Where<O>(predicate)) }

  /// Every object.
  public init() { self.init(true) }

  /// The same condition.
  public init(_ clause: Where) { self = clause }

  /// A condition that a closure makes: `Where<Person> { $0.$age > 30 }`.
  public init(_ condition: (PropertyPaths<T>) -> Where) { self = condition(PropertyPaths()) }

  /// A condition from text in the NSPredicate format language: `Where<Person>("%K > %d", "age", 30)`.
  ///
  /// `%@`, `%d`, `%f` and `%K` take values that attributes can have, arrays of them, objects, and nil. Traps
  /// for a text that cannot be read, and if it names a property that the class does not have;
  /// `Where(format:arguments:)` throws instead.
  public init(_ format: String, _ arguments: Any?...) { self.init(format, given: arguments) }

  /// A condition from text in the NSPredicate format language, with the arguments in an array.
  public init(_ format: String, argumentArray: [Any]?) {
    self.init(format, given: argumentArray ?? [])
  }

  init(_ format: String, given arguments: [Any?]) {
    do {
      try self.init(format: format, arguments: arguments.map(PredicateArgument.init(any:)))
    } catch {
      trap("Where<\(T.self)>: \(error)")
    }
  }

  /// A condition on a property that a text names: `Where<Person>("name", isEqualTo: "John")`. Nil finds
  /// objects without a value.
  public init(_ keyPath: String, isEqualTo value: Any?) { self.init("%K == %@", keyPath, value) }

  /// A condition that a property has one of some values: attribute values, objects or identifiers. A text
  /// names the property: `Where<Person>("age", isMemberOf: [30, 31])`. Traps for other values.
  public init(_ keyPath: String, isMemberOf values: some Sequence) {
    self.init("%K IN %@", keyPath, Array(values))
  }
}

/// The properties of a class, as a closure names them: `where { $0.$age > 30 }`, `.ascending { $0.$age }`.
@dynamicMemberLookup
public struct PropertyPaths<O: DatastoreObject> {
  public subscript<P: EntityProperty>(dynamicMember keyPath: KeyPath<O, P>) -> PropertyPath<O, P> {
    PropertyPath(keyPath)
  }
}

/// Classes that several storages of one stack hold: the storages by their configurations, nil for the one of
/// all entities.
extension From {
  /// All objects of a class: `From(Person.self)`.
  public init(_ type: T.Type) { self.init() }

  /// The class of the objects.
  public var entityClass: T.Type { T.self }

  /// The configurations of the storages; nil for all of them.
  public var configurations: [ModelConfiguration]? { storeConfigurations }

  /// The objects in the storages of some configurations: `From<Person>("Config1", nil)`.
  public init(_ configuration: ModelConfiguration, _ others: ModelConfiguration...) {
    self.init([configuration] + others)
  }

  /// The objects in the storages of a list of configurations.
  public init(_ configurations: [ModelConfiguration]) {
    self = From().inConfigurations(configurations)
  }

  /// The objects in the storages of some configurations, with the class as an argument:
  /// `From(Person.self, "Config1")`.
  public init(
    _ type: T.Type, _ configuration: ModelConfiguration, _ others: ModelConfiguration...
  ) { self.init([configuration] + others) }

  /// The objects in the storages of a list of configurations, with the class as an argument.
  public init(_ type: T.Type, _ configurations: [ModelConfiguration]) { self.init(configurations) }
}

/// The class of which to create an object.
public struct Into<O: DatastoreObject>: Sendable, Hashable {
  /// The storage for the object; nil if unspecified.
  var stores: StoreSelection?
  /// The class of the objects.
  public var entityClass: O.Type { O.self }
  /// The configuration of the storage; nil for that of all entities, and if unspecified.
  public private(set) var configuration: ModelConfiguration = nil

  /// A clause for the class, which one storage holds.
  public init() {}

  /// An object in the storage of a configuration: creating one fails if that storage does not hold the class.
  public init(_ configuration: ModelConfiguration) {
    self.configuration = configuration
    stores = .configurations([configuration])
  }

  /// A clause for the class: `Into(Person.self)`.
  public init(_ type: O.Type) {}

  /// An object in the storage of a configuration, with the class as an argument:
  /// `Into(Person.self, "Config1")`.
  public init(_ type: O.Type, _ configuration: ModelConfiguration) { self.init(configuration) }
}
