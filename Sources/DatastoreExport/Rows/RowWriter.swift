package import DatastoreCore
package import Gates

/// Writes rows in one format, one after another. A writer keeps no row that it has written, except for
/// tables, which sample their first rows for the widths of the columns.
///
/// Call `begin()` once, `write(_:row:)` for each row and `end()` once. For one thread.
package protocol RowWriter {
  /// Writes the part before the rows.
  ///
  /// - Throws: `ExportError`, as do the other methods.
  mutating func begin() throws
  /// Writes a row of a page; the first columns of the page are the columns of the export.
  ///
  /// - Parameter texts: the cells as their source file spells them; SQL and the formats for people write the
  ///   values instead.
  mutating func write(_ page: RowPage, row: Int, _ texts: RowTexts?) throws
  /// Writes the part after the rows and passes on all bytes.
  mutating func end() throws
}

extension RowWriter {
  /// Writes the values of a row.
  package mutating func write(_ page: RowPage, row: Int) throws {
    try write(page, row: row, nil)
  }
}

extension ExportFormat {
  /// Whether rows of files are written as the file spells them.
  package var keepsTexts: Bool {
    switch self {
    case .csv, .tsv, .json, .jsonLines: true
    case .table, .markdown, .sql: false
    }
  }

  /// Creates a writer of this format for rows with these columns.
  package func makeWriter(
    _ columns: [ExportColumn], options: ExportOptions = ExportOptions(), to output: ExportOutput
  ) -> any RowWriter {
    switch self {
    case .table: TableWriter(columns, options: options, output: output)
    case .csv: DelimitedWriter(columns, delimiter: UInt8(ascii: ","), options, output)
    case .tsv: DelimitedWriter(columns, delimiter: UInt8(ascii: "\t"), options, output)
    case .json: JSONWriter(columns, layout: .array, output: output)
    case .jsonLines: JSONWriter(columns, layout: .lines, output: output)
    case .markdown: MarkdownWriter(columns, options: options, output: output)
    case .sql: InsertWriter(columns, options: options, output: output)
    }
  }
}
