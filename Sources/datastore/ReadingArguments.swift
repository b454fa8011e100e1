import ArgumentParser
import DatastoreImport

/// How files are read where that should not be found from them.
struct ReadingArguments: ParsableArguments {
  @Option(help: "csv, tsv, json or jsonl; by default detected from the name or the content.")
  var format: Format?

  @Option(help: "The delimiter of CSV: one character, or tab.")
  var delimiter: String?

  @Option(
    help:
      "The decimal mark of CSV: point or comma (3,5); by default detected from the first records.")
  var decimal: DecimalMark?

  @Option(help: "The encoding of the text; by default detected from the first 256 kB.")
  var encoding: TextEncoding?

  @Flag(
    inversion: .prefixedNo, exclusivity: .chooseLast,
    help: "Whether the first line of CSV names the columns.")
  var header: Bool?

  @Option(help: "The column names of CSV, separated by commas, instead of its header's.")
  var columns: String?

  @Option(help: "The number of lines at the start of CSV that are not read.")
  var skipLines = 0

  @Option(
    help: """
      The character by which lines of CSV begin that are not read, wherever they are. By default, lines \
      before the header row that begin with # are taken for remarks.
      """)
  var comment: String?

  @Option(
    help: """
      A text that means no value in CSV, unless it is in quotes; may be repeated; '' is the empty field. \
      By default the empty field means no value, and NA, N/A, NULL, \\N and the like in columns of \
      numbers and dates.
      """)
  var null: [String] = []

  @Option(help: "How to read 1/2/2024; by default detected from all dates of a column.")
  var dates: DateOrder?

  @Option(
    name: .customLong("type"),
    help: ArgumentHelp(
      "The type of a column of a new table, instead of the one that holds all its values; may be "
        + "repeated. Types are \(ColumnType.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "column=type"))
  var types: [TypeOfColumn] = []

  @Option(
    help: "The members of a JSON document that lead to the array to read: features, or a.b.")
  var path: String?

  @Flag(help: "Make the members of nested JSON objects columns of their own: name.common.")
  var flatten = false

  /// The formats by the names that `datastore query` has for them.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case csv, tsv, json, jsonl
  }

  func validate() throws {
    if let delimiter, Self.byte(delimiter) == nil {
      throw ValidationError("--delimiter takes one ASCII character other than a quote, or “tab”.")
    }
    if path != nil, format != nil, format != .json {
      throw ValidationError("--path is for JSON documents.")
    }
    if let comment, Self.byte(comment) == nil {
      throw ValidationError("--comment takes one ASCII character other than a quote.")
    }
    if skipLines < 0 { throw ValidationError("--skip-lines counts lines; it cannot be negative.") }
    if let columns, columns.split(separator: ",").isEmpty {
      throw ValidationError("--columns has no names.")
    }
  }

  private static func byte(_ text: String) -> UInt8? {
    if text == "tab" || text == "\\t" { return UInt8(ascii: "\t") }
    guard text.utf8.count == 1, let byte = text.utf8.first, byte < 0x80,
      !["\"", "\n", "\r"].contains(text)
    else { return nil }
    return byte
  }

  func options() -> ReadingOptions {
    var options = ReadingOptions()
    options.csv.repairsHeader = true
    switch format {
    case .csv: options.format = .csv
    case .tsv:
      options.format = .csv
      options.csv.delimiter = UInt8(ascii: "\t")
    case .json: options.format = .json
    case .jsonl: options.format = .jsonLines
    case nil:
      if delimiter != nil || comment != nil || skipLines > 0 { options.format = .csv }
      if path != nil { options.format = .json }
    }
    if let delimiter { options.csv.delimiter = Self.byte(delimiter) }
    options.csv.decimalMark = decimal
    options.csv.skippedLines = skipLines
    options.csv.comment = comment.flatMap(Self.byte)
    options.encoding = encoding
    switch header {
    case true?: options.csv.header = .present
    case false?: options.csv.header = .absent
    case nil: options.csv.header = .detect
    }
    options.csv.columns = columns.map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    if !null.isEmpty { options.csv.missing = Set(null) }
    options.dates = dates
    options.json.path = ReadingOptions.path(path ?? "")
    options.json.flattens = flatten
    return options
  }

  /// Whether something was said, so that the file is meant to have rows.
  var areGiven: Bool {
    format != nil || delimiter != nil || decimal != nil || encoding != nil || header != nil
      || columns != nil || !null.isEmpty || dates != nil || !types.isEmpty || path != nil || flatten
      || skipLines > 0 || comment != nil
  }
}

/// The type that a column is said to have: `born=date`.
struct TypeOfColumn: ExpressibleByArgument {
  let column: String
  let type: ColumnType

  init?(argument: String) {
    guard let sign = argument.lastIndex(of: "="), sign != argument.startIndex,
      let type = ColumnType(rawValue: String(argument[argument.index(after: sign)...]))
    else { return nil }
    column = String(argument[..<sign])
    self.type = type
  }
}

extension DateOrder: ExpressibleByArgument {}

extension DecimalMark: ExpressibleByArgument {}

extension TextEncoding: ExpressibleByArgument {
  public init?(argument: String) { self.init(name: argument) }
}
