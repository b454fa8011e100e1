import ArgumentParser
import DatastoreImport

/// How files of rows are read that are queried. Options that say how rows are written have their names first, so
/// that those of reading begin with `input`.
struct InputArguments: ParsableArguments {
  @Option(
    name: .customLong("with"),
    help: ArgumentHelp(
      "Another CSV or JSON file, as a further table beside that of the first; may be repeated.",
      valueName: "file"))
  var others: [String] = []

  @Option(help: "csv, tsv, json or jsonl; by default detected from the name or the content.")
  var inputFormat: ReadingArguments.Format?

  @Flag(
    inversion: .prefixedNo, exclusivity: .chooseLast,
    help: "Whether the first line of CSV names the columns.")
  var inputHeader: Bool?

  @Option(help: "The column names of CSV, separated by commas, instead of its header's.")
  var inputColumns: String?

  @Option(
    help: "A text that means no value in CSV, unless it is in quotes; may be repeated.")
  var inputNull: [String] = []

  @Option(help: "The delimiter of CSV: one character, or tab.")
  var delimiter: String?

  @Option(help: "The decimal mark of CSV: point or comma (3,5).")
  var decimal: DecimalMark?

  @Option(help: "The encoding of the text.")
  var encoding: TextEncoding?

  @Option(help: "The number of lines at the start of CSV that are not read.")
  var skipLines = 0

  @Option(help: "The character by which lines of CSV begin that are not read.")
  var comment: String?

  @Option(help: "How to read 1/2/2024; by default detected from all dates of a column.")
  var dates: DateOrder?

  @Option(
    name: .customLong("type"),
    help: ArgumentHelp("The type of a column; may be repeated.", valueName: "column=type"))
  var types: [TypeOfColumn] = []

  @Option(
    help: "The members of a JSON document that lead to the array to read: features, or a.b.")
  var path: String?

  @Flag(help: "Make the members of nested JSON objects columns of their own: name.common.")
  var flatten = false

  /// The same as arguments of other commands.
  var reading: ReadingArguments {
    var reading = ReadingArguments()
    (reading.format, reading.header, reading.columns) = (inputFormat, inputHeader, inputColumns)
    (reading.null, reading.delimiter, reading.decimal) = (inputNull, delimiter, decimal)
    (reading.encoding, reading.skipLines, reading.comment) = (encoding, skipLines, comment)
    (reading.dates, reading.types, reading.path) = (dates, types, path)
    reading.flatten = flatten
    return reading
  }

  func validate() throws { try reading.validate() }
}

extension ReadingArguments {
  /// What was said, as options of `datastore query`.
  var wordsOfQuery: [String] {
    func words(_ option: String, _ value: String?) -> [String] { value.map { [option, $0] } ?? [] }
    var all = words("--input-format", format?.rawValue) + words("--delimiter", delimiter)
    all += words("--decimal", decimal?.rawValue) + words("--encoding", encoding?.rawValue)
    all += header.map { [$0 ? "--input-header" : "--no-input-header"] } ?? []
    all += words("--input-columns", columns) + null.flatMap { ["--input-null", $0] }
    all += words("--skip-lines", skipLines > 0 ? String(skipLines) : nil)
    all += words("--comment", comment) + words("--dates", dates?.rawValue)
    all += types.flatMap { ["--type", "\($0.column)=\($0.type.rawValue)"] }
    return all + words("--path", path) + (flatten ? ["--flatten"] : [])
  }
}
