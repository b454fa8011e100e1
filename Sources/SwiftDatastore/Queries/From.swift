import Basics
public import DatastoreCore

/// A query as a value: objects of one class and their order.
///
/// ```swift
/// let query = From<Employee>()
///   .where(\.$salary > 3000)
///   .orderBy(.asc(\.$name))
///   .limit(20)
/// let employees = try context.fetch(query)
/// let number = try context.count(query)
/// ```
///
/// A query is Sendable and Hashable: you can keep it, compare it, pass it to other tasks, and refine it step
/// by step. Nothing is read until a context runs it. Everything that reads or changes many objects takes a
/// query: ``ObjectContext``, ``FetchedObjectsController``, and selections and aggregates (`select(_:)`,
/// `groupBy(_:)`).
public struct From<T: DatastoreObject>: Sendable, Hashable {
  /// The clauses, with properties as names.
  private var base: FetchRequest
  /// Whether the query includes objects of classes that inherit from this one.
  private var includesSubentities = true
  /// The path of the property whose value defines the sections of a list; nil for one section.
  public internal(set) var sectionPath: [String]?
  /// The names of sections; nil to use their values.
  var sectionTitles: SectionTitles?
  /// The paths of relationships to prefetch.
  var prefetched: [[String]] = []
  /// Whether the query includes changes staged in the context.
  var includesPendingChanges = true

  /// All objects of the class and of those that inherit from it.
  public init() {
    base = FetchRequest(entity: T.entityName)
  }

  /// Creates a query from a request.
  ///
  /// - Parameter request: a request for the entity of the class.
  public init(_ request: FetchRequest) {
    base = request
  }
}

extension From {
  /// The query with properties as names.
  public var request: FetchRequest {
    if includesSubentities { return base }
    let isExactly = Predicate.comparison(
      Predicate.Comparison(
        .keyPath([PredicatePath.entityStep]), .equal, .value(.text(base.entity))))
    var request = base
    request.predicate = base.predicate.map { .and([$0, isExactly]).flattened } ?? isExactly
    return request
  }
}

extension From where T == DynamicObject {
  /// All objects of an entity without a compiled class.
  ///
  /// - Parameter entityName: the name of the entity.
  public init(entityName: String) {
    base = FetchRequest(entity: entityName)
  }
}

/// Clauses. Each returns a query with the clause, and leaves this one unchanged.
extension From {
  /// Keeps only objects that meet the condition, besides the conditions of earlier calls.
  ///
  /// - Parameter condition: the condition.
  public func `where`(_ condition: Where<T>) -> From {
    changed { query in
      guard let earlier = query.base.predicate else {
        query.base.predicate = condition.predicate
        return
      }
      query.base.predicate = (Where<T>(earlier) && condition).predicate
    }
  }

  /// Adds keys to the order, less significant than those of earlier calls.
  ///
  /// - Parameter keys: the keys of the order, the most significant first.
  public func orderBy(_ keys: OrderBy<T>...) -> From { orderBy(keys) }

  /// Adds keys to the order, less significant than those of earlier calls.
  ///
  /// - Parameter keys: the keys of the order, the most significant first.
  public func orderBy(_ keys: [OrderBy<T>]) -> From {
    changed { $0.base.sortDescriptors += keys.map(\.sortDescriptor) }
  }

  /// Skips objects at the start.
  ///
  /// - Parameter count: the number of objects to skip.
  public func offset(_ count: Int) -> From { changed { $0.base.offset = count } }

  /// Limits the number of objects; 0 means no limit.
  ///
  /// - Parameter count: the greatest number of objects.
  public func limit(_ count: Int) -> From { changed { $0.base.limit = count } }

  /// Divides the objects into sections that share the value of a property, for a
  /// ``FetchedObjectsController``.
  ///
  /// - Parameter keyPath: the property, like `\.$name`.
  public func sectionBy<P: ComparableProperty>(_ keyPath: any KeyPath<T, P> & Sendable) -> From {
    sectioned(PropertyPath(keyPath).names)
  }

  /// Divides the objects into sections whose names are made from the value.
  ///
  /// ```swift
  /// From<Person>().sectionBy(\.$age) { "\($0) years old" }.orderBy(.asc(\.$name))
  /// ```
  ///
  /// Sections with the same name but different values stay separate. A query is equal to its copies, but not
  /// to a query with another closure that does the same.
  ///
  /// - Parameters:
  ///   - keyPath: the property, like `\.$name`.
  ///   - title: makes the name of a section from its value as text. Objects without a value are in a section
  ///     without a name.
  public func sectionBy<P: ComparableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable, title: @escaping @Sendable (String) -> String?
  ) -> From {
    changed {
      $0.sectionPath = PropertyPath(keyPath).names
      $0.sectionTitles = SectionTitles(title)
    }
  }

  /// Divides the objects into sections that share the value of a property named by a text.
  ///
  /// - Throws: `PredicateSyntaxError` when the class has no such property.
  package func sectionBy(
    named name: String, title: (@Sendable (String) -> String?)? = nil
  ) throws -> From {
    let path = try NamedProperty(name, of: T.self).operand.keyPaths.first
    return changed {
      $0.sectionPath = path
      $0.sectionTitles = title.map(SectionTitles.init)
    }
  }

  /// Divides the objects into sections that share the value of a property behind to-one relationships.
  ///
  /// - Parameter path: the property, like `\.$company ~ \.$name`.
  public func sectionBy<P: ComparableProperty>(_ path: PropertyPath<T, P>) -> From {
    sectioned(path.requireOneValue("made sections by").names)
  }

  /// Divides the objects into sections that share a part of a date: `\.$hiredAt.month`.
  ///
  /// - Parameter keyPath: the property, like `\.$name`.
  public func sectionBy<Part>(
    _ keyPath: any KeyPath<T, DatePartProperty<Part>> & Sendable
  ) -> From {
    sectioned(PropertyPath(keyPath).operand.keyPaths.first)
  }

  /// Prefetches the objects of relationships, with one query for each relationship instead of one for each
  /// object.
  ///
  /// - Parameter relationships: the relationships, like `\.$company`.
  public func prefetching(_ relationships: any PartialKeyPath<T> & Sendable...) -> From {
    changed { query in
      let reflection = ClassReflection.of(T.self)
      query.prefetched += relationships.map {
        [reflection.names[reflection.slot(ofRelationship: $0)]]
      }
    }
  }

  /// Prefetches along a path of relationships: `\.$company ~ \.$offices`.
  ///
  /// - Parameter path: the property, like `\.$company ~ \.$name`.
  public func prefetching<P: RelationshipProperty>(_ path: PropertyPath<T, P>) -> From {
    changed { $0.prefetched.append(path.names) }
  }

  /// Sets whether the query includes objects of classes that inherit from this one; by default it does. Only
  /// objects of the class itself meet `@entity == "Animal"` in the format language.
  ///
  /// - Parameter isIncluding: whether they are included.
  public func includingSubentities(_ isIncluding: Bool) -> From {
    changed { $0.includesSubentities = isIncluding }
  }

  /// Sets whether changes staged in the context affect which objects are found, and their order; by default
  /// they do.
  ///
  /// Without them the result is that of the store: new objects are left out, and objects whose deletion is
  /// staged are included. The objects themselves have their staged values. Lists of a
  /// ``FetchedObjectsController`` always include unsaved changes; selections, aggregates, and updates and
  /// deletions in the store never do.
  ///
  /// - Parameter isIncluding: whether they are included.
  public func includingPendingChanges(_ isIncluding: Bool) -> From {
    changed { $0.includesPendingChanges = isIncluding }
  }

  /// The query without its condition, or without its order.
  ///
  /// - Parameters:
  ///   - condition: whether to remove the condition.
  ///   - order: whether to remove the order.
  package func without(condition: Bool, order: Bool) -> From {
    changed { query in
      if condition { query.base.predicate = nil }
      if order { query.base.sortDescriptors = [] }
    }
  }

  /// Reads only the given stores, of those that hold the class; without this clause, all of them.
  ///
  /// - Parameter stores: the stores, as they were added.
  public func affectedStores(_ stores: [StoreDescription]) -> From {
    changed { $0.base.affectedStores = stores }
  }

  /// The configurations of `inConfigurations(_:)`; nil without that clause.
  package var storeConfigurations: [String?]? {
    if case .configurations(let names) = base.stores { names } else { nil }
  }

  /// Reads only the stores that were added for the given configurations; nil stands for the store of all
  /// entities.
  package func inConfigurations(_ names: [String?]) -> From {
    changed { $0.base.stores = .configurations(names) }
  }

  private func sectioned(_ path: [String]?) -> From {
    changed {
      $0.sectionPath = path
      $0.sectionTitles = nil
    }
  }

  private func changed(_ change: (inout From) -> Void) -> From {
    var query = self
    change(&query)
    return query
  }
}

extension From: CustomStringConvertible {
  /// The query with its clauses in the format language:
  /// `FROM Employee WHERE salary > 3000.0 ORDER BY name LIMIT 20`.
  public var description: String {
    ValueQueryText(request).statement(
      from: request.entity, offset: request.offset, limit: request.limit)
  }
}

extension ClassReflection {
  /// The slot of a relationship by a key path without its type; traps for anything else.
  func slot<T: DatastoreObject>(ofRelationship keyPath: PartialKeyPath<T>) -> Slot {
    guard let object = prototype as? T,
      let property = object[keyPath: keyPath] as? any RelationshipProperty
    else {
      trap(
        "\(keyPath) is not a relationship of \(T.self); write it with a dollar sign: \\.$company")
    }
    return property.slot
  }
}
