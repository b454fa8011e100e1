import Basics
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
    require(
      descriptor.keyPath == nil || !path.isThroughToMany,
      "\(T.entityName) cannot be sorted by \(path.names.joined(separator: ".")): it leads through a "
        + "to-many relationship, so there is no one value to sort by")
    self.init(descriptor)
  }

  /// The best matches for the searches of the query first.
  ///
  /// ```swift
  /// From<Note>().where(.search(\.$text, "apple pie*")).orderBy(.rank).limit(50)
  /// ```
  ///
  /// Texts rank higher that have the words more often, are shorter, and have the rarer words: the rank is
  /// that of SQLite's FTS5 (BM25). It is computed from all `.search` conditions that the objects must meet,
  /// on attributes of the class itself that are `searchable: true`, or belong to one FTS5 table in a
  /// third-party file. Without such a search and index all objects are equal in this key, and the next one
  /// decides.
  ///
  /// Only the store knows ranks, and any save to the index changes them. Unsaved changes count: objects keep
  /// the places that the store gives them, leave the result when they no longer meet its condition, and come
  /// last when only their changes meet it. A list of a ``FetchedObjectsController`` is reloaded when searched
  /// texts are saved, or rows are added or removed; changes of other values do not cause that.
  ///
  /// O(texts that have the words), even with a small limit.
  public static var rank: OrderBy { OrderBy(.rank) }

  /// Ascending.
  ///
  /// - Parameters:
  ///   - keyPath: the property, like `\.$name`, or the number of related objects, like `\.$tasks.count`.
  ///   - options: the differences between texts to ignore.
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
  ///   - options: the differences between texts to ignore.
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
