/// A value as it is typed: a path, a constant, or a calculation with them.
extension Predicate.Operand {
  /// Reads one value of an object, such as `salary * 1.03` or `company.name`.
  ///
  /// - Throws: `PredicateSyntaxError` for the first fault.
  package static func parse(
    _ format: String, entity: Entity, in schema: Schema
  ) throws(PredicateSyntaxError) -> Predicate.Operand {
    var parser = PredicateParser(format, arguments: [], entity: entity, schema: schema)
    return try parser.parseWholeOperand()
  }

  /// What it is of an object, in memory.
  package func value(of subject: some PredicateSubject) -> Value { value(for: subject) }
}
