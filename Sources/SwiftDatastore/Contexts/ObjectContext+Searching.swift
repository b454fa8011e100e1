import DatastoreCore

extension ObjectContext {
  /// The objects whose text has the given words, best matches first: texts that have them more often, shorter
  /// texts, and texts with the rarer words. Unsaved changes are included; objects that match because of them
  /// come last. Short for a query ordered by ``OrderBy/rank``.
  ///
  /// ```swift
  /// let notes = try context.search(\Note.$text, for: "apple pie*", limit: 50)
  /// ```
  ///
  /// The rank is that of SQLite's FTS5 (BM25). It needs an index: an attribute with `searchable: true`, or an
  /// FTS5 table in a third-party file. Without an index every text is searched, and the objects come in no
  /// particular order.
  ///
  /// O(texts that have the words); without unsaved changes of the class, no more than `limit` objects are
  /// read.
  ///
  /// - Parameters:
  ///   - property: a text attribute of the class itself.
  ///   - words: the words to search for, as for the condition `.search(_:_:)`.
  ///   - condition: a further condition on the objects.
  ///   - offset: the number of best matches to skip.
  ///   - limit: the greatest number of objects; 0 means no limit.
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
