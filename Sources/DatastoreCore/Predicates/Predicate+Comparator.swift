extension Predicate.Comparator {
  /// What a comparator compares, which decides what its sides may be. A new comparator is given a kind and a
  /// word here; what the kinds have in common then holds for it in texts, forms, memory and SQL.
  package enum Kind: Hashable {
    /// Two values of any kind.
    case relation(Predicate.Relation)
    /// Equality with a member of a list.
    case membership
    /// The order of values between two bounds.
    case range
    /// Both sides are text.
    case text(Predicate.TextComparator)
  }

  package var kind: Kind {
    switch self {
    case .equal: .relation(.equal)
    case .notEqual: .relation(.notEqual)
    case .lessThan: .relation(.lessThan)
    case .lessThanOrEqual: .relation(.lessThanOrEqual)
    case .greaterThan: .relation(.greaterThan)
    case .greaterThanOrEqual: .relation(.greaterThanOrEqual)
    case .in: .membership
    case .between: .range
    case .contains: .text(.contains)
    case .beginsWith: .text(.beginsWith)
    case .endsWith: .text(.endsWith)
    case .like: .text(.like)
    case .matches: .text(.matches)
    case .search: .text(.search)
    }
  }

  /// The sign or word.
  package var word: String {
    switch self {
    case .equal: "=="
    case .notEqual: "!="
    case .lessThan: "<"
    case .lessThanOrEqual: "<="
    case .greaterThan: ">"
    case .greaterThanOrEqual: ">="
    case .in: "IN"
    case .between: "BETWEEN"
    case .contains: "CONTAINS"
    case .beginsWith: "BEGINSWITH"
    case .endsWith: "ENDSWITH"
    case .like: "LIKE"
    case .matches: "MATCHES"
    case .search: "SEARCH"
    }
  }

  /// The comparator with a sign or word, in any case; nil if there is none.
  init?(word: String) {
    guard let comparator = Self.byWord[word.uppercased()] else { return nil }
    self = comparator
  }

  private static let byWord: [String: Self] = {
    var byWord = Dictionary(uniqueKeysWithValues: allCases.map { ($0.word, $0) })
    byWord["="] = .equal
    byWord["<>"] = .notEqual
    byWord["=<"] = .lessThanOrEqual
    byWord["=>"] = .greaterThanOrEqual
    return byWord
  }()
}

extension Predicate.Comparator {
  /// Whether the right side is a list.
  package var takesList: Bool { kind == .membership || kind == .range }

  /// Whether the comparator depends on order.
  package var isOrdering: Bool {
    switch kind {
    case .relation(let relation): relation.isOrdering
    case .range: true
    case .membership, .text: false
    }
  }

  /// How texts are compared; nil if the sides may be other values.
  package var text: Predicate.TextComparator? {
    if case .text(let comparator) = kind { comparator } else { nil }
  }

  /// Whether both sides must be text for the comparison to hold.
  package var isTextual: Bool { text != nil }
}

extension Predicate {
  /// The comparators of two values of any kind.
  package enum Relation: Sendable {
    case equal, notEqual
    case lessThan, lessThanOrEqual, greaterThan, greaterThanOrEqual

    /// Whether it is about the order of values, in which NULL has no place; for the others NULL is a value.
    package var isOrdering: Bool { self != .equal && self != .notEqual }
  }

  /// The comparators that compare texts. Its raw value ends the name of the function in SQLite.
  package enum TextComparator: String, Sendable, CaseIterable {
    case contains, beginsWith, endsWith, like, matches, search

    /// Whether the right side is a part of the left one, which engines find by themselves.
    package var isPart: Bool {
      switch self {
      case .contains, .beginsWith, .endsWith: true
      case .like, .matches, .search: false
      }
    }

    /// Whether `[c]` and `[d]` fold both sides. Folding would turn the `\D` of an expression into `\d`, and
    /// `SEARCH` has its own rules.
    package var isFolded: Bool {
      switch self {
      case .contains, .beginsWith, .endsWith, .like: true
      case .matches, .search: false
      }
    }
  }
}
