import DatastoreCore
public import Foundation
public import SwiftDatastore

/// A clause that groups.
public protocol GroupByClause<ObjectType>: QueryClause {
  /// The class of the objects.
  associatedtype ObjectType: DatastoreObject
  /// The names of the attributes that distinguish groups.
  var keyPaths: [KeyPathString] { get }
  /// The attributes that distinguish groups.
  var keys: [SelectedKey] { get }
}

/// Groups, for `queryAttributes`: one dictionary for each group of objects that share the values of
/// attributes.
public struct GroupBy<O: DatastoreObject>: GroupByClause, Hashable {
  public typealias ObjectType = O
  public let keys: [SelectedKey]
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

/// A chain of values, for code that is generic over it.
public protocol QueryChainableBuilderType<ObjectType, ResultType>: ChainBuilder {
  /// The type as which a value is selected.
  associatedtype ResultType
  /// The chain itself.
  var chain: QueryChainBuilder<ObjectType, ResultType> { get }
}

/// A query of values selected from objects: `From<Person>().select(Int.self, .maximum(\.$age))`.
public struct QueryChainBuilder<O: DatastoreObject, R>: QueryChainableBuilderType, Sendable {
  /// The type as which a value is selected; `NSDictionary` for `queryAttributes`.
  public typealias ResultType = R
  var dictionaries: DictionaryQuery<O>

  public var from: From<O> {
    get { dictionaries.query }
    set { dictionaries.query = newValue }
  }

  public var chain: Self { self }

  init(_ from: From<O>, _ keys: [SelectedKey]) {
    dictionaries = from.dictionaries(keys.map { $0.selected(of: O.self) })
  }

  /// One row for each group of objects that share the values of attributes.
  public func groupBy(_ clause: GroupBy<O>) -> Self { grouped(clause.keys) }

  /// One row for each group of objects that share the values of attributes with these names.
  public func groupBy(_ keyPaths: String...) -> Self { groupBy(keyPaths) }

  /// One row for each group of objects that share the values of attributes with the names in an array.
  public func groupBy(_ keyPaths: [String]) -> Self { groupBy(GroupBy<O>(keyPaths)) }

  /// One row for each group of objects that share the value of an attribute.
  public func groupBy<P: FetchableProperty>(_ keyPath: any KeyPath<O, P> & Sendable) -> Self {
    groupBy(GroupBy<O>(keyPath))
  }

  /// Adds more clauses.
  public func appending(contentsOf clauses: [any QueryClause]) -> Self {
    clauses.reduce(self) { chain, clause in
      switch clause {
      case let clause as any FetchClause: chain.appending(clause)
      case let clause as any GroupByClause: chain.grouped(clause.keys)
      default: chain
      }
    }
  }

  /// Adds one more clause.
  public func appending(_ clause: any QueryClause) -> Self { appending(contentsOf: [clause]) }

  private func grouped(_ keys: [SelectedKey]) -> Self {
    var chain = self
    chain.dictionaries = dictionaries.groupBy(keys.map { $0.selected(of: O.self) })
    return chain
  }
}

extension QueryChainBuilder where R: AttributeValueType {
  var selection: Selection<O, R?> {
    dictionaries.firstColumn { row, term, aggregateType in
      let stored = row.stored()
      if let aggregateType {
        // A value that the aggregate's own type cannot hold is an error, whatever type is requested.
        let isMissing = try isMissing(stored, term, as: aggregateType)
        if isMissing || !R.canHold(valuesOf: aggregateType) { return nil }
      }
      return R(storedValue: R(storedValue: stored) == nil ? stored.cut ?? stored : stored)
    }
  }
}

private func isMissing<Own: AttributeValueType>(
  _ stored: DatastoreCore.Value, _ aggregate: QueryColumn.Term, as type: Own.Type
) throws -> Bool { try aggregate.value(stored, as: type) == nil }

extension AttributeValueType {
  /// Whether an aggregate of a type is read as this one: whole numbers and those with a point are read as
  /// each other, any other type only as itself.
  fileprivate static func canHold(valuesOf other: any AttributeValueType.Type) -> Bool {
    attributeType == other.attributeType || (isPlainNumber && other.isPlainNumber)
  }

  private static var isPlainNumber: Bool { attributeType.isNumeric && attributeType != .decimal }
}

extension DatastoreCore.Value {
  /// A number truncated at its decimal point; nil for other values.
  fileprivate var cut: DatastoreCore.Value? {
    guard case .real(let number) = self, let whole = Int64(exactly: number.rounded(.towardZero))
    else { return nil }
    return .integer(whole)
  }
}

extension From {
  /// Selects the values of a clause from the objects.
  public func select<R>(_ clause: Select<T, R>) -> QueryChainBuilder<T, R> {
    QueryChainBuilder(self, clause.selectTerms)
  }

  /// A value of each object, or an aggregate of all: `select(Int.self, .maximum(\.$age))`. Several for
  /// `NSDictionary`.
  public func select<R>(
    _ type: R.Type, _ term: SelectTerm<T, R>, _ others: SelectTerm<T, R>...
  ) -> QueryChainBuilder<T, R> { select(type, [term] + others) }

  /// Values of each object, or aggregates of all, with the terms in an array.
  public func select<R>(
    _ type: R.Type, _ terms: [SelectTerm<T, R>]
  ) -> QueryChainBuilder<T, R> { QueryChainBuilder(self, terms.map { $0.key }) }

  /// Values of each object, or of each group of them, for `queryAttributes`.
  public func select(
    _ term: SelectTerm<T, NSDictionary>, _ others: SelectTerm<T, NSDictionary>...
  ) -> QueryChainBuilder<T, NSDictionary> { select(NSDictionary.self, [term] + others) }
}
