import DatastoreCore

extension QueryBuilder {
  /// CONTAINS, BEGINSWITH, ENDSWITH, LIKE, MATCHES: false unless both sides are text.
  ///
  /// - Throws: `StoreError.unsupportedPredicate` for a regular expression that does not compile.
  func text(
    _ left: SQLOperand, _ comparator: Predicate.Comparator, _ right: SQLOperand,
    _ options: Predicate.StringOptions
  ) throws -> SQLFragment {
    if comparator == .matches, case .text(let pattern)? = right.constant,
      !RegularExpression.isValid(pattern)
    {
      throw StoreError.unsupportedPredicate("“\(pattern)” is not a valid regular expression.")
    }
    if let constant = right.constant, !constant.isText { return "0" }
    let left = left.asStored
    let right = right.asStored
    let folding: SQLFragment = "\(number: Int(options.rawValue))"
    switch comparator {
    case .like: return "datastore_like(\(left.sql), \(right.sql), \(folding))"
    case .matches: return "datastore_matches(\(left.sql), \(right.sql), \(folding))"
    default: break
    }
    if options.isEmpty, comparator == .beginsWith,
      let range = prefixRange(left, right.constant)
    {
      return range
    }
    let a = left.folded(options)
    let b = right.folded(options)
    var guards: [SQLFragment] = []
    if !left.isText { guards.append("typeof(\(left.sql)) = 'text'") }
    if right.constant == nil, !right.isText { guards.append("typeof(\(right.sql)) = 'text'") }
    let test: SQLFragment =
      switch comparator {
      case .contains: "instr(\(a.sql), \(b.sql)) > 0"
      // Bytes, since `length` and `substr` of text stop at a NUL character; `substr` of an empty
      // blob is NULL.
      case .beginsWith:
        """
        (length(CAST(\(a.sql) AS BLOB)) >= length(CAST(\(b.sql) AS BLOB)) \
        AND coalesce(substr(CAST(\(a.sql) AS BLOB), 1, length(CAST(\(b.sql) AS BLOB))), x'') \
        = CAST(\(b.sql) AS BLOB))
        """
      default:
        """
        (length(CAST(\(a.sql) AS BLOB)) >= length(CAST(\(b.sql) AS BLOB)) \
        AND coalesce(substr(CAST(\(a.sql) AS BLOB), \
        length(CAST(\(a.sql) AS BLOB)) - length(CAST(\(b.sql) AS BLOB)) + 1), x'') \
        = CAST(\(b.sql) AS BLOB))
        """
      }
    return guards.isEmpty ? test : "(\((guards + [test]).joined(by: " AND ")))"
  }

  /// BEGINSWITH as a half-open range of text, which an index can answer; nil where it cannot.
  private func prefixRange(_ left: SQLOperand, _ prefix: Value?) -> SQLFragment? {
    guard left.affinity == .text, left.isBinary, !left.isDecimal, case .text(let text)? = prefix
    else { return nil }
    // Text sorts before blobs, and a column of TEXT affinity holds no numbers.
    if text.isEmpty { return "(\(left.sql) >= '' AND \(left.sql) < x'')" }
    guard let upper = Self.successor(of: text) else {
      return "(\(left.sql) >= \(.text(text)) AND \(left.sql) < x'')"
    }
    return "(\(left.sql) >= \(.text(text)) AND \(left.sql) < \(.text(upper)))"
  }

  /// The least text that is greater than every text with the prefix; nil when there is none.
  ///
  /// UTF-8 orders as Unicode scalars do, so the last scalar is replaced by the next one.
  static func successor(of prefix: String) -> String? {
    var scalars = Array(prefix.unicodeScalars)
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
