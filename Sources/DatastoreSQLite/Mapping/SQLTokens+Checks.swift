extension SQLTokens {
  /// The conditions of the checks of a declaration, brackets included, as they are written.
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
