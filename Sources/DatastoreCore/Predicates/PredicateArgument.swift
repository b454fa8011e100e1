/// What `%@`, `%d`, `%ld`, `%f` and `%K` in a predicate's text stand for.
public enum PredicateArgument: Sendable, Hashable {
  /// For `%@`, `%d`, `%ld` and `%f`; as text with dots also for `%K`.
  case value(Value)
  /// For `%@` behind `IN` or `BETWEEN`.
  case values([Value])
  /// For `%K`; names in it need no quotes.
  case keyPath([String])
}
