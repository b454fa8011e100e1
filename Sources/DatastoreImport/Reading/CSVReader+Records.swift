import Basics
import DatastoreCore

extension CSVReader {
  /// Brings one whole record into the window.
  ///
  /// - Returns: The length of the record with its line end; nil at the end of the file.
  /// - Throws: `ImportError.malformed`, after stepping over the fault, if a quote is not closed.
  static func findRecord(
    _ input: ByteInput, scanner: inout CSVScanner, cursor: inout SourceCursor, limit: Int
  ) throws -> Int? {
    while true {
      // Only up to the limit, so that it applies however many bytes the window has.
      let isTooLong = input.window.count > limit
      let bytes = input.window.slice(0..<min(input.window.count, limit + 1))
      if case .complete(let next) = scanner.scan(bytes, isAtEnd: input.isAtEnd && !isTooLong) {
        return next == 0 ? nil : next
      }
      if isTooLong || input.isAtEnd {
        if scanner.isInsideQuotes, scanner.takeQuoteLiterally() { continue }
        throw try unfinished(input, scanner: scanner, cursor: &cursor, limit: limit)
      }
      _ = try input.fill()
    }
  }

  /// Skips the line with the unterminated field, so that the lines after it are read.
  private static func unfinished(
    _ input: ByteInput, scanner: CSVScanner, cursor: inout SourceCursor, limit: Int
  ) throws -> ImportError {
    let reason =
      if !scanner.isInsideQuotes {
        "the record is longer than \(limit) bytes"
      } else if input.window.count > limit {
        "the quote that opens this field is not closed within \(limit) bytes"
      } else {
        "the quote that opens this field is never closed"
      }
    input.skip(scanner.openFieldStart, cursor: &cursor)
    let position = cursor.position(in: input.name)
    try input.skipLine(cursor: &cursor)
    return .malformed(position, reason: reason)
  }

  /// Skips a first line that declares the delimiter.
  ///
  /// - Returns: the delimiter; nil if there is no such line.
  static func skipSeparatorLine(
    _ input: ByteInput, cursor: inout SourceCursor
  ) throws -> UInt8? {
    try input.fill(atLeast: 6)
    let line = input.window.prefix(6)
    guard line.count == 6, line.prefix(4).elementsEqual("sep=".utf8), Byte.isLineEnd(line[5]),
      line[4] < 0x80, line[4] != Byte.quote, !Byte.isLineEnd(line[4])
    else { return nil }
    let separator = line[4]
    try input.skipLine(cursor: &cursor)
    return separator
  }

  /// Examines the first record, which is data, and counts its fields.
  static func numberedColumns(
    _ input: ByteInput, scanner: inout CSVScanner, cursor: inout SourceCursor, limit: Int
  ) throws -> [String] {
    let start = cursor.position(in: input.name)
    guard try findRecord(input, scanner: &scanner, cursor: &cursor, limit: limit) != nil else {
      throw ImportError.unreadable(start, reason: "the file is empty")
    }
    return scanner.fields.indices.map { "column_\($0 + 1)" }
  }

  /// The names that were given, if there are as many as the file has columns.
  static func columns(
    _ names: [String], given: [String]?, _ input: ByteInput
  ) throws -> [String] {
    guard let given else { return names }
    guard given.count == names.count else {
      throw ImportError.unreadable(
        SourcePosition(file: input.name, line: 1, column: 1),
        reason: "the file has \(names.count) columns, but \(given.count) names were given")
    }
    return given
  }

  /// - Parameters:
  ///   - checksNames: whether each column must have a name of its own.
  ///   - irregularity: receives the irregularities of the header row.
  static func readHeader(
    _ input: ByteInput, scanner: inout CSVScanner, cursor: inout SourceCursor, _ options: Options,
    checksNames: Bool, lineEnd: inout [UInt8], irregularity: inout Irregularity?
  ) throws -> [String] {
    let start = cursor.position(in: input.name)
    do {
      guard
        let length = try findRecord(
          input, scanner: &scanner, cursor: &cursor, limit: options.maximumRecordSize)
      else {
        throw ImportError.unreadable(
          start, reason: "the file is empty; expected a header row with the names of the columns")
      }
      var names: [String] = []
      if let fault = scanner.fault {
        throw malformed(at: fault.offset, input, cursor, reason: fault.reason)
      }
      for field in scanner.fields {
        // A name is shown and typed everywhere.
        let name = try text(of: field, input, cursor, isLenient: options.keepsIrregular).repaired
        let position = cursor.position(at: field.start, in: input)
        if !checksNames {
          names.append(name)
          continue
        }
        if name.isEmpty {
          throw ImportError.malformed(
            position, reason: "column \(names.count + 1) of the header row has no name")
        }
        if let first = names.firstIndex(of: name) {
          throw ImportError.malformed(
            position,
            reason: "the header row names '\(name)' twice, as columns \(first + 1) and "
              + "\(names.count + 1)")
        }
        names.append(name)
      }
      lineEnd = Self.lineEnd(of: input.window.slice(0..<length))
      irregularity = Self.irregularity(scanner, input, cursor)
      input.skip(length, cursor: &cursor)
      return names
    } catch ImportError.malformed(let position, let reason) {
      throw ImportError.unreadable(position, reason: reason)
    }
  }

  /// The record that the scanner has found in the window, filled up and marked if the options say so.
  ///
  /// - Throws: `ImportError.malformed`.
  func record() throws -> ImportRecord {
    if let fault = scanner.fault {
      throw Self.malformed(at: fault.offset, input, cursor, reason: fault.reason)
    }
    let count = scanner.fields.count
    if count != columns.count, !options.keepsIrregular {
      // The position of a surplus field is its beginning, that of a missing one the record's end.
      let offset = count > columns.count ? scanner.fields[columns.count].start : scanner.contentEnd
      let fields = CountText.counted(count, "field")
      throw Self.malformed(
        at: offset, input, cursor,
        reason:
          "the record has \(fields), but the \(hasHeader ? "header row" : "first record") has "
          + "\(columns.count)")
    }
    let bytes = input.window
    var place = cursor
    var offset = 0
    var fields: [ImportField] = []
    fields.reserveCapacity(count)
    for (index, field) in scanner.fields.enumerated() {
      place.advance(over: bytes.slice(offset..<field.start))
      offset = field.start
      fields.append(
        ImportField(
          name: index < columns.count ? columns[index] : surplusName(index),
          value: try value(of: field), line: place.line,
          column: place.column))
    }
    for name in columns.dropFirst(count) {
      fields.append(
        ImportField(name: name, value: .null, line: place.line, column: place.column))
    }
    var odd = Self.irregularity(scanner, input, cursor)
    if count != columns.count {
      odd = odd ?? Irregularity(place.position(in: input.name))
      odd?.reasons.insert(CountText.counted(count, "field"), at: 0)
    }
    let mark = odd?.field(named: irregularColumn)
    return ImportRecord(
      fields: fields + [mark].compactMap(\.self), position: cursor.position(in: input.name),
      irregularity: mark)
  }

  /// The irregularities of the quotes and bytes of the record in the window; nil if there are none. A reader
  /// that is not lenient has no such record.
  private static func irregularity(
    _ scanner: CSVScanner, _ input: ByteInput, _ cursor: SourceCursor
  ) -> Irregularity? {
    let fault = UTF8Text.firstFault(in: input.window.slice(0..<scanner.contentEnd))
    let offsets = scanner.oddities.map(\.offset) + [fault].compactMap(\.self)
    guard let offset = offsets.min() else { return nil }
    var odd = Irregularity(cursor.position(at: offset, in: input))
    for oddity in scanner.oddities { odd.add(oddity.kind.rawValue) }
    if fault != nil { odd.add(Irregularity.notUTF8) }
    return odd
  }

  /// The name of a field beyond those of the header row.
  func surplusName(_ index: Int) -> String {
    CSVHeader.freeName("column_\(index + 1)", beside: columns)
  }

  /// The value of a field of the record in the window.
  func value(of field: CSVScanner.Field) throws -> ImportValue {
    if !field.isQuoted, field.content.isEmpty, onlyEmptyIsMissing { return .null }
    let text = try Self.text(of: field, input, cursor, isLenient: options.keepsIrregular)
    let isMissing = !field.isQuoted && !onlyEmptyIsMissing && missing.contains(text)
    return isMissing ? .null : .text(text)
  }

  /// The text of a field of the record that the scanner has found in the window.
  private static func text(
    of field: CSVScanner.Field, _ input: ByteInput, _ cursor: SourceCursor, isLenient: Bool
  ) throws -> String {
    func decode(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
      isLenient ? String(stored: bytes) : UTF8Text.decode(bytes)
    }
    let bytes = input.window
    let content = bytes.slice(field.content)
    if field.isPlain {
      if let text = decode(content) { return text }
    } else if let text = unquoted(field, bytes).withUnsafeBufferPointer(decode) {
      return text
    }
    let fault = field.content.lowerBound + (UTF8Text.firstFault(in: content) ?? 0)
    throw malformed(at: fault, input, cursor, reason: UTF8Text.faultDescription(bytes[fault]))
  }

  /// The content of a field of the record in the window, without its quotes.
  func content(of field: CSVScanner.Field) -> [UInt8] {
    field.isPlain ? Array(input.window.slice(field.content)) : Self.unquoted(field, input.window)
  }

  /// The text between quotes, with each pair of quotes in it as one, and the text after them.
  private static func unquoted(
    _ field: CSVScanner.Field, _ window: UnsafeBufferPointer<UInt8>
  ) -> [UInt8] {
    let content = window.slice(field.content)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(content.count)
    var offset = 0
    while offset < content.count {
      bytes.append(content[offset])
      offset += field.hasDoubledQuotes && content[offset] == Byte.quote ? 2 : 1
    }
    if field.isQuoted { bytes += window.slice((field.content.upperBound + 1)..<field.end) }
    return bytes
  }

  private static func malformed(
    at offset: Int, _ input: ByteInput, _ cursor: SourceCursor, reason: String
  ) -> ImportError {
    .malformed(cursor.position(at: offset, in: input), reason: reason)
  }
}
