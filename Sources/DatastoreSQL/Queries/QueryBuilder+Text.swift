package import DatastoreCore

extension QueryBuilder {
  /// CONTAINS, BEGINSWITH, ENDSWITH, LIKE, MATCHES, SEARCH: false unless both sides are text.
  ///
  /// - Throws: `StoreError.unsupportedPredicate` for a regular expression that does not compile.
  package func text(
    _ left: SQLOperand, _ comparator: Predicate.TextComparator, _ right: SQLOperand,
    _ options: Predicate.StringOptions
  ) throws -> SQLFragment {
    if comparator == .matches, case .text(let pattern)? = right.constant,
      !RegularExpression.isValid(pattern)
    {
      throw StoreError.unsupportedPredicate("“\(pattern)” is not a valid regular expression.")
    }
    if let constant = right.constant, !constant.isText { return dialect.constant(false) }
    let left = left.asStored
    let right = right.asStored
    if comparator == .search { return search(left, right) }
    guard comparator.isPart else {
      return dialect.holds(comparator, left.sql, right.sql, options)
    }
    if options.isEmpty, comparator == .beginsWith, !left.isDecimal,
      case .text(let prefix)? = right.constant,
      let range = dialect.begins(left, withIndexed: prefix)
    {
      return range
    }
    let a = folded(left, options)
    let b = folded(right, options)
    var guards: [SQLFragment] = []
    if !left.isText { guards.append(dialect.isText(left.sql)) }
    if right.constant == nil, !right.isText { guards.append(dialect.isText(right.sql)) }
    let test = dialect.holds(comparator, a.sql, b.sql, [])
    return guards.isEmpty ? test : "(\((guards + [test]).joined(by: " AND ")))"
  }

  /// SEARCH, in the index of the column's words if it has one.
  private func search(_ left: SQLOperand, _ right: SQLOperand) -> SQLFragment {
    guard let words = left.words, case .text(let text)? = right.constant else {
      return dialect.holds(.search, left.sql, right.sql, [])
    }
    guard let found = dialect.keys(havingWords: WordSearch.of(text), in: words.index) else {
      return dialect.constant(false)
    }
    // The index holds numbers in their text form.
    let isText: SQLFragment = left.isText ? "" : " AND \(dialect.isText(left.sql))"
    return "(\(words.key) IN (\(found))\(isText))"
  }
}
