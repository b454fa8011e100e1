/// Statements on lines of readable length; nothing but spaces becomes something else.
package enum SQLLayout {
  private static let width = 88
  /// The words that begin a line, unless they are inside of parentheses.
  private static let clauses: Set<Substring> = [
    "FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET", "LEFT", "CROSS", "JOIN",
    "UNION",
  ]

  package static func lines(of sql: String) -> String {
    var lines: [String] = []
    var line = ""
    var depth = 0
    var previous: Substring = ""
    for word in words(of: sql) {
      let isJoined = previous == "LEFT" || previous == "CROSS"
      let isClause = depth == 0 && clauses.contains(word) && !isJoined
      if !line.isEmpty, isClause || line.count + 1 + word.count > width {
        lines.append(line)
        line = isClause ? String(word) : "  \(word)"
      } else {
        line += line.isEmpty ? String(word) : " \(word)"
      }
      depth += nesting(of: word)
      previous = word
    }
    return (lines + [line]).joined(separator: "\n")
  }

  /// The pieces between spaces that are not quoted.
  private static func words(of sql: String) -> [Substring] {
    var quote: Character?
    return sql.split { character in
      if let open = quote {
        if character == open { quote = nil }
      } else if "'`\"".contains(character) {
        quote = character
      }
      return quote == nil && character == " "
    }
  }

  /// How many more parentheses are opened than closed, besides quoted ones.
  private static func nesting(of word: Substring) -> Int {
    var quote: Character?
    var depth = 0
    for character in word {
      if let open = quote {
        if character == open { quote = nil }
      } else {
        switch character {
        case "'", "`", "\"": quote = character
        case "(": depth += 1
        case ")": depth -= 1
        default: break
        }
      }
    }
    return depth
  }
}
