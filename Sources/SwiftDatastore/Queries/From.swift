import Basics
public import DatastoreCore

/// Which objects of one class, and in which order: a query as a value.
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
/// A query is Sendable and Hashable: it is kept, compared, handed to other tasks, and refined step by step.
/// Nothing is read before a context is asked. Everything that reads or changes many objects takes one:
/// ``ObjectContext``, ``FetchedObjectsController``, and what is selected or computed of the objects
/// (`select(_:)`, `groupBy(_:)`).
public struct From<T: DatastoreObject>: Sendable, Hashable {
  /// The clauses by names.
  private var base: FetchRequest
  /// Whether objects of classes that inherit from this one are found, too.
  private var includesSubentities = true
  /// The path of the property whose value makes the sections of a list; nil for one section.
  public internal(set) var sectionPath: [String]?
  /// How the sections are called; by their values without it.
  var sectionTitles: SectionTitles?
  /// The paths of relationships that are read ahead.
  var prefetched: [[String]] = []
  /// Whether changes that are staged in the context count.
  var includesPendingChanges = true

  /// All objects of the class and of those that inherit from it.
  public init() {
    base = FetchRequest(entity: T.entityName)
  }

  /// The query of a request.
  ///
  /// - Parameter request: for the entity of the class.
  public init(_ request: FetchRequest) {
    base = request
  }
}

extension From {
  /// The query by names.
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

/// Clauses. Each returns the query with it, and leaves this one as it is.
extension From {
  /// Only objects that meet the condition, as well as those of earlier calls.
  ///
  /// - Parameter condition: which objects.
  public func `where`(_ condition: Where<T>) -> From {
    changed { query in
      guard let earlier = query.base.predicate else {
        query.base.predicate = condition.predicate
        return
      }
      query.base.predicate = (Where<T>(earlier) && condition).predicate
    }
  }

  /// In this order, within that of earlier calls.
  ///
  /// - Parameter keys: the keys of the order, the most significant first.
  public func orderBy(_ keys: OrderBy<T>...) -> From { orderBy(keys) }

  /// In this order, within that of earlier calls.
  ///
  /// - Parameter keys: the keys of the order, the most significant first.
  public func orderBy(_ keys: [OrderBy<T>]) -> From {
    changed { $0.base.sortDescriptors += keys.map(\.sortDescriptor) }
  }

  /// Without so many objects at the start.
  ///
  /// - Parameter count: how many.
  public func offset(_ count: Int) -> From { changed { $0.base.offset = count } }

  /// At most so many objects; 0 means no limit.
  ///
  /// - Parameter count: how many.
  public func limit(_ count: Int) -> From { changed { $0.base.limit = count } }

  /// In sections of objects that share the value of a property, for a ``FetchedObjectsController``.
  ///
  /// - Parameter keyPath: the property, like `\.$name`.
  public func sectionBy<P: ComparableProperty>(_ keyPath: any KeyPath<T, P> & Sendable) -> From {
    sectioned(PropertyPath(keyPath).names)
  }

  /// In sections that have names made of the value.
  ///
  /// ```swift
  /// From<Person>().sectionBy(\.$age) { "\($0) years old" }.orderBy(.asc(\.$name))
  /// ```
  ///
  /// Sections of one name but different values stay two. A query is equal to one that was made of it, and not
  /// to one with another closure that does the same.
  ///
  /// - Parameters:
  ///   - keyPath: the property, like `\.$name`.
  ///   - title: makes the name of a section of its value as text. Objects without a value are in a section
  ///     without a name.
  public func sectionBy<P: ComparableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable, title: @escaping @Sendable (String) -> String?
  ) -> From {
    changed {
      $0.sectionPath = PropertyPath(keyPath).names
      $0.sectionTitles = SectionTitles(title)
    }
  }

  /// In sections of objects that share the value of a property that a text names.
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

  /// In sections of objects that share the value of a property behind to-one relationships.
  ///
  /// - Parameter path: the property, like `\.$company ~ \.$name`.
  public func sectionBy<P: ComparableProperty>(_ path: PropertyPath<T, P>) -> From {
    sectioned(path.requireOneValue("made sections by").names)
  }

  /// In sections of objects that share a part of a date: `\.$hiredAt.month`.
  ///
  /// - Parameter keyPath: the property, like `\.$name`.
  public func sectionBy<Part>(
    _ keyPath: any KeyPath<T, DatePartProperty<Part>> & Sendable
  ) -> From {
    sectioned(PropertyPath(keyPath).operand.keyPaths.first)
  }

  /// With the objects that relationships lead to, read with one query for each relationship instead of one
  /// for each object.
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

  /// The same along a path of relationships, all of which are read ahead: `\.$company ~ \.$offices`.
  ///
  /// - Parameter path: the property, like `\.$company ~ \.$name`.
  public func prefetching<P: RelationshipProperty>(_ path: PropertyPath<T, P>) -> From {
    changed { $0.prefetched.append(path.names) }
  }

  /// Whether objects of classes that inherit from this one are found, too; they are unless it is said. Only
  /// those of the class itself meet `@entity == "Animal"` in the format language.
  ///
  /// - Parameter isIncluding: whether they are.
  public func includingSubentities(_ isIncluding: Bool) -> From {
    changed { $0.includesSubentities = isIncluding }
  }

  /// Whether changes that are staged in the context decide which objects are found, and in which order; they
  /// do unless it is said.
  ///
  /// Without them the answer is what the store has: new objects are left out, and objects whose deletion is
  /// staged are there. The objects themselves have their staged values. Lists of a
  /// ``FetchedObjectsController`` always include unsaved changes; what is selected, computed, updated or
  /// deleted in the store never does.
  ///
  /// - Parameter isIncluding: whether they do.
  public func includingPendingChanges(_ isIncluding: Bool) -> From {
    changed { $0.includesPendingChanges = isIncluding }
  }

  /// The query without its condition, or without its order.
  ///
  /// - Parameters:
  ///   - condition: whether it is left out.
  ///   - order: whether it is left out.
  package func without(condition: Bool, order: Bool) -> From {
    changed { query in
      if condition { query.base.predicate = nil }
      if order { query.base.sortDescriptors = [] }
    }
  }

  /// Only from those stores, where several of the datastore hold the class; from all of them without it.
  ///
  /// - Parameter stores: the stores, as they were added.
  public func affectedStores(_ stores: [StoreDescription]) -> From {
    changed { $0.base.affectedStores = stores }
  }

  /// The configurations of `inConfigurations(_:)`; nil without that.
  package var storeConfigurations: [String?]? {
    if case .configurations(let names) = base.stores { names } else { nil }
  }

  /// The same by the configurations for which stores were added; nil for those of all entities.
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
