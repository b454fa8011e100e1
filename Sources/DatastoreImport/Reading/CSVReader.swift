/// Reads a table from a file of comma-separated values as RFC 4180 defines it, with a header row or without.
///
/// - Fields may appear in quotes, and must if they contain the delimiter, a line end or a quote,
///   which is then doubled (RFC 4180, section 2, rules 5 to 7).
/// - Lines end with CRLF, LF or CR. The delimiter is a comma, a semicolon, a tab or a bar.
/// - The text is UTF-8, with or without a byte order mark.
/// - A field without quotes whose text is one of `Options.missing` is null; in quotes it is text. Where
///   that is not said, the empty field is, and marks such as `\N` that are found among numbers.
/// - An empty line is not a record, unless the table has just one column.
///
/// - A first line `sep=;`, as Excel writes it, says what the delimiter is, and is not a record.
/// - Lines before the header row that begin with `#` are comments; see `CSVComments`. With `Options.comment`
///   lines that begin with it are comments wherever a record could begin.
/// - A record with more or fewer fields than the others is invalid, and so is one with quotes where RFC 4180
///   has none, unless `Options.keepsIrregular` says otherwise.
/// - In files of tab-separated values quotes may be ordinary characters; see `CSVQuoting`.
///
/// After an invalid record the reader continues with the next line.
package struct CSVReader: RecordReader {
  package struct Options: Hashable, Sendable {
    /// The byte between fields; nil to detect it from the first lines.
    package var delimiter: UInt8?
    /// Whether quotes enclose fields; nil to detect it from the first lines.
    package var quotes: Bool?
    /// Why the delimiter is what it is; nil where the user has said it.
    var delimiterReason: String?
    /// What numbers are written with; nil to detect it from the first records.
    package var decimalMark: DecimalMark?
    /// The texts that, without quotes, mean that there is no value; nil to detect them from the first
    /// records.
    package var missing: Set<String>?
    /// What was detected of that before, for a file that is read again.
    var detectedMissing: Set<String>?
    /// How days are written; nil to detect it from all values of a column.
    package var dates: DateOrder?
    /// The largest record, in bytes, that is read; a larger one is a fault.
    package var maximumRecordSize = 64 * 1024 * 1024

    /// Lines at the start of the file that are not read.
    package var skippedLines = 0
    /// The byte by which lines begin that are not read, wherever they are; nil where only those before the
    /// header row that begin with `#` are taken for remarks.
    package var comment: UInt8?
    /// Whether the first record names the columns. Without that they are `column_1` and so on.
    package var header = CSVHeader.present
    /// The names of all columns, in place of those in the file.
    package var columns: [String]?
    /// Whether columns without a name, or with one that another has, get one; else they are faults.
    package var repairsHeader = false
    /// Whether a record that is not as it should be is read as well as it can be, and a further column,
    /// `irregular`, says why: one with fewer fields is filled up with nulls, and one with more gets columns
    /// of its own for them; quotes are read as `CSVScanner` says, and bytes that are not UTF-8 are kept
    /// (`String(stored:)`). Else they are faults.
    package var keepsIrregular = false
    /// Whether types are found that give the text of each value back as it is in the file, rather than
    /// those that say most about it.
    package var keepsText = false
    /// After how many records enough was read; see `ReadingOptions.mostRecords`.
    var mostRecords: Int?

    package init() {}
  }

  /// The names in the header row, or those given.
  package let columns: [String]
  /// Whether the file has a header row.
  package let hasHeader: Bool
  /// The byte between fields, as given or detected.
  package let delimiter: UInt8
  /// Whether quotes enclose fields, as given or detected.
  var hasQuotes: Bool { scanner.hasQuotes }
  /// What numbers are written with, as given or detected.
  package let decimalMark: DecimalMark

  /// The texts that, without quotes, mean that there is no value, as given or detected.
  package let missing: Set<String>
  package let findings: [ReadingFinding]

  /// The column that says of a record what is irregular about it.
  let irregularColumn: String
  /// What is irregular about the header row.
  private(set) var irregularHeader: Irregularity?
  /// The line end of the header row; empty where there is none.
  private(set) var headerEnd: [UInt8] = []
  private let commentCount: Int
  /// Names that were made up for columns: parts of sentences.
  private let repairs: [String]
  package let input: ByteInput
  let options: Options
  var scanner: CSVScanner
  var cursor = SourceCursor()
  /// Records that were found so far.
  var foundCount = 0
  /// Whether null means just the empty field, which needs no text to be compared.
  let onlyEmptyIsMissing: Bool
  /// The bytes of the longest text that means null.
  let longestMissing: Int

  /// Reads the header row.
  ///
  /// - Throws: `ImportError.unreadable` if there is no header row or it is invalid;
  ///   `ImportError.inaccessible` if the file cannot be read.
  package init(_ input: ByteInput, options: Options = Options()) throws {
    self.input = input
    try input.skipByteOrderMark()
    var options = options
    if let separator = try Self.skipSeparatorLine(input, cursor: &cursor), options.delimiter == nil
    {
      options.delimiter = separator
      options.delimiterReason = "the line “sep=” says so"
    }
    self.options = options
    for _ in 0..<options.skippedLines { try input.skipLine(cursor: &cursor) }
    commentCount =
      if let comment = options.comment {
        try CSVComments.skip(beginningWith: comment, in: input, cursor: &cursor)
      } else {
        try CSVComments.skip(in: input, cursor: &cursor, delimiter: options.delimiter)
      }
    let dialect = try CSVDialect(of: input, options)
    delimiter = dialect.scanner.delimiter
    decimalMark = dialect.decimalMark
    hasHeader = dialect.hasHeader
    missing = dialect.missing
    findings = dialect.findings
    onlyEmptyIsMissing = missing == [""]
    longestMissing = missing.lazy.map(\.utf8.count).max() ?? 0
    scanner = dialect.scanner
    do {
      let limit = options.maximumRecordSize
      var names =
        try hasHeader
        ? Self.readHeader(
          input, scanner: &scanner, cursor: &cursor, options,
          checksNames: options.columns == nil && !options.repairsHeader, lineEnd: &headerEnd,
          irregularity: &irregularHeader)
        : Self.numberedColumns(input, scanner: &scanner, cursor: &cursor, limit: limit)
      repairs = options.repairsHeader && options.columns == nil ? CSVHeader.repair(&names) : []
      columns = try Self.columns(names, given: options.columns, input)
      irregularColumn = CSVHeader.freeName("irregular", beside: columns)
    } catch {
      input.abandon()
      throw error
    }
  }

  package var bytesRead: Int { input.bytesRead }
  package var totalBytes: Int? { input.totalBytes }
  package var dateOrder: DateOrder? { options.dates }
  package var keepsText: Bool { options.keepsText }
  package var marks: MissingMarks { options.missing.map(MissingMarks.init) ?? .usual }
  package var notes: [String] {
    let isNamed = hasHeader || options.columns != nil
    let isFound = options.decimalMark == nil && decimalMark == .comma
    return input.notes + repairs + commentNotes
      + (isFound ? ["numbers are read with a decimal comma, as in 3,5"] : [])
      + (missing.count > 1 && options.missing == nil ? [missingSentence] : [])
      + (isNamed ? [] : ["there is no header row, so the columns are called column_1 and so on"])
  }

  private var commentNotes: [String] {
    // Who has said what begins a comment knows that there are some.
    if options.comment != nil { return [] }
    switch commentCount {
    case 0: return []
    case 1: return ["a line that begins with # was left out"]
    default: return ["\(commentCount) lines that begin with # were left out"]
    }
  }

  private var missingSentence: String {
    let marks = missing.subtracting([""]).sorted().map(\.shownInMessage)
    return "\(marks.joined(separator: ", ")) \(marks.count == 1 ? "means" : "mean") no value, in "
      + "columns of text, too, since they occur among numbers or dates"
  }

  package mutating func next() throws -> ImportRecord? {
    guard let length = try findNext() else { return nil }
    return try takeRecord(length: length)
  }
}
