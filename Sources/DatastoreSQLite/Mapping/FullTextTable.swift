import DatastoreCore
import DatastoreSQL

/// What a table of SQLite's module FTS5 says of itself (<https://www.sqlite.org/fts5.html>).
struct FullTextTable {
  private let table: FileTable
  private var options: [String: String] = [:]
  private var unindexed: Set<String> = []

  /// nil for all other tables.
  init?(_ table: FileTable) {
    guard table.kind == .virtual, let declaration = table.declaration,
      let start = declaration.firstRange(of: #/(?i)\busing\s+fts5\s*\(/#)?.upperBound,
      let end = declaration.lastIndex(of: ")"), start <= end
    else { return nil }
    self.table = table
    for argument in Self.arguments(declaration[start..<end]) {
      if let sign = argument.firstIndex(of: "="), Self.isWord(argument[..<sign]) {
        let name = argument[..<sign].trimmed.lowercased()
        options[name] = Self.unquoted(argument[argument.index(after: sign)...].trimmed)
      } else if argument.lowercased().hasSuffix("unindexed") {
        unindexed.insert(Self.unquoted(argument.dropLast("unindexed".count).trimmed).lowercased())
      }
    }
  }

  /// Whether its words are those that `SEARCH` is about, and it knows where they are.
  private var isPlain: Bool {
    let tokenizer = (options["tokenize"] ?? "unicode61").lowercased()
    return tokenizer == "unicode61" && (options["detail"] ?? "full").lowercased() == "full"
  }

  /// The table whose texts it has, and its indexes of that table's columns by their names in lower case.
  ///
  /// - Parameter tables: all tables of the file.
  func indexes(among tables: [FileTable]) -> (table: String, columns: [String: WordIndex])? {
    guard isPlain else { return nil }
    let name = options["content"] ?? table.name
    guard let content = tables.first(where: { $0.name.lowercased() == name.lowercased() }),
      case .rowid(let key) = content.key
    else { return nil }
    let wanted = (options["content_rowid"] ?? "rowid").lowercased()
    guard ["rowid", "_rowid_", "oid", key.lowercased()].contains(wanted) else { return nil }
    var columns: [String: WordIndex] = [:]
    for column in table.columns.map(\.name) where !unindexed.contains(column.lowercased()) {
      columns[column.lowercased()] = WordIndex(table: table.name, column: column, key: key)
    }
    return (content.name, columns)
  }

  /// What stands between the commas that are not in quotes.
  private static func arguments(_ text: Substring) -> [Substring] {
    var arguments: [Substring] = []
    var start = text.startIndex
    var quote: Character?
    for index in text.indices {
      let character = text[index]
      if let open = quote {
        if character == open { quote = nil }
      } else if let closing = closings[character] {
        quote = closing
      } else if character == "," {
        arguments.append(text[start..<index].trimmed)
        start = text.index(after: index)
      }
    }
    return arguments + [text[start...].trimmed]
  }

  private static let closings: [Character: Character] = ["'": "'", "\"": "\"", "`": "`", "[": "]"]

  private static func isWord(_ text: Substring) -> Bool {
    text.trimmed.allSatisfy { $0.isLetter || $0 == "_" || $0.isNumber }
  }

  private static func unquoted(_ text: Substring) -> String {
    guard let first = text.first, let closing = closings[first], text.count > 1,
      text.last == closing
    else { return String(text) }
    return text.dropFirst().dropLast()
      .replacing("\(closing)\(closing)", with: "\(closing)")
      .description
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    let start = firstIndex { !$0.isWhitespace } ?? endIndex
    let end = lastIndex { !$0.isWhitespace }.map { index(after: $0) } ?? start
    return self[start..<end]
  }
}
