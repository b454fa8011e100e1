import Foundation

/// Functions, and named calculations.
extension PredicateParser {
  /// Whether a function comes next. A property of the same name has no parentheses after it, unless they are
  /// part of the name.
  var isFunctionNext: Bool {
    guard case .word(let word) = token.kind, token.keyword == nil, isSecond("(") else {
      return false
    }
    if let call = callName(), knows(call.name) { return false }
    return Predicate.Function(rawValue: word.lowercased()) != nil || word.lowercased() == "now"
  }

  /// The names of all functions, for a sentence.
  static var functionNames: String {
    let names = Predicate.Function.allCases.map(\.rawValue) + ["now"]
    return names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
  }

  /// `left(name, 3)`, starting at the name.
  mutating func parseFunction() throws(PredicateSyntaxError) -> ParsedOperand {
    let place = token
    guard case .word(let word) = place.kind else { return try parsePath() }
    try descend()
    defer { ascend() }
    advance()
    advance()
    guard let function = Predicate.Function(rawValue: word.lowercased()) else {
      return try parseNow(from: place.range.lowerBound)
    }
    var arguments: [ParsedOperand] = []
    while !isNext(")") {
      if !arguments.isEmpty { try consume(",", expected: "“,” or “)”") }
      expectation = .operand(function.need(ofArgument: arguments.count).type)
      let argument = stored(try requireOperand(try parseSum()))
      try check(argument, as: function.need(ofArgument: arguments.count), of: function)
      arguments.append(argument)
    }
    let range = place.range.lowerBound..<token.range.upperBound
    advance()
    guard function.argumentCounts.contains(arguments.count) else {
      throw error("Write \(function.usage).", at: range, expected: function.usage)
    }
    let depth = (arguments.map(\.depth).max() ?? 0) + 1
    guard depth <= Self.maximumDepth else { throw tooDeep(at: range) }
    return ParsedOperand(
      operand: .function(function, arguments.map(\.operand)),
      type: OperandType(function, arguments.map(\.type)), range: range, depth: depth)
  }

  /// The moment of parsing.
  private mutating func parseNow(from start: Int) throws(PredicateSyntaxError) -> ParsedOperand {
    let end = token.range.upperBound
    try consume(")", expected: "“)”")
    return ParsedOperand(
      operand: .value(.real(Date().timeIntervalSinceReferenceDate)), type: .constant,
      range: start..<end, isDate: true)
  }

  private func check(
    _ argument: ParsedOperand, as need: Predicate.Function.Need, of function: Predicate.Function
  ) throws(PredicateSyntaxError) {
    try requireOne(argument)
    let written = slice(argument.range)
    if case .list = argument.operand {
      throw error(
        "\(function.rawValue) takes single values.", at: argument.range, expected: "a value")
    }
    switch need {
    case .anything: return
    case .number: try requireNumber(argument)
    case .json:
      guard argument.type.mayBeJSON else {
        throw error(
          "\(function.rawValue) takes JSON, but \(quoted(written)) does not hold text.",
          at: argument.range, expected: "text")
      }
    case .step:
      switch argument.operand {
      case .value(.text): return
      case .value(.integer(let number)) where number >= 0: return
      default:
        throw error(
          "A step in JSON is the name of a member in quotes or the number of an element, not "
            + "\(quoted(written)).", at: argument.range, expected: "a name in quotes or a number")
      }
    case .text:
      let isNumber =
        if case .value(let value) = argument.operand { value.number != nil } else { false }
      guard argument.type.isText, !isNumber else {
        throw error(
          "\(function.rawValue) takes text, but \(quoted(written)) does not hold text.",
          at: argument.range, expected: "text")
      }
    case .date:
      if case .value(.text(let text)) = argument.operand, Moment(text) == nil {
        throw error("There is no date \(quoted(written)).", at: argument.range, expected: "a date")
      }
      guard argument.type.dates != nil || argument.type.isUntyped else {
        throw error(
          "\(function.rawValue) takes dates, but \(quoted(written)) does not hold dates.",
          at: argument.range, expected: "a date")
      }
    }
  }

  /// The calculation with a name; nil for other names.
  func calculation(
    of steps: [Step], at range: Range<Int>
  ) throws(PredicateSyntaxError) -> ParsedOperand? {
    guard steps.count == 1, let name = steps.first?.name, entity.slot(named: name) == nil,
      let calculation = Calculation(alias(name, of: entity) ?? [name], of: entity)
    else { return nil }
    var parser = PredicateParser(calculation, entity: entity, schema: schema)
    do {
      var operand = try parser.parseSingleOperand()
      try parser.requireEnd(expected: "an operator or the end")
      operand.range = range
      return operand
    } catch {
      throw self.error(
        "“\(name)” is an abbreviation of “\(calculation.text)”, which cannot be read: \(error.message)",
        at: range,
        expected: "a property")
    }
  }
}

extension Predicate.Function.Need {
  /// The type for completions.
  fileprivate var type: OperandType {
    switch self {
    case .text, .json: .attribute(.string)
    case .number: .number
    case .date: .attribute(.date)
    case .step, .anything: .constant
    }
  }
}

extension OperandType {
  /// Whether values of any kind are possible.
  fileprivate var isUntyped: Bool {
    switch self {
    case .constant, .attribute(.undefined), .storedText, .storedNumber: true
    case .attribute, .storedDate, .key, .number: false
    }
  }
}
