import Basics
import DatastoreCore
public import SwiftDatastore

/// What a query selects in place of objects, by names: a value, or several for `queryAttributes`.
///
/// ```swift
/// Select<Int>(.maximum("age"))
/// Select("name", .count("friends", as: "friendsCount"))
/// ```
public struct Select<Value>: Sendable {
  let keys: [SelectedKey]

  /// One property or aggregate, or several.
  public init(_ key: SelectedKey, _ others: SelectedKey...) { keys = [key] + others }
}

/// A property that is named by a text, or an aggregate of one. Traps in a query of a class that has none of the name.
///
/// A count of a relationship to many is, for each object, the number of those that it leads to.
public struct SelectedKey: Sendable, ExpressibleByStringLiteral {
  /// What is made of a property: `.count("age")`, `.count("age", as: "number")`.
  public struct Function: Sendable {
    fileprivate let name: String?

    /// Of a property by its name, or several with dots between them; its key in a dictionary is `alias`, without which it is
    /// that of the property, or `count(age)`.
    public func callAsFunction(_ keyPath: String, as alias: String? = nil) -> SelectedKey {
      var key = SelectedKey(stringLiteral: keyPath)
      (key.function, key.alias) = (name, alias)
      return key
    }
  }

  /// The value itself.
  public static var attribute: Function { Function(name: nil) }
  /// The number of objects that have a value.
  public static var count: Function { Function(name: "count") }
  /// The mean of the numbers.
  public static var average: Function { Function(name: "average") }
  /// The greatest value.
  public static var maximum: Function { Function(name: "max") }
  /// The least value.
  public static var minimum: Function { Function(name: "min") }
  /// The sum of the numbers.
  public static var sum: Function { Function(name: "sum") }

  fileprivate var function: String?
  fileprivate let keyPath: String
  fileprivate var alias: String?

  public init(stringLiteral keyPath: String) { self.keyPath = keyPath }

  func selected<O: DatastoreObject>(of owner: O.Type) -> SelectedAttribute<O> {
    naming(owner) { try SelectedAttribute(function: function, named: keyPath, as: alias) }
  }
}

/// What names properties of a class by texts traps where they are not there.
func naming<Result>(_ owner: DatastoreObject.Type, _ body: () throws -> Result) -> Result {
  do {
    return try body()
  } catch {
    trap("\(owner.entityName) cannot be asked for that: \(error)")
  }
}

extension DatastoreCore.Value {
  /// A number without what follows its decimal point; nil for others.
  fileprivate var cut: DatastoreCore.Value? {
    guard case .real(let number) = self, let whole = Int64(exactly: number.rounded(.towardZero))
    else {
      return nil
    }
    return .integer(whole)
  }
}

extension From {
  func selecting<Value: AttributeValueType>(_ select: Select<Value>) -> Selection<T, Value?> {
    let term = select.keys[0].selected(of: T.self).term
    guard term.isAggregate else {
      return Selection(
        request: request, columns: [term], groupKeys: nil, having: [], groupOrder: []
      ) { row in
        let stored = row.stored()
        return Value(storedValue: stored) ?? stored.cut.flatMap { Value(storedValue: $0) }
      }
    }
    return Selection(computing: [term], of: request) { row in
      let stored = row.stored()
      return try term.value(
        Value(storedValue: stored) == nil ? stored.cut ?? stored : stored, as: Value.self)
    }
  }

  func selecting(
    _ select: Select<[String: Any]>, _ clauses: [any QueryClause]
  ) -> DictionaryQuery<T> {
    let query = applying(clauses.compactMap { $0 as? any FetchClause })
      .dictionaries(select.keys.map { $0.selected(of: T.self) })
    let groups = clauses.compactMap { $0 as? GroupBy }.flatMap(\.keyPaths)
    return naming(T.self) { try query.groupBy(named: groups) }
  }

  /// Values of each object, or of each group of them, for `queryAttributes`: `dictionaries(_:)`.
  public func select(
    _ attribute: SelectedAttribute<T>, _ others: SelectedAttribute<T>...
  ) -> DictionaryQuery<T> { dictionaries([attribute] + others) }
}
