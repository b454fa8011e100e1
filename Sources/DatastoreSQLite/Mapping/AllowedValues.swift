import Basics
import DatastoreCore

/// The values that a table's declaration allows for a column: those of `CHECK (column IN ('a', 'b'))`.
///
/// Only the plain form is recognised: one column, a list of literals. Any other check is left to SQLite.
struct AllowedValues {
  let values: [Value]

  /// nil when the declaration has no such check for the column.
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

/// The tokens of a statement, as far as declarations need them: names, literals, symbols. Comments and blanks
/// are left out.
struct SQLTokens {
  enum Token: Hashable {
    case word(String)
    /// A quoted name, or a text in double quotes.
    case quoted(String)
    /// A number or a text, as written.
    case literal(String)
    case symbol(Unicode.Scalar)

    func isWord(_ word: String) -> Bool {
      if case .word(let own) = self { own.uppercased() == word } else { false }
    }

    func isName(_ name: String) -> Bool {
      switch self {
      case .word(let own), .quoted(let own): own.caselessKey == name.caselessKey
      case .literal, .symbol: false
      }
    }
  }

  private(set) var tokens: [Token] = []
  /// The range of each token in the statement.
  private(set) var ranges: [Range<String.Index>] = []

  /// O(length).
  init(_ sql: String) {
    // By scalars, as SQLite reads it: a quote followed by an accent is a quote.
    var rest = Substring(sql).unicodeScalars
    while let first = rest.first {
      let start = rest.startIndex
      defer { if ranges.count < tokens.count { ranges.append(start..<rest.startIndex) } }
      if first.properties.isWhitespace {
        rest.removeFirst()
      } else if rest.starts(with: "--".unicodeScalars) {
        rest = rest.drop { $0 != "\n" }
      } else if rest.starts(with: "/*".unicodeScalars) {
        let end = Substring(rest).place(of: "*/")?.upperBound ?? rest.endIndex
        rest = rest[end...]
      } else if first == "'" {
        tokens.append(.literal(Self.parseQuoted(&rest, end: "'", keepsQuotes: true)))
      } else if first == "\"" || first == "`" {
        tokens.append(.quoted(Self.parseQuoted(&rest, end: first, keepsQuotes: false)))
      } else if first == "[" {
        tokens.append(.quoted(Self.parseQuoted(&rest, end: "]", keepsQuotes: false)))
      } else if Self.isDigit(first) {
        let number = rest.prefix { Self.isDigit($0) || $0 == "." || $0 == "e" || $0 == "E" }
        tokens.append(.literal(String(number)))
        rest = rest[number.endIndex...]
      } else if Self.isLetter(first) {
        let word = rest.prefix { Self.isLetter($0) || Self.isDigit($0) || $0 == "$" }
        tokens.append(.word(String(word)))
        rest = rest[word.endIndex...]
      } else {
        tokens.append(.symbol(first))
        rest.removeFirst()
      }
    }
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  /// SQLite considers everything beyond ASCII a letter.
  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.isASCII || scalar == "_" || scalar.properties.isAlphabetic
  }

  /// Consumes a quoted piece; a quote inside is doubled.
  private static func parseQuoted(
    _ rest: inout Substring.UnicodeScalarView, end: Unicode.Scalar, keepsQuotes: Bool
  ) -> String {
    rest.removeFirst()
    let start = rest.startIndex
    var inside = start..<rest.endIndex
    let whole = rest
    while let scalar = rest.popFirst() {
      guard scalar == end else { continue }
      if end != "]", rest.first == end {
        rest.removeFirst()
        continue
      }
      inside = start..<whole.index(before: rest.startIndex)
      break
    }
    let text = Substring(whole[inside])
    if keepsQuotes { return "'" + text + "'" }
    return end == "]" ? String(text) : Quoting.undoubled(text, quote: end)
  }
}

extension SQLTokens {
  /// The conditions of the checks of a declaration, brackets included, as written.
  func checks(in sql: String) -> [String] {
    var checks: [String] = []
    for start in tokens.indices.dropLast()
    where tokens[start].isWord("CHECK") && tokens[start + 1] == .symbol("(") {
      var depth = 0
      for end in tokens.indices[(start + 1)...] {
        if tokens[end] == .symbol("(") { depth += 1 }
        if tokens[end] == .symbol(")") { depth -= 1 }
        guard depth == 0 else { continue }
        checks.append(String(sql[ranges[start + 1].lowerBound..<ranges[end].upperBound]))
        break
      }
    }
    return checks
  }
}
