import Basics
import Gates

/// Settings for reading a file, as far as its content does not determine them.
package struct ReadingOptions: Hashable, Sendable {
  /// nil to detect it from the file's name and content.
  package var format: FileFormat?
  /// nil to detect it from the first bytes.
  package var encoding: TextEncoding?
  package var csv = CSVReader.Options()
  package var json = JSONReader.Options()
  /// Whether to keep texts that cannot be restored from the stored values beside them.
  package var keepsLostTexts = false

  package init() {}

  /// The order of day and month in dates whose year comes last; nil to be detected from all values of a
  /// column.
  package var dates: DateOrder? {
    get { csv.dates }
    set { (csv.dates, json.dates) = (newValue, newValue) }
  }

  /// The number of records to read at most, if not all of a file is needed. Types are inferred from the same
  /// beginning as those of the whole file, unless it is a pipe.
  package var mostRecords: Int? {
    get { csv.mostRecords }
    set { (csv.mostRecords, json.mostRecords) = (newValue, newValue) }
  }

  /// The names of members in a path such as `result.features`.
  package static func path(_ text: String) -> [String] {
    text.words(at: ".").map(String.init)
  }
}

extension ByteInput {
  /// The size of the part of a file from which its types are inferred at first.
  static let typeSampleSize = 1 << 20

  /// A reader for the format of this input, which may be a pipe.
  ///
  /// Text that is not UTF-8 is converted first.
  ///
  /// - Throws: `ImportError.unreadable` if the format cannot be determined or the file has no header
  ///   row; `ImportError.inaccessible` if it cannot be read.
  package func makeReader(
    _ options: ReadingOptions = ReadingOptions()
  ) throws -> any RecordReader {
    var options = options
    return try makeReader(finding: &options)
  }

  /// A reader for the format of this input; puts the detected settings into the options.
  func makeReader(finding options: inout ReadingOptions) throws -> any RecordReader {
    if let encoding = options.encoding {
      transcode(from: encoding, because: nil)
    } else {
      // A pipe may be slow, and its first rows are wanted.
      try fill(
        atLeast: totalBytes == nil ? Self.defaultChunkSize : TextEncoding.sampleSize)
      if options.format == nil, let reason = FileKind.reason(ofTablesIn: window) {
        throw ImportError.inaccessible(file: name, reason: reason)
      }
      let (encoding, reason) = TextEncoding.detect(window, isWhole: isAtEnd)
      options.encoding = encoding
      transcode(from: encoding, because: reason)
    }
    let format = try options.format ?? detectedFormat()
    options.format = format
    switch format {
    case .csv:
      if options.csv.delimiter == nil, ["tsv", "tab"].contains(FileFormat.fileExtension(of: name)) {
        options.csv.delimiter = Byte.tab
        options.csv.delimiterReason = "the name of the file says so"
      }
      let reader = try CSVReader(self, options: options.csv)
      options.csv.delimiter = reader.delimiter
      options.csv.quotes = reader.hasQuotes
      options.csv.header = reader.hasHeader ? .present : .absent
      options.csv.decimalMark = reader.decimalMark
      return reader
    case .json: return try JSONReader(self, layout: .document, options: options.json)
    case .jsonLines: return try JSONReader(self, layout: .lines, options: options.json)
    }
  }

  private func detectedFormat() throws -> FileFormat {
    try fill(atLeast: Self.defaultChunkSize)
    if let format = FileFormat.detect(name: name, head: window, isWhole: isAtEnd) { return format }
    let reason =
      window.isEmpty
      ? "the file is empty"
      : "the file is neither CSV nor JSON; if it is one of them, say which"
    throw ImportError.unreadable(
      SourcePosition(file: name, line: 1, column: 1), reason: reason)
  }
}
