import Basics
package import DatastoreCore
package import DatastoreSQL

extension SQLiteDialect {
  package func isText(_ sql: SQLFragment) -> SQLFragment { "typeof(\(sql)) = 'text'" }

  package func folded(_ sql: SQLFragment, _ options: Predicate.StringOptions) -> SQLFragment {
    "datastore_fold(\(sql), \(number: Int(options.rawValue)))"
  }

  package func holds(
    _ comparator: Predicate.TextComparator, _ text: SQLFragment, _ other: SQLFragment,
    _ options: Predicate.StringOptions
  ) -> SQLFragment {
    switch comparator {
    case .contains: contains(text, other)
    case .beginsWith: begins(text, with: other)
    case .endsWith: ends(text, with: other)
    case .like, .matches, .search:
      """
      datastore_\(SQLFragment(stringLiteral: comparator.rawValue))\
      (\(text), \(other), \(number: Int(options.rawValue)))
      """
    }
  }

  private func contains(_ text: SQLFragment, _ part: SQLFragment) -> SQLFragment {
    "instr(\(text), \(part)) > 0"
  }

  // Bytes, because `length` and `substr` of text stop at a NUL character; `substr` of an empty blob is NULL.

  private func begins(_ text: SQLFragment, with prefix: SQLFragment) -> SQLFragment {
    """
    (length(CAST(\(text) AS BLOB)) >= length(CAST(\(prefix) AS BLOB)) \
    AND coalesce(substr(CAST(\(text) AS BLOB), 1, length(CAST(\(prefix) AS BLOB))), x'') \
    = CAST(\(prefix) AS BLOB))
    """
  }

  private func ends(_ text: SQLFragment, with suffix: SQLFragment) -> SQLFragment {
    """
    (length(CAST(\(text) AS BLOB)) >= length(CAST(\(suffix) AS BLOB)) \
    AND coalesce(substr(CAST(\(text) AS BLOB), \
    length(CAST(\(text) AS BLOB)) - length(CAST(\(suffix) AS BLOB)) + 1), x'') \
    = CAST(\(suffix) AS BLOB))
    """
  }

  /// A half-open range of text.
  package func begins(_ column: SQLOperand, withIndexed prefix: String) -> SQLFragment? {
    guard column.affinity == .text, column.isBinary else { return nil }
    // Text sorts before blobs, and a column of TEXT affinity holds no numbers.
    if prefix.isEmpty { return "(\(column.sql) >= '' AND \(column.sql) < x'')" }
    guard let upper = prefix.leastAfterPrefixed else {
      return "(\(column.sql) >= \(.text(prefix)) AND \(column.sql) < x'')"
    }
    return "(\(column.sql) >= \(.text(prefix)) AND \(column.sql) < \(.text(upper)))"
  }

  package func keys(havingWords search: WordSearch, in index: WordIndex) -> SQLFragment? {
    if search.phrases.isEmpty { return nil }
    let expression = expression(.search(search, attribute: index.column))
    return """
      SELECT rowid FROM \(name: index.table) \
      WHERE \(name: index.table) MATCH \(.text(expression))
      """
  }

  /// By FTS5's own order: only if it is the single sort term does it find the best without sorting in a
  /// second table.
  package func ranking(
    by words: WordCondition, in table: String, key: SQLFragment, as alias: String
  ) -> WordRanking? {
    WordRanking(
      source: "\(name: table) AS \(name: alias)",
      condition: """
        \(key) = \(name: alias).rowid \
        AND \(name: alias).\(name: table) MATCH \(.text(expression(words)))
        """,
      order: "\(name: alias).rank")
  }

  /// The search in the language of FTS5.
  private func expression(_ words: WordCondition) -> String {
    switch words {
    case .search(let search, let column):
      // A search without a word finds nothing, and was left out.
      "\(Quoting.sqlName(column)) : (\(search.fullTextExpression ?? Quoting.sqlName("")))"
    case .and(let parts): parts.map { "(\(expression($0)))" }.joined(separator: " AND ")
    case .or(let parts): parts.map { "(\(expression($0)))" }.joined(separator: " OR ")
    }
  }

  package func suggests(_ value: SQLFragment, _ prefix: String) -> SQLFragment {
    "\(value) LIKE \(.text(Quoting.likePattern(prefix) + "%")) ESCAPE '\\'"
  }

  /// SQLite's own LIKE knows case only for ASCII letters, and is many times faster than this library's
  /// folding, which is used only for texts with other characters.
  package func shows(
    _ shown: SQLFragment, _ text: String, _ options: Predicate.StringOptions
  ) -> SQLFragment {
    // Accented letters are stored in composed form, or with combining marks.
    let forms = options.contains(.diacriticInsensitive) ? [text] : TextFolding.forms(of: text)
    let folds = forms.map { contains(folded(shown, options), folded("\(.text($0))", options)) }
      .joined(by: " OR ")
    guard text.utf8.allSatisfy({ $0 < 0x80 && $0 != 0 }) else { return "(\(folds))" }
    let plain: SQLFragment =
      options.contains(.caseInsensitive)
      ? "\(shown) LIKE \(.text("%" + Quoting.likePattern(text) + "%")) ESCAPE '\\'"
      : contains(shown, "\(.text(text))")
    guard options.contains(.diacriticInsensitive) else { return plain }
    return """
      (\(plain) OR (length(\(shown)) < length(CAST(\(shown) AS BLOB)) AND \(folds)))
      """
  }

  package func shownText(
    _ column: SQLFragment, _ type: AttributeType, _ dates: DateConvention?
  ) -> SQLFragment {
    if let dates, !dates.isText {
      return "datastore_date_text(\(column), \(number: dates.code))"
    }
    let plain: SQLFragment =
      "CASE WHEN typeof(\(column)) <> 'blob' THEN CAST(\(column) AS TEXT) END"
    switch type {
    case .boolean: return "CASE \(column) WHEN 1 THEN 'true' WHEN 0 THEN 'false' ELSE \(plain) END"
    case .date:
      // Dates count seconds from 2001-01-01.
      return """
        CASE WHEN typeof(\(column)) IN ('integer', 'real') \
        THEN strftime('%Y-%m-%d %H:%M:%S', \(column) + 978307200, 'unixepoch') ELSE \(plain) END
        """
    case .uuid:
      let hex: SQLFragment = "hex(\(column))"
      let groups = [(1, 8), (9, 4), (13, 4), (17, 4), (21, 12)].map { start, length in
        "substr(\(hex), \(number: start), \(number: length))" as SQLFragment
      }.joined(by: " || '-' || ")
      return """
        CASE WHEN typeof(\(column)) = 'blob' AND length(\(column)) = 16 THEN \(groups) \
        ELSE \(plain) END
        """
    default: return plain
    }
  }
}

extension String {
  /// The least text greater than every text with this prefix; nil when there is none.
  ///
  /// UTF-8 has the order of Unicode scalars, so the last scalar is replaced by the next one.
  var leastAfterPrefixed: String? {
    var scalars = Array(unicodeScalars)
    while let last = scalars.popLast() {
      var next = last.value + 1
      if next == 0xD800 { next = 0xE000 }
      if let scalar = Unicode.Scalar(next) {
        var result = String.UnicodeScalarView()
        result.append(contentsOf: scalars)
        result.append(scalar)
        return String(result)
      }
    }
    return nil
  }
}
