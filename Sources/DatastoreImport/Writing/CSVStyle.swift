import Basics
import DatastoreCore

/// The form of the fields of a CSV file, learned from its records.
struct CSVStyle {
  let delimiter: UInt8
  /// Whether fields can be enclosed in quotes.
  let hasQuotes: Bool
  private(set) var lineEnd = [Byte.lineFeed]
  private let values: FieldText
  private let missing: Set<String>
  private let comment: UInt8?
  /// Texts that show how columns write dates, by the indices of the columns.
  private var examples: [Int: String] = [:]
  /// Whether all fields of all records so far are in quotes.
  private var quotesAll: Bool?

  init(_ reader: CSVReader) {
    delimiter = reader.delimiter
    hasQuotes = reader.hasQuotes
    values = FieldText(reading: reader.valueReading)
    missing = reader.missing
    comment = reader.options.comment
    lineEnd = reader.headerEnd.isEmpty ? [Byte.lineFeed] : reader.headerEnd
  }

  /// Learns from a record.
  mutating func observe(_ fields: [CSVScanner.Field], _ record: UnsafeBufferPointer<UInt8>) {
    quotesAll = (quotesAll ?? true) && fields.allSatisfy(\.isQuoted)
    let end = CSVReader.lineEnd(of: record)
    if !end.isEmpty { lineEnd = end }
  }

  /// Learns from a field how its column writes dates.
  ///
  /// - Parameter text: the text of the field.
  mutating func observe(date text: @autoclosure () -> String, at place: Int) {
    if examples[place] == nil { examples[place] = text() }
  }

  /// The bytes of a field.
  ///
  /// - Parameters:
  ///   - place: the index of its column.
  ///   - field: the field that it replaces; nil for a new one.
  ///   - former: the text of that field.
  ///   - dates: the order of days and months in its column, if it is known.
  /// - Throws: `RewriteRefusal` if the file cannot express it.
  func text(
    _ value: Value, _ attribute: AttributeDescription, at place: Int,
    like field: CSVScanner.Field?, of former: String? = nil, dates: DateOrder?
  ) throws -> [UInt8] {
    let example = former?.isEmpty == false ? former : examples[place]
    guard var text = values.text(value, attribute, like: example, dates: dates) else {
      // The shortest text that means a missing value; the empty one, if it does.
      let mark = missing.min { ($0.utf8.count, $0) < ($1.utf8.count, $1) } ?? ""
      return Array(mark.utf8)
    }
    let isMark = missing.contains(text)
    // Bytes that are not UTF-8 are written as they were read.
    let bytes = text.withStoredUTF8 { Array($0) }
    guard hasQuotes else {
      if let first = bytes.first(where: { $0 == delimiter || Byte.isLineEnd($0) }) {
        throw RewriteRefusal(
          description:
            "a value has \(Byte.description(first)) in it, and quotes, which could enclose it, "
            + "are ordinary characters in this file; export the rows instead")
      }
      return bytes
    }
    let isQuoted = field?.isQuoted ?? (quotesAll ?? false)
    guard isQuoted || isMark || needsQuotes(bytes) else { return bytes }
    var quoted: [UInt8] = []
    bytes.withUnsafeBufferPointer { Quoting.append($0, between: Byte.quote, to: &quoted) }
    return quoted
  }

  private func needsQuotes(_ text: [UInt8]) -> Bool {
    if text.first == comment { return true }
    return text.withUnsafeBufferPointer { Quoting.fieldNeedsQuotes($0, delimiter: delimiter) }
  }
}
