import ArgumentParser
import Basics
import DatastoreImport

/// The options that override how files are read.
struct ReadingArguments: ParsableArguments {
  @Option(help: "csv, tsv, json or jsonl; by default detected from the name or the content.")
  var format: Format?

  @Flag(
    inversion: .prefixedNo, exclusivity: .chooseLast,
    help: "Whether the first line of CSV names the columns.")
  var header: Bool?

  @Option(help: "The column names of CSV, separated by commas, instead of its header's.")
  var columns: String?

  @Option(
    help: """
      A text that means no value in CSV, unless it is in quotes; may be repeated; '' is the empty field. \
      By default the empty field means no value, and NA, N/A, NULL, \\N and the like in columns of \
      numbers and dates.
      """)
  var null: [String] = []

  @OptionGroup var records: RecordArguments

  /// The formats, with the names that `datastore query` uses.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case csv, tsv, json, jsonl
  }

  func validate() throws {
    if records.path != nil, format != nil, format != .json {
      throw ValidationError("--path is for JSON documents.")
    }
    if let columns, columns.words(at: ",").isEmpty {
      throw ValidationError("--columns has no names.")
    }
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
      if records.delimiter != nil || records.quotes != nil || records.comment != nil
        || records.skipLines > 0
      {
        options.format = .csv
      }
      if records.path != nil { options.format = .json }
    }
    if let delimiter = records.delimiter { options.csv.delimiter = RecordArguments.byte(delimiter) }
    options.csv.quotes = records.quotes
    options.csv.decimalMark = records.decimal
    options.csv.skippedLines = records.skipLines
    options.csv.comment = records.comment.flatMap(RecordArguments.byte)
    options.encoding = records.encoding
    switch header {
    case true?: options.csv.header = .present
    case false?: options.csv.header = .absent
    case nil: options.csv.header = .detect
    }
    options.csv.columns = columns.map {
      $0.parts(at: ",").map(String.init)
    }
    if !null.isEmpty { options.csv.missing = Set(null) }
    options.dates = records.dates
    options.json.path = ReadingOptions.path(records.path ?? "")
    options.json.flattens = records.flatten
    return options
  }

  /// Whether any option is given, which implies that the file has rows.
  var areGiven: Bool {
    format != nil || header != nil || columns != nil || !null.isEmpty || records.areGiven
  }
}

/// A column and its type as given by an option: `born=date`.
struct TypeOfColumn: ExpressibleByArgument {
  let column: String
  let type: ColumnType

  init?(argument: String) {
    guard let sign = argument.lastPlace(of: "="), sign != argument.startIndex,
      let type = ColumnType(rawValue: String(argument.text(after: sign)))
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
