public import DatastoreCore

/// One key of a sort order.
///
/// ```swift
/// [.asc(\.$name), .desc(\.$salary)]
/// [.asc(\.$company ~ \.$name, options: [.caseInsensitive, .diacriticInsensitive])]
/// [.desc(\.$tasks.count), .desc((\.$tasks ~ \.$estimate).sum)]
/// ```
///
/// Objects without a value come first in ascending order. Text is sorted by its UTF-8 bytes unless
/// options say otherwise. Ties are broken by the objects' keys, so an order is always the same.
public struct OrderBy<T: DatastoreObject>: Sendable, Hashable {
  /// The key as a plain value.
  public let sortDescriptor: SortDescriptor

  /// A key from a sort descriptor.
  public init(_ sortDescriptor: SortDescriptor) {
    self.sortDescriptor = sortDescriptor
  }

  private init<P>(
    _ path: PropertyPath<T, P>, ascending: Bool, options: Predicate.StringOptions
  ) {
    let descriptor = SortDescriptor(path.operand, ascending: ascending, options: options)
    precondition(
      descriptor.keyPath == nil || !path.isThroughToMany,
      "\(T.entityName) cannot be sorted by \(path.names.joined(separator: ".")): it leads through a "
        + "to-many relationship, so there is no one value to sort by")
    self.init(descriptor)
  }

  /// Ascending.
  ///
  /// - Parameters:
  ///   - keyPath: the property, like `\.$name`, or the number of related objects, like `\.$tasks.count`.
  ///   - options: what does not count as a difference between texts.
  public static func asc<P: EntityProperty & QueryProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable, options: Predicate.StringOptions = []
  ) -> OrderBy {
    OrderBy(PropertyPath(keyPath), ascending: true, options: options)
  }

  /// Ascending by a property behind to-one relationships, or by an aggregate of those behind a to-many
  /// relationship. Traps on any other path through a to-many.
  public static func asc<P: QueryProperty>(
    _ path: PropertyPath<T, P>, options: Predicate.StringOptions = []
  ) -> OrderBy {
    OrderBy(path, ascending: true, options: options)
  }

  /// Descending.
  ///
  /// - Parameters:
  ///   - keyPath: the property, like `\.$name`, or the number of related objects, like `\.$tasks.count`.
  ///   - options: what does not count as a difference between texts.
  public static func desc<P: EntityProperty & QueryProperty>(
    _ keyPath: any KeyPath<T, P> & Sendable, options: Predicate.StringOptions = []
  ) -> OrderBy {
    OrderBy(PropertyPath(keyPath), ascending: false, options: options)
  }

  /// Descending by a property behind to-one relationships, or by an aggregate of those behind a to-many
  /// relationship. Traps on any other path through a to-many.
  public static func desc<P: QueryProperty>(
    _ path: PropertyPath<T, P>, options: Predicate.StringOptions = []
  ) -> OrderBy {
    OrderBy(path, ascending: false, options: options)
  }
}
