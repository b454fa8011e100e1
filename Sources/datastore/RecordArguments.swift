import ArgumentParser
import DatastoreImport

/// How the records of files are read: options with the same names in all commands.
struct RecordArguments: ParsableArguments {
  @Option(help: "The delimiter of CSV: one character, or tab.")
  var delimiter: String?

  @Flag(
    inversion: .prefixedNo, exclusivity: .chooseLast,
    help: """
      Whether quotes enclose fields of CSV. By default they do, but for tab-separated values whose records \
      make sense only without.
      """)
  var quotes: Bool?

  @Option(
    help:
      "The decimal mark of CSV: point or comma (3,5); by default detected from the first records.")
  var decimal: DecimalMark?

  @Option(
    help: """
      The encoding of the text: \(TextEncoding.examples) or another name that iconv knows; by default \
      detected from the first 256 kB.
      """)
  var encoding: TextEncoding?

  @Option(help: "The number of lines at the start of CSV that are not read.")
  var skipLines = 0

  @Option(
    help: """
      Skip lines of CSV that begin with this character. By default, lines before the header row that begin \
      with # are comments.
      """)
  var comment: String?

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

  func validate() throws {
    if let delimiter, Self.byte(delimiter) == nil {
      throw ValidationError("--delimiter takes one ASCII character other than a quote, or “tab”.")
    }
    if let comment, Self.byte(comment) == nil {
      throw ValidationError("--comment takes one ASCII character other than a quote.")
    }
    if skipLines < 0 { throw ValidationError("--skip-lines counts lines; it cannot be negative.") }
  }

  static func byte(_ text: String) -> UInt8? {
    if text == "tab" || text == "\\t" { return UInt8(ascii: "\t") }
    guard text.utf8.count == 1, let byte = text.utf8.first, byte < 0x80,
      !["\"", "\n", "\r"].contains(text)
    else { return nil }
    return byte
  }

  /// Whether any option is given.
  var areGiven: Bool {
    delimiter != nil || quotes != nil || decimal != nil || encoding != nil || dates != nil
      || !types.isEmpty
      || path != nil || flatten || skipLines > 0 || comment != nil
  }
}
