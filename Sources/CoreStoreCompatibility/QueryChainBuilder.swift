import DatastoreCore
public import Foundation
public import SwiftDatastore

/// A query with its clauses: of objects (`From`), or of what is selected of them (`QueryChainBuilder`).
public protocol ChainBuilder<ObjectType> {
  /// The class of the objects.
  associatedtype ObjectType: DatastoreObject
  /// Which objects.
  var from: From<ObjectType> { get set }
}

/// A chain of objects.
public typealias FetchChainableBuilderType = ChainBuilder
/// A chain of values.
public typealias QueryChainableBuilderType = ChainBuilder
/// A chain of objects in sections.
public typealias SectionMonitorBuilderType = ChainBuilder
/// A chain of objects.
public typealias FetchChainBuilder<O: DatastoreObject> = From<O>
/// A chain of objects in sections.
public typealias SectionMonitorChainBuilder<O: DatastoreObject> = From<O>

extension From: ChainBuilder {
  public var from: From {
    get { self }
    set { self = newValue }
  }
}

/// The clauses of a chain. Each returns the query with it, and leaves this one as it is.
extension ChainBuilder {
  private func with(_ query: From<ObjectType>) -> Self {
    var chain = self
    chain.from = query
    return chain
  }

  /// With a condition.
  public func `where`(_ clause: Where<ObjectType>) -> Self { with(from.where(clause)) }

  /// With a condition that a closure makes: `where { $0.$age > 30 }`.
  public func `where`(_ clause: (PropertyPaths<ObjectType>) -> Where<ObjectType>) -> Self {
    with(from.where(Where(clause)))
  }

  /// With a condition that all of these hold.
  public func `where`(combineByAnd conditions: Where<ObjectType>...) -> Self {
    with(from.where(conditions.combinedByAnd()))
  }

  /// With a condition that any of these holds.
  public func `where`(combineByOr conditions: Where<ObjectType>...) -> Self {
    with(from.where(conditions.combinedByOr()))
  }

  /// With a condition from text in the NSPredicate format language. Traps for a text that cannot be read.
  public func `where`(format: String, _ arguments: Any?...) -> Self {
    with(from.where(Where(format, given: arguments)))
  }

  /// The same with the arguments in an array.
  public func `where`(format: String, argumentArray: [Any]?) -> Self {
    with(from.where(Where(format, argumentArray: argumentArray)))
  }

  /// In an order.
  public func orderBy(_ clause: OrderBy<ObjectType>) -> Self { with(clause.applied(to: from)) }

  /// In this order.
  public func orderBy(_ keys: OrderBy<ObjectType>.SortKey...) -> Self { with(from.orderBy(keys)) }

  /// In this order.
  public func orderBy(_ keys: [OrderBy<ObjectType>.SortKey]) -> Self { with(from.orderBy(keys)) }

  /// With further settings, each of which has a clause of its own in SwiftDatastore:
  /// `tweak { $0.includesPendingChanges = false }`. The closure runs at once.
  public func tweak(_ change: (inout TweakedRequest) -> Void) -> Self { with(from.tweaked(change)) }

  /// With one more clause.
  public func appending(_ clause: any FetchClause) -> Self { with(from.applying([clause])) }

  /// With more clauses.
  public func appending(contentsOf clauses: [any FetchClause]) -> Self {
    with(from.applying(clauses))
  }
}

/// A query of what is selected of objects: `From<Person>().select(Int.self, .maximum(\.$age))`.
public struct QueryChainBuilder<O: DatastoreObject, R>: ChainBuilder, Sendable {
  /// What a value is selected as; `NSDictionary` for `queryAttributes`.
  public typealias ResultType = R
  var dictionaries: DictionaryQuery<O>

  public var from: From<O> {
    get { dictionaries.query }
    set { dictionaries.query = newValue }
  }

  init(_ from: From<O>, _ keys: [SelectedKey]) {
    dictionaries = from.dictionaries(keys.map { $0.selected(of: O.self) })
  }

  /// One row for each group of objects that share the values of attributes.
  public func groupBy(_ clause: GroupBy<O>) -> Self { grouped(clause.keys) }

  /// The same by names.
  public func groupBy(_ keyPaths: String...) -> Self { groupBy(keyPaths) }

  /// The same by names in an array.
  public func groupBy(_ keyPaths: [String]) -> Self { groupBy(GroupBy<O>(keyPaths)) }

  /// The same by a key path.
  public func groupBy<P: FetchableProperty>(_ keyPath: any KeyPath<O, P> & Sendable) -> Self {
    groupBy(GroupBy<O>(keyPath))
  }

  /// With more clauses.
  public func appending(contentsOf clauses: [any QueryClause]) -> Self {
    clauses.reduce(self) { chain, clause in
      switch clause {
      case let clause as any FetchClause: chain.appending(clause)
      case let clause as any GroupByClause: chain.grouped(clause.keys)
      default: chain
      }
    }
  }

  /// With one more clause.
  public func appending(_ clause: any QueryClause) -> Self { appending(contentsOf: [clause]) }

  private func grouped(_ keys: [SelectedKey]) -> Self {
    var chain = self
    chain.dictionaries = dictionaries.groupBy(keys.map { $0.selected(of: O.self) })
    return chain
  }
}

extension QueryChainBuilder where R: AttributeValueType {
  var selection: Selection<O, R?> {
    dictionaries.firstColumn { row, term in
      let stored = row.stored()
      let fitting = R(storedValue: stored) == nil ? stored.cut ?? stored : stored
      return term.isAggregate ? try term.value(fitting, as: R.self) : R(storedValue: fitting)
    }
  }
}

extension DatastoreCore.Value {
  /// A number without what follows its decimal point; nil for others.
  fileprivate var cut: DatastoreCore.Value? {
    guard case .real(let number) = self, let whole = Int64(exactly: number.rounded(.towardZero))
    else { return nil }
    return .integer(whole)
  }
}

extension From {
  /// What a clause selects of the objects.
  public func select<R>(_ clause: Select<T, R>) -> QueryChainBuilder<T, R> {
    QueryChainBuilder(self, clause.keys)
  }

  /// A value of each object, or an aggregate of all: `select(Int.self, .maximum(\.$age))`. Several for `NSDictionary`.
  public func select<R>(
    _ type: R.Type, _ term: SelectTerm<T, R>, _ others: SelectTerm<T, R>...
  ) -> QueryChainBuilder<T, R> { select(type, [term] + others) }

  /// The same in an array.
  public func select<R>(
    _ type: R.Type, _ terms: [SelectTerm<T, R>]
  ) -> QueryChainBuilder<T, R> { QueryChainBuilder(self, terms.map { $0.key }) }

  /// Values of each object, or of each group of them, for `queryAttributes`.
  public func select(
    _ term: SelectTerm<T, NSDictionary>, _ others: SelectTerm<T, NSDictionary>...
  ) -> QueryChainBuilder<T, NSDictionary> { select(NSDictionary.self, [term] + others) }
}
