extension SortDescriptor {
  /// The order of two objects by this key alone.
  package func compare(
    _ left: some PredicateSubject, _ right: some PredicateSubject
  ) -> Value.Ordering {
    compare(value(of: left), value(of: right))
  }

  /// The order of two objects by their known values of this key.
  func compare(_ left: Value, _ right: Value) -> Value.Ordering {
    let ordering = Value.compare(left, right)
    return ascending ? ordering : ordering.reversed
  }

  /// The value of an object that this key compares.
  func value(of subject: some PredicateSubject) -> Value {
    let value = operand.value(for: subject)
    guard !options.isEmpty, case .text(let text) = value else { return value }
    return .text(TextFolding.fold(text, options))
  }
}

extension [SortDescriptor] {
  /// The order of two objects: the first key that distinguishes them, then their keys, ascending; so
  /// `.same` only for the same object.
  package func compare(
    _ left: some PredicateSubject, _ right: some PredicateSubject
  ) -> Value.Ordering {
    let ordering = compareValues(left, right)
    if ordering != .same { return ordering }
    return Value.compare(.key(left.predicateKey), .key(right.predicateKey))
  }

  /// The order of two objects by their values alone.
  package func compareValues(
    _ left: some PredicateSubject, _ right: some PredicateSubject
  ) -> Value.Ordering {
    for descriptor in self {
      let ordering = descriptor.compare(left, right)
      if ordering != .same { return ordering }
    }
    return .same
  }
}
