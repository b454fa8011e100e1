import DatastoreCore

/// The values that a table's declaration allows for a column: those of `CHECK (column IN ('a', 'b'))`.
///
/// Only the plain form is understood: one column, a list of literals. Anything else says nothing here
/// and is left to SQLite.
struct AllowedValues {
  let values: [Value]

  /// Nil when the declaration has no such check for the column.
  init?(_ declaration: String, column: String) {
    let tokens = SQLTokens(declaration).tokens
    for start in tokens.indices where tokens[start].isWord("CHECK") {
      guard let values = Self.values(tokens[(start + 1)...], column: column) else { continue }
      self.values = values
      return
    }
    return nil
  }

  /// `( column IN ( literal , literal ) )`
  private static func values(_ tokens: ArraySlice<SQLTokens.Token>, column: String) -> [Value]? {
    var rest = tokens
    func consume(_ wanted: (SQLTokens.Token) -> Bool) -> Bool {
      guard let first = rest.first, wanted(first) else { return false }
      rest = rest.dropFirst()
      return true
    }
    guard consume({ $0 == .symbol("(") }), consume({ $0.isName(column) }),
      consume({ $0.isWord("IN") }),
      consume({ $0 == .symbol("(") })
    else { return nil }
    var values: [Value] = []
    repeat {
      let isNegative = consume { $0 == .symbol("-") }
      guard case .literal(let text) = rest.first,
        let value = DeclaredType.literal((isNegative ? "-" : "") + text)
      else { return nil }
      rest = rest.dropFirst()
      values.append(value)
    } while consume { $0 == .symbol(",") }
    guard consume({ $0 == .symbol(")") }), consume({ $0 == .symbol(")") }) else { return nil }
    return values
  }
}

/// A statement in pieces, as far as declarations need it: names, literals, symbols. Comments and
/// blanks are left out.
struct SQLTokens {
  enum Token: Hashable {
    case word(String)
    /// A quoted name, or a text in double quotes.
    case quoted(String)
    /// A number or a text, as written.
    case literal(String)
    case symbol(Character)

    func isWord(_ word: String) -> Bool {
      if case .word(let own) = self { return own.uppercased() == word }
      return false
    }

    func isName(_ name: String) -> Bool {
      switch self {
      case .word(let own), .quoted(let own): own.lowercased() == name.lowercased()
      case .literal, .symbol: false
      }
    }
  }

  private(set) var tokens: [Token] = []
  /// Where each of them is in the statement.
  private(set) var ranges: [Range<String.Index>] = []

  /// O(length).
  init(_ sql: String) {
    var rest = Substring(sql)
    while let first = rest.first {
      let start = rest.startIndex
      defer { if ranges.count < tokens.count { ranges.append(start..<rest.startIndex) } }
      if first.isWhitespace {
        rest.removeFirst()
      } else if rest.hasPrefix("--") {
        rest = rest.drop { !$0.isNewline }
      } else if rest.hasPrefix("/*") {
        rest = rest.firstRange(of: "*/").map { rest[$0.upperBound...] } ?? ""
      } else if first == "'" {
        tokens.append(.literal(Self.parseQuoted(&rest, end: "'", keepsQuotes: true)))
      } else if first == "\"" || first == "`" {
        tokens.append(.quoted(Self.parseQuoted(&rest, end: first, keepsQuotes: false)))
      } else if first == "[" {
        tokens.append(.quoted(Self.parseQuoted(&rest, end: "]", keepsQuotes: false)))
      } else if first.isNumber {
        let number = rest.prefix { $0.isNumber || $0 == "." || $0 == "e" || $0 == "E" }
        tokens.append(.literal(String(number)))
        rest = rest.dropFirst(number.count)
      } else if first.isLetter || first == "_" {
        let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
        tokens.append(.word(String(word)))
        rest = rest.dropFirst(word.count)
      } else {
        tokens.append(.symbol(first))
        rest.removeFirst()
      }
    }
  }

  /// Takes a quoted piece; a quote inside is doubled.
  private static func parseQuoted(
    _ rest: inout Substring, end: Character, keepsQuotes: Bool
  ) -> String {
    var text = keepsQuotes ? "'" : ""
    rest.removeFirst()
    while let character = rest.popFirst() {
      guard character == end else {
        text.append(character)
        continue
      }
      guard end != "]", rest.first == end else { break }
      rest.removeFirst()
      text.append(character)
      if keepsQuotes { text.append(character) }
    }
    return keepsQuotes ? text + "'" : text
  }
}
