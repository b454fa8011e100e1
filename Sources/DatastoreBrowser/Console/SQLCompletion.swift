import Basics
import Foundation
import TerminalUI

/// The completions of the word before the cursor of a statement: tables, columns and SQL keywords.
struct SQLCompletion {
  let word: String
  /// Whether a table and a dot come before the word.
  let isQualified: Bool
  let items: [CompletionMenu.Item]

  private static let words = [
    "SELECT", "FROM", "WHERE", "GROUP BY", "ORDER BY", "HAVING", "LIMIT", "OFFSET", "JOIN",
    "LEFT JOIN", "ON", "USING", "AS", "AND", "OR", "NOT", "NULL", "IS", "IN", "LIKE", "BETWEEN",
    "EXISTS", "DISTINCT", "UNION", "ALL", "CASE", "WHEN", "THEN", "ELSE", "END", "WITH", "VALUES",
    "DESC", "ASC", "count(", "sum(", "avg(", "min(", "max(", "INSERT INTO", "UPDATE", "SET",
    "DELETE FROM", "EXPLAIN QUERY PLAN", "PRAGMA",
  ]
  private static let mostItems = 200

  init(before text: String, _ names: [SQLNames]) {
    let word = Self.word(at: text)
    self.word = word
    let head = text.dropLast(word.count)
    var items: [CompletionMenu.Item] = []
    func fits(_ name: String) -> Bool { name.lowercased().hasPrefix(word.lowercased()) }
    if head.ends(with: "."), let table = Self.owner(of: head, in: text, names) {
      isQualified = true
      items = table.columns.filter(fits).map { .init(text: Self.quoted($0), detail: table.table) }
    } else {
      isQualified = false
      let lowercased = text.lowercased()
      // Columns of tables that are already named come first.
      let mentioned = names.filter { lowercased.contains($0.table.lowercased()) }
      var taken: Set<String> = []
      for table in mentioned + names {
        for column in table.columns where fits(column) && taken.insert(column).inserted {
          items.append(.init(text: Self.quoted(column), detail: table.table))
        }
      }
      let tables = names.filter { fits($0.table) }
      // A table follows these words.
      let before = Self.word(at: head.trimmingCharacters(in: .whitespaces)).lowercased()
      if ["from", "join", "into", "update", "table"].contains(before) {
        self.items = tables.map { .init(text: Self.quoted($0.table), detail: "table") }
        return
      }
      items = tables.map { .init(text: Self.quoted($0.table), detail: "table") } + items
      let isLower = word.first?.isLowercase ?? false
      items += Self.words.filter { !word.isEmpty && fits($0) }.map {
        .init(text: isLower ? $0.lowercased() : $0, detail: "SQL")
      }
    }
    self.items = Array(items.prefix(Self.mostItems))
  }

  /// The common beginning of all items, if it begins with the word.
  var shared: String {
    guard var shared = items.first?.text else { return word }
    for item in items { shared = shared.commonPrefix(with: item.text) }
    return shared
  }

  /// The letters, digits and underscores at the end of a text.
  static func word(at text: String) -> String {
    String(
      text.reversed().prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }.reversed())
  }

  /// A name as an SQL identifier.
  private static func quoted(_ name: String) -> String {
    let isPlain =
      name.first.map { $0.isASCII && ($0.isLetter || $0 == "_") } ?? false
      && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
      && !words.contains(name.uppercased())
      && !["GROUP", "ORDER", "TABLE", "INDEX", "TO", "BY"].contains(name.uppercased())
    return isPlain
      ? name
      : Quoting.sqlName(name)
  }

  /// The table before the dot, by its name or its alias in the statement.
  private static func owner(
    of head: Substring, in text: String, _ names: [SQLNames]
  ) -> SQLNames? {
    let alias = word(at: String(head.dropLast())).lowercased()
    if let table = names.first(where: { $0.table.lowercased() == alias }) { return table }
    let words = text.lowercased().split { !($0.isLetter || $0.isNumber || $0 == "_") }
    for (index, word) in words.enumerated() where word == alias && index > 0 {
      let before = words[index - 1] == "as" && index > 1 ? words[index - 2] : words[index - 1]
      if let table = names.first(where: { $0.table.lowercased() == before }) { return table }
    }
    return nil
  }
}
