import DatastoreCore
import Foundation

/// Reading fields in place in the window, without an object for a record.
extension CSVReader {
  /// Brings the next record with fields into the window; `scanner` locates the fields.
  ///
  /// - Returns: the length of the record; nil at the end of the file.
  /// - Throws: `ImportError`.
  mutating func findNext() throws -> Int? {
    if let most = options.mostRecords, foundCount >= most { return nil }
    while true {
      scanner.reset()
      let isFound = try Self.findRecord(
        input, scanner: &scanner, cursor: &cursor, limit: options.maximumRecordSize)
      guard let length = isFound else { return nil }
      guard scanner.isComment || isEmptyLine && columns.count > 1 else {
        foundCount += 1
        return length
      }
      input.skip(length, cursor: &cursor)
    }
  }

  private var isEmptyLine: Bool { scanner.fault == nil && scanner.contentEnd == 0 }

  /// The form of the record in the window.
  enum RecordForm {
    /// It has a field for each column, all in ASCII.
    case ascii
    /// It has a field for each column, and all of it is UTF-8.
    case utf8
    /// It needs `takeRecord(length:)`.
    case irregular
  }

  func form(length: Int) -> RecordForm {
    guard scanner.fault == nil, scanner.oddities.isEmpty, scanner.fields.count == columns.count
    else { return .irregular }
    let bytes = input.window.slice(0..<length)
    var union: UInt8 = 0
    for byte in bytes { union |= byte }
    if union < 0x80 { return .ascii }
    return UTF8Text.firstFault(in: bytes) == nil ? .utf8 : .irregular
  }

  /// Skips the record in the window.
  mutating func consumeRecord(length: Int) {
    if scanner.fault != nil || isInLines {
      input.skip(length, cursor: &cursor)
    } else {
      cursor.advanceLine()
      input.consume(length)
    }
  }

  /// Whether the record in the window may have several lines, which requires quotes.
  private var isInLines: Bool {
    guard scanner.fields.contains(where: \.isQuoted), let start = input.window.baseAddress else {
      return false
    }
    return memchr(start, Int32(Byte.lineFeed), scanner.contentEnd) != nil
      || memchr(start, Int32(Byte.carriageReturn), scanner.contentEnd) != nil
  }

  /// Takes the record out of the window.
  ///
  /// - Throws: `ImportError.malformed`.
  mutating func takeRecord(length: Int) throws -> ImportRecord {
    defer { input.skip(length, cursor: &cursor) }
    return try record()
  }

  /// Whether a field means a missing value.
  @inline(__always)
  func isMissing(_ field: CSVScanner.Field, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    if field.isQuoted { return false }
    if onlyEmptyIsMissing { return bytes.isEmpty }
    return bytes.count <= longestMissing && missing.contains(String(decoding: bytes, as: UTF8.self))
  }

  /// The beginning of a field of the record in the window. Linear in its offset.
  func position(of field: CSVScanner.Field) -> SourcePosition {
    cursor.position(at: field.start, in: input)
  }

  /// The line end with which a record ends; empty at the end of the file.
  static func lineEnd(of record: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    guard let last = record.last, Byte.isLineEnd(last) else { return [] }
    let isPair =
      last == Byte.lineFeed && record.dropLast().last == Byte.carriageReturn
    return isPair ? [Byte.carriageReturn, Byte.lineFeed] : [last]
  }
}
