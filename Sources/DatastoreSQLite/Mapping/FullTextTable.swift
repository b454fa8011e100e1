import Basics
import DatastoreCore
import DatastoreSQL

/// The declaration of a table of SQLite's module FTS5 (<https://www.sqlite.org/fts5.html>).
struct FullTextTable {
  private let table: FileTable
  private var options: [String: String] = [:]
  private var unindexed: Set<String> = []

  /// nil for all other tables.
  init?(_ table: FileTable) {
    guard table.kind == .virtual, let declaration = table.declaration,
      let start = declaration.firstRange(of: #/(?i)\busing\s+fts5\s*\(/#)?.upperBound,
      let end = declaration.lastPlace(of: ")"), start <= end
    else { return nil }
    self.table = table
    for argument in Self.arguments(declaration[start..<end]) {
      if let sign = argument.firstPlace(of: "="), Self.isWord(argument[..<sign]) {
        let name = argument[..<sign].trimmed.lowercased()
        options[name] = Self.unquoted(argument.text(after: sign).trimmed)
      } else if argument.lowercased().hasSuffix("unindexed") {
        unindexed.insert(Self.unquoted(argument.dropLast("unindexed".count).trimmed).caselessKey)
      }
    }
  }

  /// Whether it has the words that `SEARCH` looks for, with their positions.
  private var isPlain: Bool {
    let tokenizer = (options["tokenize"] ?? "unicode61").lowercased()
    return tokenizer == "unicode61" && (options["detail"] ?? "full").lowercased() == "full"
  }

  /// Its indexes of the columns of tables, by their names in lower case: of the tables whose texts it has,
  /// and of its own columns.
  ///
  /// - Parameter tables: all tables of the file.
  func indexes(among tables: [FileTable]) -> [String: [String: WordIndex]] {
    guard isPlain else { return [:] }
    var indexes: [String: [String: WordIndex]] = [:]
    if case .rowid(let key) = table.key { indexes[table.name.caselessKey] = columns(key) }
    let content = options["content"]?.caselessKey
    let key = (options["content_rowid"] ?? "rowid").lowercased()
    if let table = tables.first(where: { $0.name.caselessKey == content }),
      case .rowid(let rowid) = table.key,
      ["rowid", "_rowid_", "oid", rowid.lowercased()].contains(key)
    {
      indexes[table.name.caselessKey] = columns(rowid)
    }
    return indexes
  }

  /// - Parameter key: the key column of the indexed table.
  private func columns(_ key: String) -> [String: WordIndex] {
    var columns: [String: WordIndex] = [:]
    for column in table.columns.map(\.name) where !unindexed.contains(column.caselessKey) {
      columns[column.caselessKey] = WordIndex(table: table.name, column: column, key: key)
    }
    return columns
  }

  /// The text between commas that are not in quotes.
  private static func arguments(_ text: Substring) -> [Substring] {
    var arguments: [Substring] = []
    var start = text.startIndex
    var quote: Unicode.Scalar?
    for index in text.unicodeScalars.indices {
      let scalar = text.unicodeScalars[index]
      if let open = quote {
        if scalar == open { quote = nil }
      } else if let closing = closings[scalar] {
        quote = closing
      } else if scalar == "," {
        arguments.append(text[start..<index].trimmed)
        start = text.unicodeScalars.index(after: index)
      }
    }
    return arguments + [text[start...].trimmed]
  }

  private static let closings: [Unicode.Scalar: Unicode.Scalar] = [
    "'": "'", "\"": "\"", "`": "`", "[": "]",
  ]

  private static func isWord(_ text: Substring) -> Bool {
    text.trimmed.allSatisfy { $0.isLetter || $0 == "_" || $0.isNumber }
  }

  private static func unquoted(_ text: Substring) -> String {
    let scalars = text.unicodeScalars
    guard let first = scalars.first, let closing = closings[first], scalars.count > 1,
      scalars.last == closing
    else { return String(text) }
    return Quoting.undoubled(Substring(scalars.dropFirst().dropLast()), quote: closing)
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    let head = unicodeScalars.drop { $0.properties.isWhitespace }
    guard let last = head.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
    return Substring(head[...last])
  }
}
