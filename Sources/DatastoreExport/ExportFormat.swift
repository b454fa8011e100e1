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
    let ending = file.text(after: point).lowercased()
    guard let format = Self.allCases.first(where: { $0.fileExtensions.contains(ending) }) else {
      return nil
    }
    self = format
  }

  /// The extensions of its files; the first one is that of new files.
  package var fileExtensions: [String] {
    switch self {
    case .table: ["txt"]
    case .csv: ["csv"]
    case .tsv: ["tsv", "tab"]
    case .json: ["json"]
    case .jsonLines: ["jsonl", "ndjson"]
    case .markdown: ["md", "markdown"]
    case .sql: ["sql"]
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
