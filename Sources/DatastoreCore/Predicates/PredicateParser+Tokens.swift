/// Moving over the tokens, and error messages about them.
extension PredicateParser {
  var token: PredicateToken { tokens[position] }
  var previous: PredicateToken? { position > 0 ? tokens[position - 1] : nil }

  mutating func advance() {
    if position < tokens.count - 1 { position += 1 }
  }

  func isNext(_ symbol: String, _ keyword: PredicateKeyword? = nil) -> Bool {
    token.kind == .symbol(symbol) || keyword != nil && token.keyword == keyword
  }

  /// Whether the token after the next one is a symbol.
  func isSecond(_ symbol: String) -> Bool {
    position + 1 < tokens.count && tokens[position + 1].kind == .symbol(symbol)
  }

  mutating func consume(_ symbol: String, expected: String) throws(PredicateSyntaxError) {
    guard isNext(symbol) else {
      throw error(
        "Expected \(expected), found \(found).", expected: expected,
        expectation: symbol == ")" ? .connective : .nothing)
    }
    advance()
  }

  func requireEnd(expected: String) throws(PredicateSyntaxError) {
    guard token.kind == .end else {
      throw error("Expected \(expected), found \(found).", expected: expected)
    }
    guard nextArgument == arguments.count else {
      throw error(
        "The text has \(nextArgument) placeholders, but \(arguments.count) arguments were given.",
        expected: "one placeholder for each argument")
    }
  }

  mutating func consumeArgument() throws(PredicateSyntaxError) -> PredicateArgument {
    guard nextArgument < arguments.count else {
      throw error(
        "There is no argument for this placeholder; \(arguments.count) were given.",
        expected: "an argument")
    }
    nextArgument += 1
    return arguments[nextArgument - 1]
  }

  mutating func descend() throws(PredicateSyntaxError) {
    guard depth < Self.maximumDepth else { throw tooDeep(at: token.range) }
    depth += 1
  }

  mutating func ascend() { depth -= 1 }

  func tooDeep(at range: Range<Int>) -> PredicateSyntaxError {
    error(
      "This is nested too deeply; \(Self.maximumDepth) levels are possible.", at: range)
  }

  /// The next token in an error message.
  var found: String {
    token.kind == .end ? "the end" : "“\(slice(token.range))”"
  }

  func slice(_ range: Range<Int>) -> String {
    let start = text.utf8.index(text.utf8.startIndex, offsetBy: range.lowerBound)
    return String(text[start..<text.utf8.index(start, offsetBy: range.count)])
  }

  /// An error at a range, by default at the next token.
  func error(
    _ message: String, at range: Range<Int>? = nil, expected: String? = nil,
    suggestion: String? = nil, expectation: PredicateExpectation = .nothing
  ) -> PredicateSyntaxError {
    var message = message
    if range == nil, case .invalid(let sentence) = token.kind { message = sentence }
    return PredicateSyntaxError(
      message, in: text, at: range ?? token.range, expected: expected, suggestion: suggestion,
      expectation: expectation)
  }
}
