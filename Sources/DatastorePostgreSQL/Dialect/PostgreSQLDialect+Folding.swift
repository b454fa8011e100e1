#if PostgreSQL
package import DatastoreCore
package import DatastoreSQL

/// `[c]` and `[d]`, with the letters that Swift knows: no collation of a server folds as `TextFolding` does,
/// and each server has other collations.
///
/// The server itself folds text of ASCII letters only, which most text is.
extension PostgreSQLDialect {
  package func folded(
    _ sql: SQLFragment, _ options: Predicate.StringOptions
  ) -> SQLFragment {
    if case .text(let text)? = sql.constant { return "\(.text(TextFolding.fold(text, options)))" }
    guard isKnownText(sql), !options.isEmpty else { return sql }
    let text = self.text(sql)
    let ignoresCase = options.contains(.caseInsensitive)
    let ascii: SQLFragment = ignoresCase ? "lower(\(text) COLLATE \"C\")" : text
    var full = text
    if ignoresCase { full = lowered(full) }
    if options.contains(.diacriticInsensitive) { full = withoutMarks(full) }
    let folded: SQLFragment = """
      (CASE WHEN octet_length(\(text)) = char_length(\(text)) THEN \(ascii) ELSE \(full) END)
      """
    return folded.typed(SQLType(.text, mayBeNull: sql.type?.mayBeNull ?? true))
  }

  /// Lower case, as `String.lowercased()` writes it.
  func lowered(_ text: SQLFragment) -> SQLFragment {
    let letters = Letters.shared
    return """
      translate(replace(\(text) COLLATE "C", 'İ', 'i̇'), \(.text(letters.capitals)), \
      \(.text(letters.small)))
      """
  }

  private func withoutMarks(_ text: SQLFragment) -> SQLFragment {
    """
    normalize(regexp_replace(normalize(\(text) COLLATE "C", NFD), \
    \(.text(Letters.shared.marks)), '', 'g'), NFC)
    """
  }

  /// The characters that are trimmed from the ends of texts.
  var whiteSpace: SQLFragment { "\(.text(Letters.shared.whiteSpace))" }
}

/// Swift's Unicode data about letters, in PostgreSQL's syntax.
private struct Letters: Sendable {
  static let shared = Letters()

  /// Capitals with a single lower-case letter, and those letters at the same places.
  let capitals: String
  let small: String
  /// A regular expression for one nonspacing mark or more.
  let marks: String
  let whiteSpace: String

  private init() {
    var capitals = String.UnicodeScalarView()
    var small = String.UnicodeScalarView()
    var white = String.UnicodeScalarView()
    var marks = "["
    var first: UInt32?
    for code in UInt32(1)...0xE_01F0 {
      let scalar = Unicode.Scalar(code)
      let properties = scalar?.properties
      let isMark = properties?.generalCategory == .nonspacingMark
      if isMark, first == nil { first = code }
      if !isMark, let start = first {
        marks += "\(Self.escaped(start))-\(Self.escaped(code - 1))"
        first = nil
      }
      guard let scalar, let properties else { continue }
      if properties.isWhitespace { white.append(scalar) }
      guard properties.changesWhenLowercased else { continue }
      let lowered = properties.lowercaseMapping.unicodeScalars
      if lowered.count == 1, let letter = lowered.first, letter != scalar {
        capitals.append(scalar)
        small.append(letter)
      }
    }
    self.capitals = String(capitals)
    self.small = String(small)
    self.marks = marks + "]+"
    whiteSpace = String(white)
  }

  private static func escaped(_ code: UInt32) -> String {
    let digits = String(code, radix: 16, uppercase: true)
    return "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
  }
}
#endif
