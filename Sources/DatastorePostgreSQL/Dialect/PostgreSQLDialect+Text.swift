#if PostgreSQL
package import DatastoreCore
package import DatastoreSQL

extension PostgreSQLDialect {
  func isKnownText(_ sql: SQLFragment) -> Bool { comparedClass(sql) == .text }

  /// The value of a text condition for an expression that is no text: false, or a refusal if the type is
  /// unknown.
  private func noText(_ sql: SQLFragment) -> SQLFragment {
    comparedClass(sql) == nil && sql.constant == nil ? unknown(sql) : constant(false)
  }

  package func isText(_ sql: SQLFragment) -> SQLFragment {
    if sql.constant?.isText == true { return constant(true) }
    return isKnownText(sql) ? "\(sql) IS NOT NULL" : noText(sql)
  }

  /// A condition on two texts; false if one is no text.
  private func onTexts(
    _ a: SQLFragment, _ b: SQLFragment, _ condition: (SQLFragment, SQLFragment) -> SQLFragment
  ) -> SQLFragment {
    guard isKnownText(a) else { return noText(a) }
    guard isKnownText(b) else { return noText(b) }
    return condition(text(a), text(b))
  }

  package func holds(
    _ comparator: Predicate.TextComparator, _ text: SQLFragment, _ other: SQLFragment,
    _ options: Predicate.StringOptions
  ) -> SQLFragment {
    switch comparator {
    case .contains: contains(text, other)
    case .beginsWith: begins(text, with: other)
    case .endsWith: ends(text, with: other)
    case .like: like(text, other, options)
    case .matches:
      SQLFragment(
        refusal: """
          PostgreSQL reads regular expressions otherwise than this program does, so MATCHES is not \
          answered there; use LIKE, CONTAINS or BEGINSWITH.
          """)
    case .search: Self.noSearch
    }
  }

  private static let noSearch = SQLFragment(
    refusal: "SEARCH is not answered by PostgreSQL yet; use CONTAINS[cd] for each of the words.")

  private func contains(_ text: SQLFragment, _ part: SQLFragment) -> SQLFragment {
    if hasNUL(part) { return constant(false) }
    return onTexts(text, part) { "strpos(\($0) COLLATE \"C\", \($1)) > 0" }
  }

  private func begins(_ text: SQLFragment, with prefix: SQLFragment) -> SQLFragment {
    if hasNUL(prefix) { return constant(false) }
    return onTexts(text, prefix) { "starts_with(\($0) COLLATE \"C\", \($1))" }
  }

  private func ends(_ text: SQLFragment, with suffix: SQLFragment) -> SQLFragment {
    if hasNUL(suffix) { return constant(false) }
    return onTexts(text, suffix) {
      "right(\($0), char_length(\($1))) COLLATE \"C\" = \($1)"
    }
  }

  /// An index in the order of bytes serves `starts_with` by itself.
  package func begins(_ column: SQLOperand, withIndexed prefix: String) -> SQLFragment? { nil }

  private func like(
    _ text: SQLFragment, _ pattern: SQLFragment, _ options: Predicate.StringOptions
  ) -> SQLFragment {
    guard isKnownText(text) else { return noText(text) }
    guard case .text(let written)? = pattern.constant else {
      return SQLFragment(
        refusal:
          "PostgreSQL cannot compare with a pattern of LIKE that is in a column; write it out.")
    }
    let folded = TextFolding.fold(written, options)
    if folded.utf8.contains(0) { return constant(false) }
    let subject = self.text(self.folded(text, options))
    return "\(subject) COLLATE \"C\" LIKE \(.text(Self.like(folded))) ESCAPE '\\'"
  }

  /// A pattern in the syntax of SQL: `%` for `*`, `_` for `?`.
  static func like(_ pattern: String) -> String {
    var result = ""
    var scalars = pattern.unicodeScalars[...]
    func literal(_ scalar: Unicode.Scalar) {
      if "%_\\".unicodeScalars.contains(scalar) { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    while let scalar = scalars.popFirst() {
      switch scalar {
      case "*": result += "%"
      case "?": result += "_"
      case "\\": literal(scalars.popFirst() ?? scalar)
      default: literal(scalar)
      }
    }
    return result
  }

  package func keys(havingWords search: WordSearch, in index: WordIndex) -> SQLFragment? {
    Self.noSearch
  }

  package func ranking(
    by words: WordCondition, in table: String, key: SQLFragment, as alias: String
  ) -> WordRanking? { nil }

  package func suggests(_ value: SQLFragment, _ prefix: String) -> SQLFragment {
    if prefix.utf8.contains(0) { return constant(false) }
    let pattern = prefix.unicodeScalars.reduce(into: "") { pattern, scalar in
      if "%_\\".unicodeScalars.contains(scalar) { pattern += "\\" }
      pattern.unicodeScalars.append(scalar)
    }
    return
      "\(shownText(value, .string, nil)) COLLATE \"C\" ILIKE \(.text(pattern + "%")) ESCAPE '\\'"
  }

  package func shows(
    _ shown: SQLFragment, _ text: String, _ options: Predicate.StringOptions
  ) -> SQLFragment {
    // Accents are stored as letters of their own or as marks behind letters.
    let forms = options.contains(.diacriticInsensitive) ? [text] : TextFolding.forms(of: text)
    let shown = shown.typed(SQLType(.text))
    let folds = forms.map {
      contains(folded(shown, options), folded("\(.text($0))", options))
    }
    return "(\(folds.joined(by: " OR ")))"
  }

  package func shownText(
    _ column: SQLFragment, _ type: AttributeType, _ dates: DateConvention?
  ) -> SQLFragment {
    let shown: SQLFragment =
      switch column.type?.kind {
      case .text: column
      case .instant: "to_char(\(column) AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS')"
      case .localTime: "to_char(\(column), 'YYYY-MM-DD HH24:MI:SS')"
      case .uuid: "upper(\(column)::text)"
      case .bytes: "NULL::text"
      default: "\(column)::text"
      }
    return shown.typed(SQLType(.text))
  }

  // Summaries.

  package func textLength(_ sql: SQLFragment) -> SQLFragment {
    isKnownText(sql) ? "char_length(\(text(sql)))" : "NULL::int4"
  }

  package func isEmptyText(_ sql: SQLFragment) -> SQLFragment {
    isKnownText(sql) ? "\(text(sql)) = ''" : noText(sql)
  }
}
#endif
