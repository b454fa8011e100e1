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

  /// Its indexes of the columns of tables, by their names in lower case: of those whose texts it has, and of its own.
  ///
  /// - Parameter tables: all tables of the file.
  func indexes(among tables: [FileTable]) -> [String: [String: WordIndex]] {
    guard isPlain else { return [:] }
    var indexes: [String: [String: WordIndex]] = [:]
    if case .rowid(let key) = table.key { indexes[table.name.lowercased()] = columns(key) }
    let content = options["content"]?.lowercased()
    let key = (options["content_rowid"] ?? "rowid").lowercased()
    if let table = tables.first(where: { $0.name.lowercased() == content }),
      case .rowid(let rowid) = table.key,
      ["rowid", "_rowid_", "oid", rowid.lowercased()].contains(key)
    {
      indexes[table.name.lowercased()] = columns(rowid)
    }
    return indexes
  }

  /// - Parameter key: the column of the indexed table that holds its keys.
  private func columns(_ key: String) -> [String: WordIndex] {
    var columns: [String: WordIndex] = [:]
    for column in table.columns.map(\.name) where !unindexed.contains(column.lowercased()) {
      columns[column.lowercased()] = WordIndex(table: table.name, column: column, key: key)
    }
    return columns
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
