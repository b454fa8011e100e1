/// A predicate as rows of property, operator and value in groups, for an editor like NSPredicateEditor.
///
/// `PredicateForm(predicate).predicate` is always the same tree. Conditions that have no such row
/// (calculations, two properties compared) are kept as `.other`.
package struct PredicateForm: Sendable, Hashable {
  package struct Group: Sendable, Hashable {
    package var kind: Kind
    package var nodes: [Node]

    package init(_ kind: Kind, _ nodes: [Node] = []) {
      self.kind = kind
      self.nodes = nodes
    }
  }

  /// How many conditions of a group must hold.
  package enum Kind: Sendable, Hashable, CaseIterable {
    case all, any, none
    /// At least one must not hold.
    case notAll
  }

  package indirect enum Node: Sendable, Hashable {
    case row(Row)
    case group(Group)
    /// A condition that is kept unchanged.
    case other(Predicate)
  }

  /// One comparison of a property with values.
  package struct Row: Sendable, Hashable {
    /// Its right side is one value, or a list of values for `IN` and `BETWEEN`.
    package internal(set) var comparison: Predicate.Comparison
    package var isNegated: Bool
    /// Whether a value is missing; until it is set the row is not a condition.
    package internal(set) var lacksValue = false
  }

  /// The outermost group. With one node its kind has no effect; without nodes there is no condition.
  package var root: Group

  /// Creates the form of a predicate, or an empty one. O(size).
  package init(_ predicate: Predicate? = nil) {
    guard let predicate else {
      root = Group(.all)
      return
    }
    let node = Node(predicate)
    switch node {
    case .group(let group) where group.nodes.count > 1 || group.isNegated && !group.nodes.isEmpty:
      root = group
    default: root = Group(.all, [node])
    }
  }

  /// The predicate of the form; nil for no condition. Ignores rows without a value. O(size).
  package var predicate: Predicate? {
    let parts = root.nodes.compactMap(\.predicate)
    if parts.isEmpty { return nil }
    if parts.count == 1, !root.isNegated { return parts[0] }
    return root.kind.joined(parts)
  }
}

extension PredicateForm.Kind {
  func joined(_ parts: [Predicate]) -> Predicate {
    switch self {
    case .all: .and(parts)
    case .any: .or(parts)
    case .none: .not(.or(parts))
    case .notAll: .not(.and(parts))
    }
  }
}

extension PredicateForm.Group {
  var isNegated: Bool { kind == .none || kind == .notAll }

  var predicate: Predicate? {
    let parts = nodes.compactMap(\.predicate)
    // A group whose rows all lack values is not a condition yet; an empty group is one.
    return parts.isEmpty && !nodes.isEmpty ? nil : kind.joined(parts)
  }
}

extension PredicateForm.Node {
  init(_ predicate: Predicate) {
    switch predicate {
    case .and(let parts): self = .group(PredicateForm.Group(.all, parts.map(Self.init)))
    case .or(let parts): self = .group(PredicateForm.Group(.any, parts.map(Self.init)))
    case .not(.and(let parts)): self = .group(PredicateForm.Group(.notAll, parts.map(Self.init)))
    case .not(.or(let parts)): self = .group(PredicateForm.Group(.none, parts.map(Self.init)))
    case .comparison(let comparison):
      self = PredicateForm.Row(comparison).map(Self.row) ?? .other(predicate)
    case .not(.comparison(let comparison)):
      self =
        PredicateForm.Row(comparison, isNegated: true).map(Self.row) ?? .other(predicate)
    case .constant, .not: self = .other(predicate)
    }
  }

  package var predicate: Predicate? {
    switch self {
    case .row(let row): row.predicate
    case .group(let group): group.predicate
    case .other(let predicate): predicate
    }
  }
}
