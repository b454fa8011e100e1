import ArgumentParser
import DatastoreImport

/// How files are read where that should not be found from them.
struct ReadingArguments: ParsableArguments {
  @Option(help: "csv, tsv, json or jsonl; else told from the name or the content.")
  var format: Format?

  @Option(help: "What stands between the fields of CSV: one character, or tab.")
  var delimiter: String?

  @Option(
    help: "What CSV writes numbers with: point or comma (3,5); else told from the first records.")
  var decimal: DecimalMark?

  @Option(help: "utf-8, utf-16le, utf-16be or latin1.")
  var encoding: TextEncoding?

  @Flag(
    inversion: .prefixedNo, exclusivity: .chooseLast,
    help: "Whether the first line of CSV names the columns.")
  var header: Bool?

  @Option(help: "The names of the columns of CSV, separated by commas, instead of its own.")
  var columns: String?

  @Option(
    help: "The text that, without quotes, means in CSV that there is no value; nothing without it.")
  var null: String?

  /// The formats by the names that `datastore query` has for them.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case csv, tsv, json, jsonl
  }

  func validate() throws {
    if let delimiter, Self.byte(delimiter) == nil {
      throw ValidationError("--delimiter is one character of ASCII that is no quote, or “tab”.")
    }
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
    case nil: if delimiter != nil { options.format = .csv }
    }
    if let delimiter { options.csv.delimiter = Self.byte(delimiter) }
    options.csv.decimalMark = decimal
    options.encoding = encoding
    switch header {
    case true?: options.csv.header = .present
    case false?: options.csv.header = .absent
    case nil: options.csv.header = .detect
    }
    options.csv.columns = columns.map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    if let null { options.csv.missing = [null] }
    return options
  }
}

extension DecimalMark: ExpressibleByArgument {}

extension TextEncoding: ExpressibleByArgument {
  public init?(argument: String) {
    switch argument.lowercased() {
    case "utf8": self = .utf8
    case "utf-16", "utf16": self = .utf16LittleEndian
    case "latin-1", "iso-8859-1", "windows-1252", "cp1252": self = .latin1
    case let name:
      guard let encoding = TextEncoding(rawValue: name) else { return nil }
      self = encoding
    }
  }
}
