package import DatastoreCore
package import Gates

/// Writes rows one after another in one format: nothing is kept of a row that has been written, except
/// by tables, which look at their first rows to find the widths of columns.
///
/// Call `begin()` once, `write(_:row:)` for each row, `end()` once. For one thread.
package protocol RowWriter {
  /// Writes what is before the rows.
  ///
  /// - Throws: `ExportError`, as the other methods do.
  mutating func begin() throws
  /// Writes a row of a page; its first columns are those.
  ///
  /// - Parameter texts: what its cells are in the file that it was read from; formats for people, and SQL,
  ///   write the values.
  mutating func write(_ page: RowPage, row: Int, _ texts: RowTexts?) throws
  /// Writes what follows the rows, and hands all bytes on.
  mutating func end() throws
}

extension RowWriter {
  /// Writes the values of a row.
  package mutating func write(_ page: RowPage, row: Int) throws {
    try write(page, row: row, nil)
  }
}

extension ExportFormat {
  /// Whether rows of files are written with the texts that they have there.
  package var keepsTexts: Bool {
    switch self {
    case .csv, .tsv, .json, .jsonLines: true
    case .table, .markdown, .sql: false
    }
  }

  /// A writer of this format for rows with these columns.
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
