/// Parses predicates and sort orders by recursive descent over tokens.
///
/// Conditions and operands share one descent, because only the text after a parenthesis shows which of them
/// it holds; nothing is parsed twice.
struct PredicateParser {
  /// The result of parsing a part of the text.
  enum Node {
    case predicate(Predicate)
    case operand(ParsedOperand)
  }

  /// An operand, its type and its range.
  struct ParsedOperand {
    var operand: Predicate.Operand
    var type: OperandType
    var range: Range<Int>
    /// The number of nested levels of arithmetic.
    var depth = 0
    var isThroughToMany = false
    var endsInToMany = false
    /// Whether it is a constant that can only be a date.
    var isDate = false
    /// The members of a list.
    var members: [ParsedOperand] = []
    /// Whether it is the value of a placeholder.
    var isArgument = false

    var isConstant: Bool {
      if case .value = operand { true } else { false }
    }
  }

  /// Prevents hostile text from overflowing the stack, here and where the tree is used.
  static let maximumDepth = 100

  let text: String
  let entity: Entity
  let schema: Schema
  // The position is moved by `PredicateParser+Tokens.swift`, and by nothing else.
  let tokens: [PredicateToken]
  let arguments: [PredicateArgument]
  var nextArgument = 0
  var position = 0
  var depth = 0
  /// Names that an order may use besides the properties of the entity.
  var columns: [(name: String, operand: Predicate.Operand)] = []
  /// Whether a keyword that is the name of a property is the property, without backticks.
  var prefersNames = false
  /// Whether the text is that of a calculation.
  var isCalculation = false
  /// The role of the next operand.
  var expectation = PredicateExpectation.condition

  init(_ text: String, arguments: [PredicateArgument], entity: Entity, schema: Schema) {
    self.text = text
    self.arguments = arguments
    self.entity = entity
    self.schema = schema
    tokens = PredicateLexer.tokens(of: text)
  }

  mutating func parsePredicate() throws(PredicateSyntaxError) -> Predicate {
    let node = try parseOr()
    let predicate = try require(node)
    try requireEnd(expected: "AND, OR or the end")
    do {
      try predicate.requireShallow()
    } catch let fault {
      throw error(fault.description, at: 0..<text.utf8.count)
    }
    return predicate
  }

  /// A whole condition, or the operand between parentheses.
  mutating func parseOr() throws(PredicateSyntaxError) -> Node {
    let first = try parseAnd()
    guard isNext("||", .or) else { return first }
    var parts = [try require(first)]
    while isNext("||", .or) {
      advance()
      expectation = .condition
      let part = try parseAnd()
      parts.append(try require(part))
    }
    return .predicate(.or(parts))
  }

  private mutating func parseAnd() throws(PredicateSyntaxError) -> Node {
    let first = try parseNot()
    guard isNext("&&", .and) else { return first }
    var parts = [try require(first)]
    while isNext("&&", .and) {
      advance()
      expectation = .condition
      let part = try parseNot()
      parts.append(try require(part))
    }
    return .predicate(.and(parts))
  }

  private mutating func parseNot() throws(PredicateSyntaxError) -> Node {
    guard isNext("!", .not) else { return try parseComparison() }
    try descend()
    advance()
    expectation = .condition
    let part = try parseNot()
    ascend()
    return .predicate(.not(try require(part)))
  }

  private mutating func parseComparison() throws(PredicateSyntaxError) -> Node {
    switch token.keyword {
    case .truePredicate:
      advance()
      return .predicate(.constant(true))
    case .falsePredicate:
      advance()
      return .predicate(.constant(false))
    default: break
    }
    let quantifier = parseQuantifier()
    let node = try parseSum()
    guard case .operand(let left) = node else {
      guard quantifier == nil else {
        throw error("Expected a property after \(quantifier?.word ?? "").", expected: "a property")
      }
      return node
    }
    guard let comparator = parseComparator() else {
      if quantifier != nil { throw missingComparator(behind: left) }
      return node
    }
    return .predicate(
      .comparison(try parseRightSide(of: left, comparator, quantifier ?? .direct)))
  }

  private mutating func parseQuantifier() -> Predicate.Quantifier? {
    guard let keyword = token.keyword else { return nil }
    let quantifier: Predicate.Quantifier
    switch keyword {
    case .any, .some: quantifier = .any
    case .all: quantifier = .all
    case .none: quantifier = .none
    default: return nil
    }
    advance()
    expectation = .condition
    return quantifier
  }

  private mutating func parseComparator() -> Predicate.Comparator? {
    guard let comparator = token.comparator else { return nil }
    advance()
    return comparator
  }

  /// `[c]`, `[d]` or `[cd]`, if they come next.
  mutating func parseOptions() throws(PredicateSyntaxError) -> Predicate.StringOptions {
    guard isNext("[") else { return [] }
    advance()
    var options: Predicate.StringOptions = []
    guard case .word(let letters) = token.kind else {
      throw error("Expected c, d or cd between the brackets, found \(found).", expected: "c, d, cd")
    }
    for letter in letters.lowercased() {
      switch letter {
      case "c": options.insert(.caseInsensitive)
      case "d": options.insert(.diacriticInsensitive)
      default:
        throw error(
          "“\(letter)” is not an option; write c to ignore case, d to ignore accents.",
          expected: "c, d, cd")
      }
    }
    advance()
    try consume("]", expected: "“]”")
    return options
  }

  private func require(_ node: Node) throws(PredicateSyntaxError) -> Predicate {
    switch node {
    case .predicate(let predicate): return predicate
    case .operand(let operand): throw missingComparator(behind: operand)
    }
  }

  private func missingComparator(behind operand: ParsedOperand) -> PredicateSyntaxError {
    let written = slice(operand.range)
    if case .invalid(let sentence) = token.kind { return error(sentence) }
    if case .word(let word) = token.kind, word.uppercased() == "IS" {
      return error(
        "Expected a comparison after “\(written)”, found “\(word)”; write == or !=.",
        expected: "a comparison", suggestion: "==", expectation: .comparator(operand.type))
    }
    let hint = operand.type == .attribute(.boolean) ? "; write “\(written) == TRUE”" : ""
    return error(
      "Expected a comparison such as == or CONTAINS after “\(written)”, found \(found)\(hint).",
      expected: "a comparison", expectation: .comparator(operand.type))
  }
}
