import Basics

extension PredicateParser {
  mutating func parseSum() throws(PredicateSyntaxError) -> Node {
    var node = try parseProduct()
    while isNext("+") || isNext("-") {
      node = try parseArithmetic(node, isNext("+") ? .add : .subtract)
    }
    return node
  }

  private mutating func parseProduct() throws(PredicateSyntaxError) -> Node {
    var node = try parseUnary()
    while isNext("*") || isNext("/") {
      node = try parseArithmetic(node, isNext("*") ? .multiply : .divide)
    }
    return node
  }

  private mutating func parseArithmetic(
    _ node: Node, _ operation: Predicate.Arithmetic
  ) throws(PredicateSyntaxError) -> Node {
    guard case .operand(let left) = node else {
      throw error(
        "A condition cannot be calculated with; expected AND, OR or the end.",
        expected: "AND, OR or the end", expectation: .connective)
    }
    advance()
    expectation = .operand(.number)
    let next = operation == .add || operation == .subtract ? try parseProduct() : try parseUnary()
    return .operand(try calculate(left, operation, try requireOperand(next)))
  }

  private func calculate(
    _ left: ParsedOperand, _ operation: Predicate.Arithmetic, _ right: ParsedOperand
  ) throws(PredicateSyntaxError) -> ParsedOperand {
    let (left, right) = (stored(left), stored(right))
    try requireNumber(left)
    try requireNumber(right)
    let range = left.range.lowerBound..<right.range.upperBound
    let depth = max(left.depth, right.depth) + 1
    guard depth <= Self.maximumDepth else { throw tooDeep(at: range) }
    return ParsedOperand(
      operand: .arithmetic(left.operand, operation, right.operand), type: .number, range: range,
      depth: depth)
  }

  func requireNumber(_ operand: ParsedOperand) throws(PredicateSyntaxError) {
    try requireOne(operand)
    let written = slice(operand.range)
    if case .value(let value) = operand.operand, OperandType.number.coerced(value) == nil {
      throw error(
        "Expected a number to calculate with, found \(quoted(written)).", at: operand.range,
        expected: "a number")
    }
    guard operand.type.isNumber else {
      throw error(
        "“\(written)” does not hold numbers, so it cannot be calculated with.", at: operand.range,
        expected: "a number")
    }
  }

  /// Requires numbers where an aggregate needs them: a text has a least and a greatest, but no sum.
  func requireNumbers(
    _ type: OperandType, at range: Range<Int>, for aggregate: Predicate.Aggregate
  ) throws(PredicateSyntaxError) {
    guard aggregate == .sum || aggregate == .average, !type.isNumber else { return }
    throw error(
      "“\(slice(range))” does not hold numbers, so it has no \(aggregate.word); it has count, min and max.",
      at: range, expected: "numbers")
  }

  func quoted(_ written: String) -> String {
    written.begins(with: "\"") || written.begins(with: "'") ? written : "“\(written)”"
  }

  /// Requires a single value: a path to many objects has more than one.
  func requireOne(_ operand: ParsedOperand) throws(PredicateSyntaxError) {
    guard operand.isThroughToMany else { return }
    throw error(
      "“\(slice(operand.range))” leads to many objects, so it can only appear alone to the left of "
        + "a comparison.", at: operand.range, expected: "one value")
  }

  func requireOperand(_ node: Node) throws(PredicateSyntaxError) -> ParsedOperand {
    guard case .operand(let operand) = node else {
      throw error(
        "Expected a value, found a condition.",
        at: previous?.range ?? token.range, expected: "a value")
    }
    return operand
  }

  private mutating func parseUnary() throws(PredicateSyntaxError) -> Node {
    let start = token.range.lowerBound
    guard isNext("-") else { return try parsePrimary() }
    try descend()
    defer { ascend() }
    advance()
    if case .number(let digits) = token.kind {
      let value = try number("-" + digits, at: start..<token.range.upperBound)
      return parseConstant(value, from: start)
    }
    let zero = ParsedOperand(operand: .value(.integer(0)), type: .constant, range: start..<start)
    let negated = try requireOperand(try parseUnary())
    var result = try calculate(zero, .subtract, negated)
    result.range = start..<negated.range.upperBound
    return .operand(result)
  }

  private func number(
    _ digits: String, at range: Range<Int>
  ) throws(PredicateSyntaxError) -> Value {
    if let integer = Int64(digits) { return .integer(integer) }
    if digits.contains(where: { ".eE".contains($0) }), let real = Double(digits) {
      return .real(real)
    }
    throw error(
      "This number does not fit 64 bits; write it with a decimal point.", at: range,
      expected: "a smaller number", suggestion: "\(slice(range)).0")
  }

  private mutating func parseConstant(_ value: Value, from start: Int) -> Node {
    let range = start..<token.range.upperBound
    advance()
    return .operand(ParsedOperand(operand: .value(value), type: .constant, range: range))
  }

  private mutating func parsePrimary() throws(PredicateSyntaxError) -> Node {
    let start = token.range.lowerBound
    switch token.kind {
    case .number(let digits): return parseConstant(try number(digits, at: token.range), from: start)
    case .text(let text): return parseConstant(.text(text), from: start)
    case .date(let text): return .operand(try parseDate(text))
    case .blob(let data): return parseConstant(.blob(data), from: start)
    case .symbol("("):
      try descend()
      advance()
      let node = try parseOr()
      try consume(")", expected: "AND, OR or “)”")
      ascend()
      guard case .operand(var operand) = node, let end = previous?.range.upperBound else {
        return node
      }
      operand.range = start..<end
      return .operand(operand)
    case .argument("K"), .name: return .operand(try parsePath())
    case .collection(let name) where "@" + name == PredicatePath.entityStep:
      return .operand(try parsePath())
    case .collection(let name) where "@" + name == PredicatePath.rankStep:
      throw error(
        "@rank is an order: the results of SEARCH can be sorted by it, but not compared.",
        expected: "a property or a value")
    case .argument: return .operand(try parseArgument())
    case .word where isFunctionNext: return .operand(try parseFunction())
    case .word where isPreferredName: return .operand(try parsePath())
    case .word(let word) where word.uppercased() == "SUBQUERY" && isSecond("("):
      throw error(
        "There is no SUBQUERY; write a condition on related objects as in ANY tasks.isDone == NO, and "
          + "their number as in tasks.@count > 1.", expected: "a property or a value")
    case .word:
      switch token.keyword {
      case nil, .self: return .operand(try parsePath())
      case .true, .yes: return parseConstant(.integer(1), from: start)
      case .false, .no: return parseConstant(.integer(0), from: start)
      case .null, .nil: return parseConstant(.null, from: start)
      case .cast: return .operand(try parseCast())
      default: throw missingOperand()
      }
    default: throw missingOperand()
    }
  }

  private func missingOperand() -> PredicateSyntaxError {
    let expected: String
    if case .operand(let type, _) = expectation {
      expected = type.expected
    } else {
      expected = "a property or a value"
    }
    for case .word(let word)? in [token.kind, previous?.kind] {
      let isKeyword = PredicateKeyword(word: word) != nil
      guard isKeyword, entity.slot(named: word) != nil else { continue }
      return error(
        "Expected \(expected), found \(found). “\(word)” is a keyword; write `\(word)` in backticks "
          + "for the property of that name.",
        expected: expected, suggestion: "`\(word)`", expectation: expectation)
    }
    return error(
      "Expected \(expected), found \(found).", expected: expected, expectation: expectation)
  }

  private mutating func parseArgument() throws(PredicateSyntaxError) -> ParsedOperand {
    let place = token
    guard case .argument(let letters) = place.kind,
      ["@", "d", "i", "ld", "lld", "u", "lu", "f", "lf", "g"].contains(letters)
    else {
      throw error("Unknown placeholder; write %@, %d, %ld, %f or %K.", expected: "a placeholder")
    }
    let argument = try consumeArgument()
    advance()
    switch (argument, letters) {
    case (.value(let value), _):
      let fits =
        switch (letters, value) {
        case ("@", _), ("f", .integer), ("lf", .integer), ("g", .integer), ("f", .real),
          ("lf", .real), ("g", .real):
          true
        case (_, .integer): true
        default: false
        }
      guard fits else {
        throw error(
          "%\(letters) expects a number, but its argument is \(value); write %@.",
          at: place.range, expected: "a number", suggestion: "%@")
      }
      return ParsedOperand(
        operand: .value(value), type: .constant, range: place.range, isArgument: true)
    case (.values(let values), "@"):
      let members = values.map {
        ParsedOperand(
          operand: .value($0), type: .constant, range: place.range, isArgument: true)
      }
      return list(members, at: place.range)
    default:
      throw error(
        "The argument of %\(letters) does not fit: %K expects a key path, %@ values.",
        at: place.range, expected: "a value")
    }
  }

  func list(_ members: [ParsedOperand], at range: Range<Int>) -> ParsedOperand {
    ParsedOperand(
      operand: .list(members.map(\.operand)), type: .constant, range: range, members: members)
  }

  /// `2024-01-31` without quotes.
  private mutating func parseDate(
    _ text: String
  ) throws(PredicateSyntaxError) -> ParsedOperand {
    guard Moment(text) != nil else {
      throw error(
        "There is no date \(text).", expected: OperandType.attribute(.date).expected)
    }
    let range = token.range
    advance()
    return ParsedOperand(
      operand: .value(.text(text)), type: .constant, range: range, isDate: true)
  }

  /// `CAST("2024-01-31T12:00:00Z", "NSDate")`, or with the seconds since 2001 as a number.
  private mutating func parseCast() throws(PredicateSyntaxError) -> ParsedOperand {
    let start = token.range.lowerBound
    try descend()
    defer { ascend() }
    advance()
    try consume("(", expected: "“(” after CAST")
    let place = token
    expectation = .operand(.attribute(.date))
    let operand = try requireOperand(try parseUnary())
    let range = place.range.lowerBound..<operand.range.upperBound
    guard case .value(let constant) = operand.operand, !constant.isNull,
      let date = OperandType.attribute(.date).coerced(constant), let seconds = date.number
    else {
      let expected = OperandType.attribute(.date).expected
      throw error(
        "Expected \(expected), found \(quoted(slice(range))).", at: range, expected: expected)
    }
    try consume(",", expected: "“,”")
    guard token.kind == .text("NSDate") else {
      throw error(
        "Expected \"NSDate\", found \(found); CAST makes dates only.", expected: "\"NSDate\"",
        suggestion: "\"NSDate\"")
    }
    advance()
    let end = token.range.upperBound
    try consume(")", expected: "“)”")
    return ParsedOperand(
      operand: .value(.real(seconds)), type: .constant, range: start..<end, isDate: true)
  }
}
