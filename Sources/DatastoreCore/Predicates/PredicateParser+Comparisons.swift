extension PredicateParser {
  /// Parses the right side of a comparator and checks that both sides fit each other.
  mutating func parseRightSide(
    of left: ParsedOperand, _ comparator: Predicate.Comparator, _ quantifier: Predicate.Quantifier
  ) throws(PredicateSyntaxError) -> Predicate.Comparison {
    let options = try parseOptions()
    let takesList = comparator.takesList
    let value = stored(left)
    expectation = takesList ? .list : .operand(value.type, path: value.operand.valuePath)
    if isList(left) {
      throw error(
        "A list can only appear to the right of IN or BETWEEN.", at: left.range,
        expected: "one value")
    }
    let right = takesList ? try parseList(of: value) : try parseSide()
    var sides = Sides(left: left, comparator: comparator, right: right, quantifier: quantifier)
    try turn(&sides)
    takeStoredValues(of: &sides)
    try check(sides)
    try coerce(&sides)
    return Predicate.Comparison(
      sides.left.operand, sides.comparator, sides.right.operand, quantifier: sides.quantifier,
      options: options)
  }

  struct Sides {
    var left: ParsedOperand
    var comparator: Predicate.Comparator
    var right: ParsedOperand
    var quantifier: Predicate.Quantifier
  }

  private func isList(_ operand: ParsedOperand) -> Bool {
    if case .list = operand.operand { true } else { false }
  }

  private mutating func parseSide() throws(PredicateSyntaxError) -> ParsedOperand {
    let operand = try requireOperand(try parseSum())
    if isList(operand) {
      throw error(
        "A list can only appear to the right of IN or BETWEEN.", at: operand.range,
        expected: "one value")
    }
    return operand
  }

  private mutating func parseList(
    of left: ParsedOperand
  ) throws(PredicateSyntaxError) -> ParsedOperand {
    let start = token.range.lowerBound
    guard isNext("{") || isNext("(") else { return try requireOperand(try parseSum()) }
    let closing = isNext("{") ? "}" : ")"
    advance()
    var members: [ParsedOperand] = []
    while !isNext(closing) {
      if !members.isEmpty { try consume(",", expected: "“,” or “\(closing)”") }
      expectation = .operand(left.type, path: left.operand.valuePath)
      let member = try requireOperand(try parseSum())
      members += isList(member) ? member.members : [member]
    }
    let end = token.range.upperBound
    advance()
    return list(members, at: start..<end)
  }

  /// Moves a path to many objects to the left: `5 < tasks.estimate`, `5 IN tasks.estimate`.
  private func turn(_ sides: inout Sides) throws(PredicateSyntaxError) {
    guard sides.right.isThroughToMany, !sides.left.isThroughToMany, sides.quantifier == .direct
    else { return }
    switch sides.comparator {
    case .in:
      sides.comparator = .equal
      sides.quantifier = .any
    case .equal, .notEqual: break
    case .lessThan: sides.comparator = .greaterThan
    case .lessThanOrEqual: sides.comparator = .greaterThanOrEqual
    case .greaterThan: sides.comparator = .lessThan
    case .greaterThanOrEqual: sides.comparator = .lessThanOrEqual
    default: return
    }
    swap(&sides.left, &sides.right)
  }

  private func check(_ sides: Sides) throws(PredicateSyntaxError) {
    let left = sides.left
    let written = slice(left.range)
    if left.endsInToMany, sides.quantifier == .direct {
      throw error(
        "“\(written)” leads to many objects: write “ANY \(written)” to compare each, or "
          + "“\(written).@count” for their number.",
        at: left.range, expected: "one value", suggestion: "\(written).@count")
    }
    if sides.quantifier != .direct {
      guard case .keyPath = left.operand else {
        throw error(
          "Expected a property after \(sides.quantifier.word ?? ""), found “\(written)”.",
          at: left.range, expected: "a property")
      }
    }
    for operand in [sides.right] + sides.right.members { try requireOne(operand) }
    switch sides.comparator {
    case .in where !isList(sides.right):
      throw error(
        "Expected a list such as {1, 2} after IN.", at: sides.right.range, expected: "a list",
        expectation: .list)
    case .between where !isList(sides.right) || sides.right.members.count != 2:
      throw error(
        "Expected two bounds after BETWEEN: {lower, upper}.", at: sides.right.range,
        expected: "two bounds", expectation: .list)
    default: break
    }
  }

  /// Converts constants to the stored form of the other side.
  private func coerce(_ sides: inout Sides) throws(PredicateSyntaxError) {
    if sides.comparator.isTextual { return try checkText(sides) }
    if sides.left.isConstant, !isList(sides.right) {
      try coerce(&sides.left, to: sides.right.type, of: sides.right)
    }
    if isList(sides.right) {
      for index in sides.right.members.indices {
        try coerce(&sides.right.members[index], to: sides.left.type, of: sides.left)
      }
      sides.right.operand = .list(sides.right.members.map(\.operand))
    } else {
      try coerce(&sides.right, to: sides.left.type, of: sides.left)
    }
  }

  private func coerce(
    _ operand: inout ParsedOperand, to type: OperandType, of other: ParsedOperand
  ) throws(PredicateSyntaxError) {
    guard case .value(let value) = operand.operand else {
      return try requireSameConvention(operand, type)
    }
    if operand.isDate, case .storedDate(let convention) = type,
      let moment = Self.moment(of: value)
    {
      operand.operand = .value(convention.comparable(moment))
      return
    }
    if let coerced = type.coerced(value) {
      operand.operand = .value(coerced)
      return
    }
    let written = slice(operand.range)
    var hint = ""
    var suggestion: String?
    if value.number != nil, type.coerced(.text(written)) != nil {
      suggestion = "\"\(written)\""
      hint = "; put it in quotes: \"\(written)\""
    } else if case .text(let text) = value, Double(text) != nil,
      type.coerced(.integer(1)) != nil
    {
      suggestion = text
      hint = "; write it without quotes"
    }
    throw error(
      "“\(slice(other.range))” is compared with \(type.expected), found \(written)\(hint).",
      at: operand.range, expected: type.expected, suggestion: suggestion)
  }

  /// The moment of a date constant: a text, or seconds since 2001.
  private static func moment(of value: Value) -> Moment? {
    if case .text(let text) = value { Moment(text) } else { DateConvention.own.moment(of: value) }
  }

  /// Columns that store dates in different ways cannot be compared by their stored values.
  private func requireSameConvention(
    _ operand: ParsedOperand, _ type: OperandType
  ) throws(PredicateSyntaxError) {
    guard let one = operand.type.dates, let other = type.dates, one.code != other.code else {
      return
    }
    throw error(
      "“\(slice(operand.range))” stores dates as \(one.title), and what it is compared with as "
        + "\(other.title): compare each with a date.", at: operand.range, expected: "a date")
  }

  private func checkText(_ sides: Sides) throws(PredicateSyntaxError) {
    let word = sides.comparator.word
    for side in [sides.left, sides.right] {
      if case .value(let value) = side.operand {
        if case .text = value { continue }
        let written = slice(side.range)
        let suggestion = value.number == nil ? nil : "\"\(written)\""
        throw error(
          "\(word) compares text; found \(written)"
            + (suggestion.map { "; put it in quotes: \($0)." } ?? "."),
          at: side.range, expected: "text in quotes", suggestion: suggestion)
      }
      guard side.type.isText else {
        throw error(
          "\(word) compares text, but “\(slice(side.range))” does not hold text.", at: side.range,
          expected: "text")
      }
    }
    if sides.comparator == .matches, case .value(.text(let pattern)) = sides.right.operand,
      !RegularExpression.isValid(pattern)
    {
      throw error(
        "This is not a valid regular expression.", at: sides.right.range,
        expected: "a regular expression")
    }
  }
}
