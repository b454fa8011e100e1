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

/// Sections as a clause: `SectionBy<Person>(\.$age) { $0.map { "\($0) years old" } }`.
///
/// The closure makes the name of a section of its value as text; its title in an index is the first letter of
/// that.
public struct SectionBy<O: DatastoreObject>: Sendable {
  let apply: @Sendable (From<O>) -> From<O>

  /// By an attribute that a text names, or several names with dots between them. Traps when the class has
  /// none of the name.
  public init(
    _ keyPath: String, sectionIndexTransformer title: (@Sendable (String?) -> String?)? = nil
  ) { apply = { query in naming(O.self) { try query.sectionBy(named: keyPath, title: title) } } }

  /// By an attribute.
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
  /// In sections.
  public func sectionBy(_ clause: SectionBy<T>) -> From { clause.apply(self) }

  /// In sections by an attribute that a text names. Traps when the class has none of the name.
  public func sectionBy(
    _ keyPath: String, sectionIndexTransformer title: (@Sendable (String?) -> String?)? = nil
  ) -> From { sectionBy(SectionBy(keyPath, sectionIndexTransformer: title)) }

  /// In sections that have names made of the value.
  @_disfavoredOverload public func sectionBy<P: ComparableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable,
    sectionIndexTransformer title: @escaping @Sendable (String?) -> String?
  ) -> From { sectionBy(SectionBy(keyPath, sectionIndexTransformer: title)) }
}

/// What a tweak may say of a query. Nil leaves it as it is.
public struct TweakedRequest: Sendable {
  /// Whether changes that are staged in the context decide which objects are found.
  public var includesPendingChanges: Bool?
  /// Whether objects of classes that inherit from the class are found, too.
  public var includesSubentities: Bool?
  /// How many objects are left out at the start.
  public var fetchOffset: Int?
  /// The greatest number of objects; 0 means no limit.
  public var fetchLimit: Int?
  /// Makes no difference here, as objects come with their values.
  public var returnsObjectsAsFaults: Bool?
  /// Makes no difference here, as lists hold keys.
  public var fetchBatchSize: Int?
}

/// Further settings of a query as a clause, each of which has a clause of its own in SwiftDatastore.
///
/// ```swift
/// Tweak { fetchRequest in fetchRequest.includesPendingChanges = false }
/// ```
public struct Tweak: FetchClause {
  /// What is set.
  public let closure: @Sendable (inout TweakedRequest) -> Void

  /// Runs just before the objects are fetched, and sets what is to be otherwise.
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
