public import SwiftDatastore

/// A query with its clauses: of objects (`From`), or of values selected from them (`QueryChainBuilder`).
public protocol ChainBuilder<ObjectType> {
  /// The class of the objects.
  associatedtype ObjectType: DatastoreObject
  /// The query of the objects.
  var from: From<ObjectType> { get set }
}

/// A chain of objects.
public typealias FetchChainableBuilderType = ChainBuilder
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

/// The clauses of a chain. Each returns the query with the clause added, and leaves this one unchanged.
extension ChainBuilder {
  private func with(_ query: From<ObjectType>) -> Self {
    var chain = self
    chain.from = query
    return chain
  }

  /// Adds a condition.
  public func `where`(_ clause: Where<ObjectType>) -> Self { with(from.where(clause)) }

  /// Adds a condition that a closure makes: `where { $0.$age > 30 }`.
  public func `where`(_ clause: (PropertyPaths<ObjectType>) -> Where<ObjectType>) -> Self {
    with(from.where(Where(clause)))
  }

  /// Adds a condition that all of these hold.
  public func `where`(combineByAnd conditions: Where<ObjectType>...) -> Self {
    with(from.where(conditions.combinedByAnd()))
  }

  /// Adds a condition that any of these holds.
  public func `where`(combineByOr conditions: Where<ObjectType>...) -> Self {
    with(from.where(conditions.combinedByOr()))
  }

  /// Adds a condition from text in the NSPredicate format language. Traps for a text that cannot be read.
  public func `where`(format: String, _ arguments: Any?...) -> Self {
    with(from.where(Where(format, given: arguments)))
  }

  /// Adds a condition from text in the NSPredicate format language, with the arguments in an array.
  public func `where`(format: String, argumentArray: [Any]?) -> Self {
    with(from.where(Where(format, argumentArray: argumentArray)))
  }

  /// Sorts by an order.
  public func orderBy(_ clause: OrderBy<ObjectType>) -> Self { with(clause.applied(to: from)) }

  /// Sorts by these keys.
  public func orderBy(_ keys: OrderBy<ObjectType>.SortKey...) -> Self { with(from.orderBy(keys)) }

  /// Sorts by these keys.
  public func orderBy(_ keys: [OrderBy<ObjectType>.SortKey]) -> Self { with(from.orderBy(keys)) }

  /// Sets further options, each of which has a clause of its own in SwiftDatastore:
  /// `tweak { $0.includesPendingChanges = false }`. The closure runs at once.
  public func tweak(_ change: (inout TweakedRequest) -> Void) -> Self { with(from.tweaked(change)) }

  /// Adds one more clause.
  public func appending(_ clause: any FetchClause) -> Self { with(from.applying([clause])) }

  /// Adds more clauses.
  public func appending(contentsOf clauses: [any FetchClause]) -> Self {
    with(from.applying(clauses))
  }
}

/// Sections as a clause: `SectionBy<Person>(\.$age) { $0.map { "\($0) years old" } }`.
///
/// The closure makes the name of a section from its value as text; its title in an index is the first letter
/// of the name.
public struct SectionBy<O: DatastoreObject>: Sendable {
  let apply: @Sendable (From<O>) -> From<O>

  /// Sections by an attribute that a text names, or several names with dots between them. Traps when the
  /// class has no such attribute.
  public init(
    _ keyPath: String, sectionIndexTransformer title: (@Sendable (String?) -> String?)? = nil
  ) { apply = { query in naming(O.self) { try query.sectionBy(named: keyPath, title: title) } } }

  /// Sections by an attribute.
  public init<P: ComparableProperty>(
    _ keyPath: any KeyPath<O, P> & Sendable,
    sectionIndexTransformer title: (@Sendable (String?) -> String?)? = nil
  ) {
    apply = { query in
      title.map { title in query.sectionBy(keyPath, title: { title($0) }) }
        ?? query.sectionBy(keyPath)
    }
  }
}

extension From {
  /// Divides the objects into sections.
  public func sectionBy(_ clause: SectionBy<T>) -> From { clause.apply(self) }

  /// Divides the objects into sections by an attribute that a text names. Traps when the class has no such
  /// attribute.
  public func sectionBy(
    _ keyPath: String, sectionIndexTransformer title: (@Sendable (String?) -> String?)? = nil
  ) -> From { sectionBy(SectionBy(keyPath, sectionIndexTransformer: title)) }

  /// Divides the objects into sections whose names are made from the value.
  @_disfavoredOverload public func sectionBy<P: ComparableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable,
    sectionIndexTransformer title: @escaping @Sendable (String?) -> String?
  ) -> From { sectionBy(SectionBy(keyPath, sectionIndexTransformer: title)) }
}

/// The options of a query that a tweak may set. Nil leaves an option unchanged.
public struct TweakedRequest: Sendable {
  /// Whether changes that are staged in the context affect which objects are found.
  public var includesPendingChanges: Bool?
  /// Whether objects of subclasses are found, too.
  public var includesSubentities: Bool?
  /// The number of objects to skip at the start.
  public var fetchOffset: Int?
  /// The greatest number of objects; 0 means no limit.
  public var fetchLimit: Int?
  /// Has no effect, as objects come with their values.
  public var returnsObjectsAsFaults: Bool?
  /// Has no effect, as lists hold keys.
  public var fetchBatchSize: Int?
}

/// Further options of a query as a clause, each of which has a clause of its own in SwiftDatastore.
///
/// ```swift
/// Tweak { fetchRequest in fetchRequest.includesPendingChanges = false }
/// ```
public struct Tweak: FetchClause {
  /// The closure that sets the options.
  public let closure: @Sendable (inout TweakedRequest) -> Void

  /// Creates a clause whose closure runs just before the objects are fetched, and sets options.
  public init(_ customizer: @escaping @Sendable (inout TweakedRequest) -> Void) {
    closure = customizer
  }

  public func applied<O: DatastoreObject>(to query: From<O>) -> From<O> { query.tweaked(closure) }
}

extension From {
  func tweaked(_ change: (inout TweakedRequest) -> Void) -> From {
    var request = TweakedRequest()
    change(&request)
    var query = self
    if let value = request.includesPendingChanges { query = query.includingPendingChanges(value) }
    if let value = request.includesSubentities { query = query.includingSubentities(value) }
    if let value = request.fetchOffset { query = query.offset(value) }
    if let value = request.fetchLimit { query = query.limit(value) }
    return query
  }
}
