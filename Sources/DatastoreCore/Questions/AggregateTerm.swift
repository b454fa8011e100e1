/// One value that is computed over all rows of a group.
package enum AggregateTerm: Sendable, Hashable {
  /// The number of rows.
  case countRows
  /// The number of rows that have a value there.
  case count([String])
  case aggregate(Predicate.Aggregate, [String])
}

/// A condition on groups: the term compared with a value.
package struct GroupCondition: Sendable, Hashable {
  package let term: AggregateTerm
  package let comparator: Predicate.Comparator
  package let value: Value

  package init(_ term: AggregateTerm, _ comparator: Predicate.Comparator, _ value: Value) {
    self.term = term
    self.comparator = comparator
    self.value = value
  }
}
