import Basics
import DatastoreCore

/// One selected value of each object, or one grouping value: `.value(\.$name)`.
///
/// ```swift
/// From<Employee>().select(.objectID(), .value(\.$name), .value(\Employee.$company ~ \.$name))
/// ```
///
/// In a list of terms, Swift infers the class of a key path but not of a longer path: write it there.
public struct SelectTerm<T: DatastoreObject, Result>: Sendable {
  let term: QueryColumn.Term
  let read: @Sendable (SelectedRow) throws -> Result

  private init<P: SelectableProperty>(
    _ path: PropertyPath<T, P>, _ read: @escaping @Sendable (SelectedRow) throws -> Result
  ) {
    if case .keyPath(let names) = path.operand, P.self is any RelationshipProperty.Type {
      term = .key(names)
    } else {
      term = .value(path.operand)
    }
    let end = path.end
    self.read = { row in
      row.property = end
      return try read(row)
    }
  }

  /// A property of the object: `\.$name`, `\.$tasks.count`, `\.$hiredAt.month`. A to-one relationship gives
  /// the identifier of its object.
  ///
  /// - Parameter keyPath: the property, like `\.$name`.
  public static func value<P: SelectableProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable
  ) -> SelectTerm where P.Selected == Result {
    SelectTerm(PropertyPath(keyPath)) { try P.selected(from: $0) }
  }

  /// A property behind to-one relationships: `\.$company ~ \.$name`. Traps for a path through a to-many
  /// relationship, which has more than one value.
  ///
  /// - Parameter path: the property, like `\.$company ~ \.$name`.
  public static func value<P: SelectableProperty>(
    _ path: PropertyPath<T, P>
  ) -> SelectTerm where P.Found == Result {
    SelectTerm(path.requireOneValue("selected")) { try P.found(in: $0) }
  }

  /// An aggregate of the objects behind a to-many relationship: `(\.$tasks ~ \.$estimate).sum`.
  ///
  /// - Parameter path: the property, like `\.$company ~ \.$name`.
  public static func value<P: FetchableProperty>(
    _ path: PropertyPath<T, AggregateOf<P>>
  ) -> SelectTerm where P.FetchedValue? == Result {
    let term = QueryColumn.Term.value(path.operand)
    return SelectTerm(term) { try $0.aggregate(term) }
  }
}

extension SelectTerm {
  private init(
    _ term: QueryColumn.Term, _ read: @escaping @Sendable (SelectedRow) throws -> Result
  ) {
    self.term = term
    self.read = read
  }

  /// The identifier of the object itself.
  public static func objectID() -> SelectTerm where Result == DatastoreObjectID {
    SelectTerm(.key([])) { row in
      guard let id = row.objectID() else {
        trap("every object has a key")
      }
      return id
    }
  }
}

/// Terms are equal when they select the same; the way of reading follows from that and the types.
extension SelectTerm: Hashable {
  public static func == (left: SelectTerm, right: SelectTerm) -> Bool { left.term == right.term }

  public func hash(into hasher: inout Hasher) { hasher.combine(term) }
}

extension PropertyPath {
  /// Traps for a path that leads to many objects, unless an aggregate reduces them to one value.
  func requireOneValue(_ use: String) -> PropertyPath {
    if isThroughToMany, case .keyPath = operand {
      trap(
        "\(names.joined(separator: ".")) of \(T.entityName) cannot be \(use): it leads through a to-many "
          + "relationship, so there is no one value")
    }
    return self
  }
}
