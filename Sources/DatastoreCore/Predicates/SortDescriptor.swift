/// One key of a sort order.
///
/// Values order as in SQLite: NULL first, then numbers, text by UTF-8 bytes, blobs; descending is the
/// exact reverse.
public struct SortDescriptor: Sendable, Hashable, Codable {
  /// The compared value: a path of to-one steps, the number of objects of a to-many path
  /// (`.count(["employees"])`), an aggregate over them, or a calculation with such values.
  public var operand: Predicate.Operand
  /// Least first; otherwise greatest first.
  public var ascending: Bool
  /// How text is folded before it is compared.
  public var options: Predicate.StringOptions

  /// Creates a key; nothing is checked before it is used, when a list or a path through a to-many
  /// relationship is refused.
  public init(
    _ operand: Predicate.Operand, ascending: Bool = true, options: Predicate.StringOptions = []
  ) {
    self.operand = operand
    self.ascending = ascending
    self.options = options
  }

  /// Creates a key from property names: every step but the last is a to-one relationship. Ends in an
  /// attribute, or in a to-one relationship to sort by the key of its object; the empty path is the object's
  /// own key. Nothing is checked before it is used.
  public init(
    _ keyPath: [String], ascending: Bool = true, options: Predicate.StringOptions = []
  ) {
    self.init(.keyPath(keyPath), ascending: ascending, options: options)
  }

  /// The property names, if a property itself is compared; nil for counts, aggregates and calculations.
  public var keyPath: [String]? {
    if case .keyPath(let path) = operand { path } else { nil }
  }
}

extension SortDescriptor {
  /// The best matches for the searches of the request first: `@rank`.
  ///
  /// Compares the rank of SQLite's FTS5 (BM25) for those `SEARCH` conditions that all objects of the request
  /// meet, or of which each meets one (`AND`, `OR`): texts rank higher that have the words more often, are
  /// shorter, and have the rarer words. The texts must be attributes of the objects themselves and share one
  /// index of words; objects without such a search are equal in this key.
  ///
  /// Only the store knows ranks. If unsaved changes are included, objects that a search finds in the store
  /// keep their places there, and those that match only because of the changes come last.
  public static let rank = SortDescriptor([PredicatePath.rankStep])

  /// Whether the key compares objects of an entity by their rank.
  package func isRank(of entity: Entity) -> Bool {
    keyPath == [PredicatePath.rankStep] && entity.slot(named: PredicatePath.rankStep) == nil
  }
}

extension [SortDescriptor] {
  /// Whether only the store knows this order.
  package func hasRank(of entity: Entity) -> Bool { contains { $0.isRank(of: entity) } }

  /// The keys before the rank.
  package func beforeRank(of entity: Entity) -> [SortDescriptor] {
    Array(prefix { !$0.isRank(of: entity) })
  }
}

extension SortDescriptor {
  /// Whether sections by a path follow the direction of this key: it is the group key, or the date that the
  /// group key is a part of.
  package func leadsSections(by path: [String]) -> Bool {
    let keyPath = operand.path
    if keyPath == path { return true }
    return path.count > 1 && path.last.flatMap(DatePart.init(step:)) != nil
      && keyPath == Array(path.dropLast())
  }

  /// Whether sections by a path follow the order of this key: it is a property of the objects that define the
  /// sections, such as their name.
  package func ordersSections(by path: [String]) -> Bool {
    guard let keyPath, !path.isEmpty else { return false }
    return keyPath.count > path.count && keyPath.starts(with: path)
  }
}

extension FetchRequest {
  /// The order of a list that has sections.
  ///
  /// Sections are descending if the first sort key asks for that, or follow the order of a property of the
  /// objects that define them.
  ///
  /// - Parameters:
  ///   - path: the path that defines the sections.
  ///   - group: the operand for its values.
  package func listOrder(
    groupBy path: [String]?, _ group: Predicate.Operand?
  ) -> [SortDescriptor] {
    guard let path, let group else { return sortDescriptors }
    let isAscending = sortDescriptors.first.map { !$0.leadsSections(by: path) || $0.ascending }
    let leading = sortDescriptors.prefix(1).filter { $0.ordersSections(by: path) }
    return leading + [SortDescriptor(group, ascending: isAscending ?? true)] + sortDescriptors
  }
}
