#if PostgreSQL
import DatastoreCore

extension Predicate {
  /// A condition that a server can answer and that holds whenever this one does.
  ///
  /// Comparisons that it cannot answer are assumed to hold, or not to hold below a negation. O(tree).
  ///
  /// - Parameter isAnswered: whether the server can answer a comparison by the rules of this library.
  func narrowed(_ isAnswered: (Comparison) -> Bool) -> Predicate {
    flattened.narrowed(isNegated: false, isAnswered)
  }

  private func narrowed(isNegated: Bool, _ isAnswered: (Comparison) -> Bool) -> Predicate {
    switch self {
    case .constant: self
    case .comparison(let comparison): isAnswered(comparison) ? self : .constant(!isNegated)
    case .and(let parts): .and(parts.map { $0.narrowed(isNegated: isNegated, isAnswered) })
    case .or(let parts): .or(parts.map { $0.narrowed(isNegated: isNegated, isAnswered) })
    case .not(let part): .not(part.narrowed(isNegated: !isNegated, isAnswered))
    }
  }
}

extension Predicate.Comparison {
  /// Whether it computes something that may be too large for a type of the server, which ends the statement.
  func isComputed(in entity: Entity) -> Bool {
    left.isComputed(in: entity) || right.isComputed(in: entity)
  }
}

extension Predicate.Operand {
  fileprivate func isComputed(in entity: Entity) -> Bool {
    switch self {
    case .value, .count: false
    // A name that is no property may stand for a calculation.
    case .keyPath(let path): path.first.map { entity.slot(named: $0) == nil } ?? false
    case .aggregate, .arithmetic, .function: true
    case .list(let elements): elements.contains { $0.isComputed(in: entity) }
    }
  }
}
#endif
