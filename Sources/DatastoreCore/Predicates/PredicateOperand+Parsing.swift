/// A value as typed by a person: a path, a constant, or a calculation.
extension Predicate.Operand {
  /// Parses one value of an object, such as `salary * 1.03` or `company.name`.
  ///
  /// - Throws: `PredicateSyntaxError` for the first fault.
  package static func parse(
    _ format: String, entity: Entity, in schema: Schema
  ) throws(PredicateSyntaxError) -> Predicate.Operand {
    var parser = PredicateParser(format, arguments: [], entity: entity, schema: schema)
    return try parser.parseWholeOperand()
  }

  /// Parses one value of an object and an optional name: `salary * 12 AS yearly`.
  ///
  /// - Returns: also the expression as written, without the name.
  /// - Throws: `PredicateSyntaxError` for the first fault.
  package static func parseNamed(
    _ format: String, entity: Entity, in schema: Schema
  ) throws(PredicateSyntaxError) -> (operand: Predicate.Operand, expression: String, name: String?)
  {
    var parser = PredicateParser(format, arguments: [], entity: entity, schema: schema)
    let operand = try parser.parseSingleOperand()
    let name = try parser.parseName()
    try parser.requireEnd(expected: "an operator, AS or the end")
    return (operand.operand, parser.slice(operand.range), name)
  }

  /// The value of the operand for an object in memory.
  package func value(of subject: some PredicateSubject) -> Value { value(for: subject) }
}

extension PredicateParser {
  /// An operand with one value for each object, at the end of the text.
  mutating func parseWholeOperand() throws(PredicateSyntaxError) -> Predicate.Operand {
    let operand = try parseSingleOperand()
    try requireEnd(expected: "an operator or the end")
    return operand.operand
  }

  /// `AS yearly`, if it comes next.
  mutating func parseName() throws(PredicateSyntaxError) -> String? {
    guard case .word(let word) = token.kind, word.uppercased() == "AS" else { return nil }
    advance()
    defer { advance() }
    switch token.kind {
    case .word(let name), .name(let name), .text(let name): return name
    default: throw error("Expected a name after AS, found \(found).", expected: "a name")
    }
  }

  /// An operand with one value for each object.
  mutating func parseSingleOperand() throws(PredicateSyntaxError) -> ParsedOperand {
    let operand = try requireOperand(try parseSum())
    guard !operand.isThroughToMany, !operand.endsInToMany else {
      throw error(
        "“\(slice(operand.range))” leads to many objects; ask for their number with @count, or for "
          + "a value of them as in tasks.@sum.estimate.", at: operand.range,
        expected: "an attribute or a to-one relationship")
    }
    return operand
  }
}
