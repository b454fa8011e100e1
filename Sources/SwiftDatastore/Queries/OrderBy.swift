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

  /// The objects first that fit the searches of the query best.
  ///
  /// ```swift
  /// From<Note>().where(.search(\.$text, "apple pie*")).orderBy(.rank).limit(50)
  /// ```
  ///
  /// Texts rank higher that have the words more often, are shorter, and have the rarer words: the rank of
  /// SQLite's FTS5 (BM25). It is that of all `.search` conditions which the objects have to meet, of
  /// attributes of the class itself that are `searchable: true`, or have one FTS5 table in a third-party
  /// file. Without such a search and index all objects are equal in this key, and the next one decides.
  ///
  /// Only the store knows ranks, and they change with what is saved anywhere in the index. Unsaved changes
  /// count: objects stay in the places that the store gives them, leave the result when they do not meet its
  /// condition any more, and come last when only their changes do. A list of a ``FetchedObjectsController``
  /// is read again when searched texts are saved, or rows come or go; changes of other values do not ask for
  /// that.
  ///
  /// O(texts that have the words), however few are asked for.
  public static var rank: OrderBy { OrderBy(.rank) }

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
