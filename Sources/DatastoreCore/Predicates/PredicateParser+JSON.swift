/// Paths that continue in the JSON of an attribute: `payload.user.tags[0]`.
extension PredicateParser {
  /// Whether `[0]` comes next.
  var isElementNext: Bool {
    guard isNext("["), position + 2 < tokens.count, case .number = tokens[position + 1].kind else {
      return false
    }
    return tokens[position + 2].kind == .symbol("]")
  }

  /// Parses the index of an array element.
  mutating func parseElement() throws(PredicateSyntaxError) -> Step {
    let range = token.range.lowerBound..<tokens[position + 2].range.upperBound
    guard case .number(let digits) = tokens[position + 1].kind, let number = Int64(digits) else {
      throw error(
        "Elements have whole numbers, counted from 0.", at: range, expected: "a whole number")
    }
    for _ in 0..<3 { advance() }
    return Step(name: "[\(number)]", range: range, element: number)
  }

  /// The attribute in whose JSON a path continues, and the steps there; nil for other paths.
  func jsonPlace(of steps: [Step]) -> (path: [String], steps: [Value])? {
    guard !steps.contains(where: \.isCollection), let (path, end, count) = try? lead(along: steps),
      case .attribute = end.destination
    else { return nil }
    let inside = steps[count...].map { step in
      step.element.map { Value.integer($0) } ?? .text(step.name)
    }
    let isPossible =
      OperandType(end.destination).mayBeJSON && !end.isThroughToMany
      && inside.count < Predicate.Function.json.argumentCounts.upperBound
    return isPossible ? (path, inside) : nil
  }
}
