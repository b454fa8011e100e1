import DatastoreCore

extension ObjectContext {
  /// The objects whose text has the words that are asked for, the best first: those that have them more often
  /// and in shorter texts, and have the rarer ones. Unsaved changes included; what they have made part of the
  /// result comes last. It is short for a query that is ordered by ``OrderBy/rank``.
  ///
  /// ```swift
  /// let notes = try context.search(\Note.$text, for: "apple pie*", limit: 50)
  /// ```
  ///
  /// The rank is that of SQLite's FTS5 (BM25). It needs an index: of an attribute that is `searchable: true`,
  /// or an FTS5 table in a third-party file. Without one every text is looked at, and the objects come in no
  /// particular order.
  ///
  /// O(texts that have the words); without unsaved changes of the class, no more than `limit` objects are
  /// read.
  ///
  /// - Parameters:
  ///   - property: a text of the class itself.
  ///   - words: the words to search for, as for the condition `.search(_:_:)`.
  ///   - condition: what else the objects have to meet.
  ///   - offset: how many of the best are passed over.
  ///   - limit: how many objects are returned at most; all for 0.
  /// - Throws: `StoreError` when the store cannot be read.
  public func search<T: DatastoreObject, P: ComparableProperty>(
    _ property: any KeyPath<T, P> & Sendable, for words: String, where condition: Where<T>? = nil,
    offset: Int = 0, limit: Int = 0
  ) throws -> [T] where P.KeyPathType == String {
    let search = Where<T>.search(property, words)
    return try fetch(
      From<T>().where(condition.map { search && $0 } ?? search).orderBy(.rank)
        .offset(offset).limit(limit))
  }
}
