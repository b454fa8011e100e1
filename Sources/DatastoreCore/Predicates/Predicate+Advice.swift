extension Predicate {
  /// Likely mistakes in a valid condition, as sentences for its author; empty for nearly all conditions. They
  /// do not change the meaning of the condition. O(size).
  ///
  /// A `LIKE` pattern that has `%` or `_`, and neither `*` nor `?`, was probably written for SQL.
  public var advice: [String] {
    var sentences: [String] = []
    var rest = [self]
    while let next = rest.popLast() {
      switch next {
      case .constant: continue
      case .comparison(let comparison):
        if let sentence = comparison.advice { sentences.append(sentence) }
      case .and(let parts), .or(let parts): rest += parts.reversed()
      case .not(let part): rest.append(part)
      }
    }
    return sentences
  }
}

extension Predicate.Comparison {
  fileprivate var advice: String? {
    guard comparator == .like, case .value(.text(let written)) = right,
      let pattern = Self.pattern(ofSQL: written)
    else { return nil }
    var meant = self
    meant.right = .value(.text(pattern))
    return "The wildcards of LIKE are * (any text) and ? (one character), not % and _. Write "
      + "\(Predicate.comparison(meant)); for the sign itself, CONTAINS or ==."
  }

  /// A SQL pattern with the wildcards of predicates instead; nil for a pattern without wildcards of SQL, or
  /// with wildcards of predicates.
  private static func pattern(ofSQL pattern: String) -> String? {
    var meant = String.UnicodeScalarView()
    var isEscaped = false
    var isOfSQL = false
    for scalar in pattern.unicodeScalars {
      switch scalar {
      case _ where isEscaped: meant.append(scalar)
      case "*", "?": return nil
      case "%": meant.append("*")
      case "_": meant.append("?")
      default: meant.append(scalar)
      }
      isOfSQL = isOfSQL || !isEscaped && (scalar == "%" || scalar == "_")
      isEscaped = !isEscaped && scalar == "\\"
    }
    return isOfSQL ? String(meant) : nil
  }
}
