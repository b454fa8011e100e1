import Basics
import DatastoreCore
public import SwiftDatastore

/// A clause that selects values of objects.
public protocol SelectClause: Sendable {
  /// The columns of a row.
  var selectTerms: [SelectedKey] { get }
}

/// The values that a query selects instead of objects: one, or several for `queryAttributes`.
///
/// ```swift
/// Select<Int>(.maximum("age"))
/// Select<Person, Int>(.maximum(\.$age))
/// Select("name", .count("friends", as: "friendsCount"))
/// ```
///
/// Its parameters are the type of the values, and before it the class of the objects, if key paths name their
/// properties.
public struct Select<each Part>: SelectClause, Hashable {
  public let selectTerms: [SelectedKey]

  /// Selects one property or aggregate, or several.
  public init(_ term: SelectTerm<repeat each Part>, _ others: SelectTerm<repeat each Part>...) {
    self.init([term] + others)
  }

  /// Selects the properties and aggregates in an array.
  public init(_ terms: [SelectTerm<repeat each Part>]) { selectTerms = terms.map { $0.key } }

  /// Selects terms that name no type.
  @_disfavoredOverload
  public init<O: DatastoreObject>(_ terms: SelectTerm<O>...) { selectTerms = terms.map { $0.key } }

  /// Selects terms that name no type, in an array.
  @_disfavoredOverload
  public init<O: DatastoreObject>(_ terms: [SelectTerm<O>]) { selectTerms = terms.map { $0.key } }

  /// The identifiers of the objects.
  public init() { self.init(.objectID()) }
}

/// A property or an aggregate of one. A text that names it traps in a query of a class without such a
/// property.
///
/// A count of a to-many relationship is, for each object, the number of its destinations. The key in a
/// dictionary is `alias`, or by default the name of the property, or `count(age)`.
public struct SelectTerm<each Part>: Sendable, Hashable, ExpressibleByStringLiteral {
  let key: SelectedKey

  private init(_ function: String?, _ keyPath: String?, _ alias: String?) {
    key = SelectedKey(function, keyPath, alias)
  }

  private init(_ attribute: SelectedAttribute<some DatastoreObject>, _ alias: String?) {
    key = SelectedKey(attribute, alias)
  }

  public init(stringLiteral keyPath: String) { self = .attribute(keyPath) }

  /// The value itself, of a property by its name, or several with dots between them.
  public static func attribute(_ keyPath: String, as alias: String? = nil) -> Self {
    Self(nil, keyPath, alias)
  }
  /// The number of objects that have a value.
  public static func count(_ keyPath: String, as alias: String? = nil) -> Self {
    Self("count", keyPath, alias)
  }
  /// The number of objects.
  public static func count(as alias: String? = nil) -> Self { Self("count", nil, alias) }
  /// The identifier of the object.
  public static func objectID(as alias: String? = nil) -> Self { Self(nil, nil, alias) }
  /// The mean of the numbers.
  public static func average(_ keyPath: String, as alias: String? = nil) -> Self {
    Self("average", keyPath, alias)
  }
  /// The greatest value.
  public static func maximum(_ keyPath: String, as alias: String? = nil) -> Self {
    Self("max", keyPath, alias)
  }
  /// The least value.
  public static func minimum(_ keyPath: String, as alias: String? = nil) -> Self {
    Self("min", keyPath, alias)
  }
  /// The sum of the numbers.
  public static func sum(_ keyPath: String, as alias: String? = nil) -> Self {
    Self("sum", keyPath, alias)
  }
}

/// Terms by key paths: the functions of `SelectedAttribute`.
extension SelectTerm {
  /// The value itself.
  public static func attribute<O: DatastoreObject, each R, P: FetchableProperty>(
    _ keyPath: any KeyPath<O, P> & Sendable, as alias: String? = nil
  ) -> SelectTerm<O, repeat each R> { .init(.attribute(keyPath, as: alias), alias) }
  /// The number of objects that have a value.
  public static func count<O: DatastoreObject, each R, P: FetchableProperty & ComparableProperty>(
    _ keyPath: any KeyPath<O, P> & Sendable, as alias: String? = nil
  ) -> SelectTerm<O, repeat each R> { .init(.count(keyPath, as: alias), alias) }
  /// The mean of the numbers.
  public static func average<O: DatastoreObject, each R, P: FetchableProperty>(
    _ keyPath: any KeyPath<O, P> & Sendable, as alias: String? = nil
  ) -> SelectTerm<O, repeat each R> { .init(.average(keyPath, as: alias), alias) }
  /// The greatest value.
  public static func maximum<O: DatastoreObject, each R, P: FetchableProperty>(
    _ keyPath: any KeyPath<O, P> & Sendable, as alias: String? = nil
  ) -> SelectTerm<O, repeat each R> { .init(.maximum(keyPath, as: alias), alias) }
  /// The least value.
  public static func minimum<O: DatastoreObject, each R, P: FetchableProperty>(
    _ keyPath: any KeyPath<O, P> & Sendable, as alias: String? = nil
  ) -> SelectTerm<O, repeat each R> { .init(.minimum(keyPath, as: alias), alias) }
  /// The sum of the numbers.
  public static func sum<O: DatastoreObject, each R, P: FetchableProperty>(
    _ keyPath: any KeyPath<O, P> & Sendable, as alias: String? = nil
  ) -> SelectTerm<O, repeat each R> { .init(.sum(keyPath, as: alias), alias) }
}

/// A term without its types.
public struct SelectedKey: Sendable {
  private let function: String?
  private let keyPath: String?
  private let alias: String?
  /// The `SelectedAttribute` of a key path, and the selected term.
  private let attribute: (any Sendable)?
  private let term: QueryColumn.Term?

  init(_ function: String?, _ keyPath: String?, _ alias: String?) {
    (self.function, self.keyPath, self.alias, attribute, term) = (
      function, keyPath, alias, nil, nil
    )
  }

  init(_ attribute: SelectedAttribute<some DatastoreObject>, _ alias: String? = nil) {
    (function, keyPath, self.alias) = (nil, nil, alias)
    (self.attribute, term) = (attribute, attribute.term)
  }

  func selected<O: DatastoreObject>(of owner: O.Type) -> SelectedAttribute<O> {
    if let attribute {
      guard let attribute = attribute as? SelectedAttribute<O> else {
        trap("a query of \(owner.entityName) selects a property of another class")
      }
      return attribute
    }
    guard let keyPath else { return function == nil ? .objectID(as: alias) : .count(as: alias) }
    return naming(owner) { try SelectedAttribute(function: function, named: keyPath, as: alias) }
  }
}

/// Keys are equal that name the same property in the same way: by texts, or by key paths.
extension SelectedKey: Hashable {
  public static func == (left: SelectedKey, right: SelectedKey) -> Bool {
    (left.function, left.keyPath, left.alias, left.term)
      == (right.function, right.keyPath, right.alias, right.term)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(term)
    hasher.combine(keyPath)
  }
}

/// Runs `body`, and traps if it names a property by a text that the class does not have.
func naming<Result>(_ owner: DatastoreObject.Type, _ body: () throws -> Result) -> Result {
  do {
    return try body()
  } catch {
    trap("\(owner.entityName) cannot be asked for that: \(error)")
  }
}
