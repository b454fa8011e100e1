import Basics

/// The formats that rows can be written in.
package enum ExportFormat: String, CaseIterable, Sendable {
  /// Columns of aligned text between lines, for people.
  case table
  /// RFC 4180, with LF line ends.
  case csv
  /// CSV with tabs.
  case tsv
  /// An array of objects.
  case json
  /// One JSON object a line.
  case jsonLines = "jsonl"
  /// A table of GitHub Flavored Markdown.
  case markdown
  /// `INSERT` statements in a transaction.
  case sql

  /// The format for the extension of a file name; nil if the extension is unknown.
  package init?(fileName name: String) {
    let file = name.words(at: "/").last ?? ""
    guard let point = file.lastPlace(of: ".") else { return nil }
    switch file.text(after: point).lowercased() {
    case "txt": self = .table
    case "csv": self = .csv
    case "tsv", "tab": self = .tsv
    case "json": self = .json
    case "jsonl", "ndjson": self = .jsonLines
    case "md", "markdown": self = .markdown
    case "sql": self = .sql
    default: return nil
    }
  }

  /// Whether the format has a line with the names of the columns.
  package var hasHeader: Bool {
    switch self {
    case .table, .csv, .tsv, .markdown: true
    case .json, .jsonLines, .sql: false
    }
  }

  /// Whether the text for NULL can be chosen; the other formats have a fixed spelling.
  package var hasFreeNull: Bool { hasHeader }
}
