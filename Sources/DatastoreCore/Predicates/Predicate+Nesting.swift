/// Limits on the nesting of conditions.
///
/// Code walks a tree by recursion, and SQLite's parser has a stack of a hundred places. Lists of conditions
/// may be of any length, however they are nested: ORs inside an OR are one list, and so are ANDs inside an
/// AND.
extension Predicate {
  /// The greatest nesting of AND, OR and NOT that SQL can express.
  package static let maximumLevels = 25
  /// The greatest nesting of nodes for recursion.
  private static let maximumDepth = 200

  /// The tree with nested lists of the same kind merged, and without double negations. O(tree), without
  /// recursion.
  package var flattened: Predicate {
    switch self {
    case .constant, .comparison: return self
    case .and: return .and(sameKind { if case .and(let parts) = $0 { parts } else { nil } })
    case .or: return .or(sameKind { if case .or(let parts) = $0 { parts } else { nil } })
    case .not:
      let (inner, isNegated) = withoutNegations
      return isNegated ? .not(inner) : inner.flattened
    }
  }

  /// The condition inside negations, and whether these negate it.
  private var withoutNegations: (Predicate, isNegated: Bool) {
    var inner = self
    var isNegated = false
    while case .not(let part) = inner {
      inner = part
      isNegated.toggle()
    }
    return (inner, isNegated)
  }

  /// The parts of a list, with nested lists of the same kind replaced by their parts.
  private func sameKind(_ parts: (Predicate) -> [Predicate]?) -> [Predicate] {
    var found: [Predicate] = []
    var rest = [self]
    while let next = rest.popLast() {
      if let inner = parts(next) {
        rest += inner.reversed()
      } else if case .not = next {
        let (inner, isNegated) = next.withoutNegations
        if isNegated { found.append(.not(inner)) } else { rest.append(inner) }
      } else {
        found.append(next)
      }
    }
    return found
  }

  /// Checks that the tree is not nested too deeply. O(tree), without recursion.
  ///
  /// - Throws: `PredicateFault` with the depth and the limit.
  package func requireShallow() throws(PredicateFault) {
    var levels = 0
    var depth = 0
    var rest: [(node: Predicate, kind: Kind, level: Int, depth: Int)] = [(self, .other, 0, 1)]
    while let (node, kind, level, place) = rest.popLast() {
      depth = max(depth, place)
      let own: Kind
      let parts: [Predicate]
      switch node {
      case .constant, .comparison: continue
      case .and(let inner): (own, parts) = (.and, inner)
      case .or(let inner): (own, parts) = (.or, inner)
      case .not(let inner): (own, parts) = (.not, [inner])
      }
      let next = own == kind ? level : level + 1
      levels = max(levels, next)
      for part in parts { rest.append((part, own, next, place + 1)) }
    }
    if levels > Self.maximumLevels {
      throw PredicateFault(
        "This condition has \(levels) levels of AND, OR and NOT inside each other; "
          + "\(Self.maximumLevels) are possible. ORs inside an OR are one level, and so are ANDs inside an "
          + "AND.")
    }
    if depth > Self.maximumDepth {
      throw PredicateFault(
        "This condition is a tree of \(depth) levels; \(Self.maximumDepth) are possible. Put the parts into one "
          + "list instead of lists inside each other.")
    }
  }

  private enum Kind {
    case and, or, not, other
  }
}
