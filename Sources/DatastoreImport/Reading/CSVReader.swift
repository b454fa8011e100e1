/// Reads a table from a file of comma-separated values as RFC 4180 defines it, with or without a header row.
///
/// - Fields may be in quotes, and must be if they contain the delimiter, a line end or a quote, which is then
///   doubled (RFC 4180, section 2, rules 5 to 7).
/// - Lines end with CRLF, LF or CR. The delimiter is a comma, a semicolon, a tab or a bar.
/// - The text is UTF-8, with or without a byte order mark.
/// - A field without quotes whose text is one of `Options.missing` is null; in quotes it is text. If that
///   option is nil, the empty field is null, and so are marks such as `\N` that occur among numbers.
/// - An empty line is not a record, unless the table has just one column.
///
/// - A first line `sep=;`, as Excel writes it, declares the delimiter, and is not a record.
/// - Lines before the header row that begin with `#` are comments; see `CSVComments`. With `Options.comment`
///   lines that begin with that byte are comments wherever a record could begin.
/// - A record with more or fewer fields than the others is invalid, and so is one with quotes that RFC 4180
///   does not allow, unless `Options.keepsIrregular` is set.
/// - In files of tab-separated values quotes may be ordinary characters; see `CSVQuoting`.
///
/// After an invalid record the reader continues with the next line.
package struct CSVReader: RecordReader {
  package struct Options: Hashable, Sendable {
    /// The byte between fields; nil to detect it from the first lines.
    package var delimiter: UInt8?
    /// Whether quotes enclose fields; nil to detect it from the first lines.
    package var quotes: Bool?
    /// The reason for the delimiter; nil if the user has given it.
    var delimiterReason: String?
    /// The decimal mark of numbers; nil to detect it from the first records.
    package var decimalMark: DecimalMark?
    /// The texts that, without quotes, mean a missing value; nil to detect them from the first records.
    package var missing: Set<String>?
    /// The marks that were detected before, for a file that is read again.
    var detectedMissing: Set<String>?
    /// The order of day and month in dates; nil to detect it from all values of a column.
    package var dates: DateOrder?
    /// The largest record, in bytes, that is read; a larger one is a fault.
    package var maximumRecordSize = 64 * 1024 * 1024

    /// The number of lines to skip at the start of the file.
    package var skippedLines = 0
    /// The byte that begins comment lines, wherever they are; nil if only lines before the header row that
    /// begin with `#` are comments.
    package var comment: UInt8?
    /// Whether the first record names the columns. If not, they are `column_1` and so on.
    package var header = CSVHeader.present
    /// The names of the columns of the table that the file fills, if it is there: a first record of such
    /// names only is a header row.
    var tableColumns: Set<String>?
    /// The names of all columns, replacing those in the file.
    package var columns: [String]?
    /// Whether columns without a name, or with the name of another, get a new one; otherwise they are faults.
    package var repairsHeader = false
    /// Whether an irregular record is read as well as possible, and a further column, `irregular`, gives the
    /// reason: one with fewer fields is filled up with nulls, and one with more gets columns of its own for
    /// them; quotes are read as `CSVScanner` says, and bytes that are not UTF-8 are kept (`String(stored:)`).
    /// Otherwise irregular records are faults.
    package var keepsIrregular = false
    /// Whether to infer types that restore the text of each value as it is in the file, rather than those
    /// that express most about it.
    package var keepsText = false
    /// Whether `inf`, and numbers with more digits than a Double keeps, are numbers: those who have written
    /// the file have said which columns are text.
    var takesEveryNumber = false
    /// The number of records to read at most; see `ReadingOptions.mostRecords`.
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
  /// The decimal mark of numbers, as given or detected.
  package let decimalMark: DecimalMark

  /// The texts that, without quotes, mean a missing value, as given or detected.
  package let missing: Set<String>
  package let findings: [ReadingFinding]

  /// The column that describes irregular records.
  let irregularColumn: String
  /// The irregularities of the header row.
  private(set) var irregularHeader: Irregularity?
  /// The line end of the header row; empty if there is none.
  private(set) var headerEnd: [UInt8] = []
  private let commentCount: Int
  /// Names that were invented for columns: parts of sentences.
  private let repairs: [String]
  package let input: ByteInput
  let options: Options
  var scanner: CSVScanner
  var cursor = SourceCursor()
  /// Records that were found so far.
  var foundCount = 0
  /// Whether only the empty field means null, which requires no comparison of texts.
  let onlyEmptyIsMissing: Bool
  /// The length of the longest text that means null, in bytes.
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
  package var takesEveryNumber: Bool { options.takesEveryNumber }
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
    // A user who has given the byte of comments knows that there are some.
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
