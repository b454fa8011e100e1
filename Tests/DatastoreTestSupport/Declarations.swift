package import Foundation

/// The declarations of a file, except default values.
package enum Declarations {
  /// - Throws: what SQLite reports.
  package static func of(_ url: URL) throws -> Set<String> {
    let texts = try SQLiteFile.values(
      """
      SELECT type || ' ' || name || ': ' || coalesce(sql, '') FROM sqlite_master \
      WHERE name <> '_datastore'
      """, in: url)
    return Set(texts.map(withSortedColumns))
  }

  /// A declaration with the items between its outermost brackets in the order of the text: added columns come
  /// last.
  private static func withSortedColumns(_ text: String) -> String {
    guard text.hasPrefix("table"), let open = text.firstIndex(of: "("),
      let close = text.lastIndex(of: ")")
    else { return text }
    var parts: [String] = [""]
    var depth = 0
    for character in text[text.index(after: open)..<close] {
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      if character == ",", depth == 0 {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    // The default of a column that stays is that of the version which made it.
    let sorted = parts.map { part in
      (part.components(separatedBy: " DEFAULT ").first ?? part).trimmingCharacters(in: .whitespaces)
    }.sorted()
    return text[...open] + sorted.joined(separator: ", ") + text[close...]
  }
}
