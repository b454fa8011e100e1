extension Predicate {
  /// Parses a predicate in the NSPredicate format language.
  ///
  /// Names are checked against the schema, and constants take the stored form of the attribute they are
  /// compared with (`"2024-01-31"` becomes seconds for a date attribute). The grammar:
  ///
  /// ```text
  /// or         = and { (OR | ||) and }
  /// and        = not { (AND | &&) not }
  /// not        = (NOT | !) not | comparison | "(" or ")" | TRUEPREDICATE | FALSEPREDICATE
  /// comparison = [ANY | SOME | ALL | NONE] sum comparator ["[c]" | "[d]" | "[cd]"] (sum | list)
  /// sum        = product { (+ | -) product }
  /// product    = unary { (* | /) unary }
  /// unary      = - unary | "(" sum ")" | path | constant | %@ | %d | %ld | %f
  /// path       = (SELF | name | %K) { "." name } [".@count" | ".@sum." path …]
  /// list       = "{" sum { "," sum } "}"
  /// ```
  ///
  /// O(length), except for regular expressions, which are compiled to check them.
  ///
  /// - Parameter arguments: the values of `%@` and the other placeholders, in their order.
  /// - Throws: `PredicateSyntaxError` for the first fault, also for more than 100 nested levels.
  public static func parse(
    _ format: String, arguments: [PredicateArgument] = [], entity: Entity, in schema: Schema
  ) throws(PredicateSyntaxError) -> Predicate {
    var parser = PredicateParser(format, arguments: arguments, entity: entity, schema: schema)
    return try parser.parsePredicate()
  }
}

extension SortDescriptor {
  /// Parses a sort order such as `company.name[cd], tasks.@count desc`: paths of to-one steps, counts and
  /// aggregates, each with `[c]`, `[d]` or `[cd]` and `asc` (the default) or `desc`. Empty text is the empty
  /// order. `@rank` is `SortDescriptor.rank`.
  ///
  /// - Throws: `PredicateSyntaxError` for the first fault.
  public static func parse(
    _ format: String, entity: Entity, in schema: Schema
  ) throws(PredicateSyntaxError) -> [SortDescriptor] {
    var parser = PredicateParser(format, arguments: [], entity: entity, schema: schema)
    return try parser.parseSortDescriptors()
  }
}

/// The value of a placeholder `%@`, `%d`, `%ld`, `%f` or `%K` in a predicate's text.
public enum PredicateArgument: Sendable, Hashable {
  /// For `%@`, `%d`, `%ld` and `%f`; as text with dots also for `%K`.
  case value(Value)
  /// For `%@` after `IN` or `BETWEEN`.
  case values([Value])
  /// For `%K`; names in it need no quotes.
  case keyPath([String])
}
