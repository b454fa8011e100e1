import ArgumentParser
import DatastoreImport

/// The options for reading queried files of rows. Where the options for writing rows have taken a name, the
/// one for reading begins with `input`.
struct InputArguments: ParsableArguments {
  @Option(
    name: .customLong("with"),
    help: ArgumentHelp(
      "Another CSV or JSON file, as a further table beside that of the first; may be repeated.",
      valueName: "file"), completion: .file())
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
    help: """
      A text that means no value in CSV, unless it is in quotes; may be repeated; '' is the empty field. \
      browse and load call it --null.
      """)
  var inputNull: [String] = []

  @OptionGroup var records: RecordArguments

  /// The same options as those of other commands.
  var reading: ReadingArguments {
    var reading = ReadingArguments()
    (reading.format, reading.header, reading.columns) = (inputFormat, inputHeader, inputColumns)
    (reading.null, reading.records) = (inputNull, records)
    return reading
  }

  func validate() throws { try reading.validate() }
}

extension ReadingArguments {
  /// The given options, as arguments of `datastore query`.
  var wordsOfQuery: [String] {
    func words(_ option: String, _ value: String?) -> [String] { value.map { [option, $0] } ?? [] }
    var all = words("--input-format", format?.rawValue) + words("--delimiter", records.delimiter)
    all +=
      words("--decimal", records.decimal?.rawValue)
      + words("--encoding", records.encoding?.rawValue)
    all += header.map { [$0 ? "--input-header" : "--no-input-header"] } ?? []
    all += words("--input-columns", columns) + null.flatMap { ["--input-null", $0] }
    all += records.quotes.map { [$0 ? "--quotes" : "--no-quotes"] } ?? []
    all += words("--skip-lines", records.skipLines > 0 ? String(records.skipLines) : nil)
    all += words("--comment", records.comment) + words("--dates", records.dates?.rawValue)
    all += records.types.flatMap { ["--type", "\($0.column)=\($0.type.rawValue)"] }
    return all + words("--path", records.path) + (records.flatten ? ["--flatten"] : [])
  }
}
