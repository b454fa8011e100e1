public import DatastoreCore
public import Foundation
public import SwiftDatastore

/// Further ways of CoreStore to say a clause.
extension Where {
  /// Every object.
  public init() { self.init(true) }

  /// The same condition.
  public init(_ clause: Where) { self = clause }

  /// What a closure makes: `Where<Person> { $0.$age > 30 }`.
  public init(_ condition: (PropertyPaths<T>) -> Where) { self = condition(PropertyPaths()) }

  /// A condition from text in the NSPredicate format language, with its arguments in an array. Traps for a text that
  /// cannot be read.
  public init(_ format: String, argumentArray: [Any]?) {
    self.init(format, given: argumentArray ?? [])
  }

  /// A condition on a property that a text names, which has one of some values: attribute values, objects or identifiers.
  /// `Where<Person>("age", isMemberOf: [30, 31])`. Traps for others.
  public init(_ keyPath: String, isMemberOf values: some Sequence) {
    self.init("%K IN %@", keyPath, Array(values))
  }

  @available(
    *, unavailable,
    message: "Foundation's NSPredicate cannot be read on Linux; its text can: Where(\"age > 30\")"
  )
  public init(_ predicate: NSPredicate) { self.init() }
}

/// The properties of a class, as a closure names them: `where { $0.$age > 30 }`, `.ascending { $0.$age }`.
@dynamicMemberLookup
public struct PropertyPaths<O: DatastoreObject> {
  public subscript<P: EntityProperty>(dynamicMember keyPath: KeyPath<O, P>) -> PropertyPath<O, P> {
    PropertyPath(keyPath)
  }
}

/// An order of a class.
public protocol OrderByClause<ObjectType> {
  /// The class of the objects.
  associatedtype ObjectType: DatastoreObject
  /// What is compared first, second and so on.
  var sortKeys: [OrderBy<ObjectType>.SortKey] { get }
}

extension OrderBy: OrderByClause {
  public typealias ObjectType = O

  /// What is compared first, second and so on.
  public init(_ sortKeys: [SortKey]) {
    self.init()
    self.sortKeys = sortKeys
  }

  /// The keys without the class.
  public var sortDescriptors: [DatastoreCore.SortDescriptor] { sortKeys.map(\.sortDescriptor) }

  @available(
    *, unavailable,
    message: "Foundation's NSSortDescriptor cannot be read on Linux; use .ascending(\"age\")"
  )
  public init(_ sortDescriptor: NSSortDescriptor) { self.init() }
}

extension Sequence where Element: OrderByClause {
  /// The keys of all, one after the other.
  public func combined() -> OrderBy<Element.ObjectType> { OrderBy(flatMap(\.sortKeys)) }
}

/// A clause that groups.
public protocol GroupByClause: QueryClause {
  /// What makes a group.
  var keys: [SelectedKey] { get }
}

/// Groups, for `queryAttributes`: one dictionary for each group of objects that share the values of attributes.
public struct GroupBy<O: DatastoreObject>: GroupByClause {
  public let keys: [SelectedKey]
  /// The names, where it was made of names.
  public let keyPaths: [String]

  /// By the names of attributes.
  public init(_ keyPaths: String...) { self.init(keyPaths) }

  /// By the names of attributes in an array.
  public init(_ keyPaths: [String]) {
    self.keyPaths = keyPaths
    keys = keyPaths.map { SelectedKey(nil, $0, nil) }
  }

  /// By an attribute.
  public init<P: FetchableProperty>(_ keyPath: any KeyPath<O, P> & Sendable) {
    keyPaths = [String(keyPath: keyPath)]
    keys = [SelectedKey(SelectedAttribute.attribute(keyPath))]
  }
}

extension GroupBy where O == DatastoreObject {
  /// By the names of attributes of the class of the query.
  public init(_ keyPaths: String...) { self.init(keyPaths) }
}

extension ObjectContext {
  /// Deletes the objects of a query one by one. Returns how many.
  @discardableResult
  public func deleteAll<O: DatastoreObject>(
    _ query: From<O>, _ clauses: [any FetchClause]
  ) throws -> Int { try deleteAll(query.applying(clauses)) }

  /// Deletes the objects of identifiers; those that are not there are passed over.
  public func delete(objectIDs: some Sequence<DatastoreObjectID>) throws {
    for id in objectIDs {
      if let object: DatastoreObject = try fetchExisting(id) { deleteObject(object) }
    }
  }
}

extension FetchClause {
  @available(*, unavailable, message: "There is no NSFetchRequest; write applied(to:)")
  public func applyToFetchRequest<T>(_ request: T) {}
}
