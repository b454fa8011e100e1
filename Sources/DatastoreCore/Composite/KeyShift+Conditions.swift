/// Conditions for one of several stores.
extension KeyShift {
  /// A condition with the store's own keys, without the parts that its keys alone decide.
  ///
  /// - Returns: `FALSEPREDICATE` if no row of the store can meet it.
  func own(_ predicate: Predicate, of entity: Entity) -> Predicate {
    switch predicate {
    case .constant: return predicate
    case .not(let part):
      let part = own(part, of: entity)
      if case .constant(let isTrue) = part { return .constant(!isTrue) }
      return .not(part)
    case .and(let parts): return joined(parts, of: entity, neutral: true) { .and($0) }
    case .or(let parts): return joined(parts, of: entity, neutral: false) { .or($0) }
    case .comparison(let comparison): return own(comparison, of: entity)
    }
  }

  private func joined(
    _ parts: [Predicate], of entity: Entity, neutral: Bool, _ join: ([Predicate]) -> Predicate
  ) -> Predicate {
    let rest = parts.map { own($0, of: entity) }.filter { $0 != .constant(neutral) }
    if rest.contains(.constant(!neutral)) { return .constant(!neutral) }
    return rest.count == 1 ? rest[0] : rest.isEmpty ? .constant(neutral) : join(rest)
  }

  private func own(_ comparison: Predicate.Comparison, of entity: Entity) -> Predicate {
    guard case .keyPath(let path) = comparison.left,
      let destination = destination(of: path, from: entity)
    else { return .comparison(comparison) }
    if path.isEmpty, let isTrue = decision(comparison, Self.keys(ofRank: ranks[entity.index])) {
      return .constant(isTrue)
    }
    var own = comparison
    own.right = self.own(comparison.right, of: destination)
    return .comparison(own)
  }

  /// The entity whose keys are the values of a path; nil for other paths.
  func destination(of path: [String], from entity: Entity) -> EntityIndex? {
    guard let resolved = try? PredicatePath(path, from: entity, in: schema),
      case .object(let destination) = resolved.destination
    else { return nil }
    return destination.index
  }

  private func own(
    _ operand: Predicate.Operand, of entity: EntityIndex
  ) -> Predicate.Operand {
    switch operand {
    case .value(let value): .value(own(value, of: entity))
    case .list(let operands): .list(operands.map { own($0, of: entity) })
    default: operand
    }
  }

  /// The result of a condition on the row's own key for all rows of the store; nil if it depends on the row.
  private func decision(
    _ comparison: Predicate.Comparison, _ keys: ClosedRange<RowKey>
  ) -> Bool? {
    switch (comparison.comparator, comparison.right) {
    case (.in, .list(let operands)):
      let isHere = operands.contains { operand in
        guard case .value(.integer(let key)) = operand else { return true }
        return keys.contains(RowKey(key))
      }
      return isHere ? nil : false
    case (.equal, .value(.integer(let key))): return keys.contains(RowKey(key)) ? nil : false
    case (.notEqual, .value(.integer(let key))): return keys.contains(RowKey(key)) ? nil : true
    case (.lessThan, .value(.integer(let key))):
      return keys.upperBound.rawValue < key ? true : keys.lowerBound.rawValue >= key ? false : nil
    case (.lessThanOrEqual, .value(.integer(let key))):
      return keys.upperBound.rawValue <= key ? true : keys.lowerBound.rawValue > key ? false : nil
    case (.greaterThan, .value(.integer(let key))):
      return keys.lowerBound.rawValue > key ? true : keys.upperBound.rawValue <= key ? false : nil
    case (.greaterThanOrEqual, .value(.integer(let key))):
      return keys.lowerBound.rawValue >= key ? true : keys.upperBound.rawValue < key ? false : nil
    default: return nil
    }
  }
}

extension Predicate {
  /// The condition that a row is in a store with the given ranges of shared keys.
  package static func isAmong(_ keys: [ClosedRange<RowKey>]) -> Predicate {
    let ranges = keys.map { range -> Predicate in
      .and([
        .comparison(.init(.keyPath([]), .greaterThanOrEqual, .value(.key(range.lowerBound)))),
        .comparison(.init(.keyPath([]), .lessThanOrEqual, .value(.key(range.upperBound)))),
      ])
    }
    return ranges.count == 1 ? ranges[0] : .or(ranges)
  }
}
