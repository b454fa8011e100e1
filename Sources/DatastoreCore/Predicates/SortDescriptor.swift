/// One key of a sort order.
///
/// Values order as in SQLite: NULL first, then numbers, text by UTF-8 bytes, blobs; descending is the
/// exact reverse.
public struct SortDescriptor: Sendable, Hashable {
  /// Property names; every step but the last is a to-one relationship. Ends in an attribute, or in a
  /// to-one relationship to sort by the key of its object; the empty path is the object's own key.
  public var keyPath: [String]
  /// Least first; otherwise greatest first.
  public var ascending: Bool
  /// How text is folded before it is compared.
  public var options: Predicate.StringOptions

  /// A key of a sort order; nothing is checked before it is used.
  public init(
    _ keyPath: [String], ascending: Bool = true, options: Predicate.StringOptions = []
  ) {
    self.keyPath = keyPath
    self.ascending = ascending
    self.options = options
  }
}
