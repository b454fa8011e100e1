import DatastoreCore

/// How the fields of a CSV file are written, as its records show.
struct CSVStyle {
  let delimiter: UInt8
  private(set) var lineEnd = [Byte.lineFeed]
  private let values: FieldText
  private let missing: Set<String>
  private let comment: UInt8?
  /// Whether all fields of all records so far are in quotes.
  private var quotesAll: Bool?

  init(_ reader: CSVReader) {
    delimiter = reader.delimiter
    values = FieldText(reading: reader.valueReading)
    missing = reader.missing
    comment = reader.options.comment
    lineEnd = reader.headerEnd.isEmpty ? [Byte.lineFeed] : reader.headerEnd
  }

  /// Learns from a record.
  mutating func note(_ fields: [CSVScanner.Field], _ record: UnsafeBufferPointer<UInt8>) {
    quotesAll = (quotesAll ?? true) && fields.allSatisfy(\.isQuoted)
    let end = CSVReader.lineEnd(of: record)
    if !end.isEmpty { lineEnd = end }
  }

  /// The bytes of a field.
  ///
  /// - Parameters:
  ///   - field: the one in whose place it comes; nil for a new one.
  ///   - former: its text.
  func text(
    _ value: Value, _ attribute: AttributeDescription, like field: CSVScanner.Field?,
    of former: String? = nil
  ) -> [UInt8] {
    guard let text = values.text(value, attribute, like: former) else {
      // The shortest of what means no value; nothing, if that is one.
      let mark = missing.min { ($0.utf8.count, $0) < ($1.utf8.count, $1) } ?? ""
      return Array(mark.utf8)
    }
    let isQuoted = field?.isQuoted ?? (quotesAll ?? false)
    guard isQuoted || needsQuotes(text) else { return Array(text.utf8) }
    return Array("\"\(text.replacing("\"", with: "\"\""))\"".utf8)
  }

  private func needsQuotes(_ text: String) -> Bool {
    if text.isEmpty || missing.contains(text) { return true }
    if let first = text.utf8.first, first == comment || first == 0xEF { return true }
    return text.utf8.contains { $0 == delimiter || $0 == Byte.quote || Byte.isLineEnd($0) }
  }
}
