public import SwiftDatastore

/// Sections as a clause: `SectionBy<Person>(\.$age) { $0.map { "\($0) years old" } }`.
///
/// The closure makes the name of a section of its value as text; its title in an index is the first letter of that.
public struct SectionBy<O: DatastoreObject>: Sendable {
  let apply: @Sendable (From<O>) -> From<O>

  /// By an attribute that a text names, or several names with dots between them. Traps when the class has none of the name.
  public init(
    _ keyPath: String, sectionIndexTransformer title: (@Sendable (String?) -> String?)? = nil
  ) {
    apply = { query in
      naming(O.self) { try query.sectionBy(named: keyPath, title: title) }
    }
  }

  /// By an attribute.
  public init<P: ComparableProperty>(
    _ keyPath: any KeyPath<O, P> & Sendable,
    sectionIndexTransformer title: (@Sendable (String?) -> String?)? = nil
  ) {
    apply = { query in
      guard let title else { return query.sectionBy(keyPath) }
      return query.sectionBy(keyPath, title: { title($0) })
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
  @_disfavoredOverload
  public func sectionBy<P: ComparableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable,
    sectionIndexTransformer title: @escaping @Sendable (String?) -> String?
  ) -> From { sectionBy(SectionBy(keyPath, sectionIndexTransformer: title)) }
}

/// Lists with their clauses as arguments.
@MainActor
extension DataStack {
  /// A list with observers for each change.
  public func monitorList<O: DatastoreObject>(
    _ query: From<O>, _ clauses: [any FetchClause]
  ) throws -> ListMonitor<O> { try monitorList(query.applying(clauses)) }

  /// The same for a list in sections.
  public func monitorSectionedList<O: DatastoreObject>(
    _ query: From<O>, _ sectionBy: SectionBy<O>, _ clauses: any FetchClause...
  ) throws -> ListMonitor<O> { try monitorList(query.sectionBy(sectionBy), clauses) }

  /// The same with the clauses in an array.
  public func monitorSectionedList<O: DatastoreObject>(
    _ query: From<O>, _ sectionBy: SectionBy<O>, _ clauses: [any FetchClause]
  ) throws -> ListMonitor<O> { try monitorList(query.sectionBy(sectionBy), clauses) }

  /// A list as a value, with the news of its changes.
  public func publishList<O: DatastoreObject>(
    _ query: From<O>, _ clauses: [any FetchClause]
  ) throws -> ListPublisher<O> { try publishList(query.applying(clauses)) }

  /// The same in sections.
  public func publishList<O: DatastoreObject>(
    _ query: From<O>, _ sectionBy: SectionBy<O>, _ clauses: any FetchClause...
  ) throws -> ListPublisher<O> { try publishList(query.sectionBy(sectionBy), clauses) }

  /// The same with the clauses in an array.
  public func publishList<O: DatastoreObject>(
    _ query: From<O>, _ sectionBy: SectionBy<O>, _ clauses: [any FetchClause]
  ) throws -> ListPublisher<O> { try publishList(query.sectionBy(sectionBy), clauses) }
}
