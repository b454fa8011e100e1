import ArgumentParser
import DatastoreExport
import Foundation
import TerminalUI

/// The options for the format and the place of written rows.
struct WritingArguments: ParsableArguments {
  @Option(
    help: """
      table, csv, tsv, json, jsonl, markdown or sql. By default the one in the name of --output; a \
      table on a terminal, CSV in a pipe.
      """)
  var format: ExportFormat?

  @Option(
    name: .shortAndLong,
    help: """
      The file to write, or - for standard output; it is replaced when everything has been written.
      """,
    completion: .file())
  var output: String?

  @Flag(
    inversion: .prefixedNo, exclusivity: .chooseLast,
    help: "Whether the names of the columns are written (table, csv, tsv, markdown).")
  var header: Bool?

  @Option(
    help: """
      The text to write for NULL (table, csv, tsv, markdown). In CSV, equal text gets quotes. The text that \
      means no value in a file that is read is --input-null.
      """)
  var null: String?

  @Flag(help: "Write dates as the numbers that are stored, not as dates.")
  var storedDates = false

  @Flag(
    help: """
      Write values of CSV and JSON files by their types (csv, tsv, json, jsonl), not as their text is in \
      the file.
      """)
  var typed = false

  @Flag(help: "Draw tables with ASCII characters only.")
  var ascii = false

  func validate() throws {
    if format == nil, let output, ExportFormat(fileName: output) == nil,
      !URL(fileURLWithPath: output).pathExtension.isEmpty
    {
      let endings = ExportFormat.allCases.map { "." + $0.fileExtensions[0] }
      throw ValidationError(
        "“\(output)” has the ending of no format that can be written; end it with "
          + "\(endings.joined(separator: ", ")), or give --format.")
    }
    let format = chosenFormat
    if null != nil, !format.hasFreeNull {
      throw ValidationError(
        "--null has no effect: it is the text to write for NULL, and \(format.rawValue) has its own word. "
          + "The text that means no value in a file that is read is --input-null.")
    }
    if header != nil, !format.hasHeader {
      throw ValidationError("\(format.rawValue) has no header line to write or leave out.")
    }
  }

  private var place: OutputPlace { OutputPlace(path: output) }

  private var chosenFormat: ExportFormat {
    if let format { return format }
    if let file = place.path { return ExportFormat(fileName: file) ?? .csv }
    return isatty(STDOUT_FILENO) == 1 ? .table : .csv
  }

  /// Opens the output, lets `body` write to it, and completes it; see `OutputPlace`.
  func write(_ body: (WritingTarget) throws -> Void) throws {
    var options = ExportOptions()
    options.writesHeader = header ?? true
    options.null = null
    options.glyphs = ascii || !LocaleName().isUnicode ? .ascii : .unicode
    options.isForTerminal = place.path == nil && isatty(STDOUT_FILENO) == 1
    try place.write { stream in
      try body(
        WritingTarget(
          format: chosenFormat, options: options, output: stream, hasStoredDates: storedDates))
      reportReplaced(stream)
    }
  }

  private func reportReplaced(_ output: ExportOutput) {
    let count = output.replacedTexts
    guard count > 0 else { return }
    Message.write(
      "\(count == 1 ? "a text is" : "\(count) texts are") not UTF-8, so � replaces some of the bytes; "
        + "--format sql keeps them.")
  }
}

/// An open destination for rows.
struct WritingTarget {
  let format: ExportFormat
  let options: ExportOptions
  let output: ExportOutput
  /// Whether dates are written as the stored numbers.
  let hasStoredDates: Bool

  /// - Parameter table: the table that `INSERT` statements name.
  func makeWriter(_ columns: [ExportColumn], table: String) -> any RowWriter {
    var options = options
    options.table = table
    let columns = hasStoredDates ? columns.map(\.withStoredDates) : columns
    return format.makeWriter(columns, options: options, to: output)
  }
}

extension ExportFormat: ExpressibleByArgument {
  public init?(argument: String) {
    switch argument.lowercased() {
    case "md": self = .markdown
    case "ndjson", "jsonlines": self = .jsonLines
    case let name:
      guard let format = ExportFormat(rawValue: name) else { return nil }
      self = format
    }
  }
}
