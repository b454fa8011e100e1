import DatastoreCore
import Gates

/// The text of one record of a JSON file, with the positions of its members: those of an object, the elements
/// of a list, or the single value.
struct JSONObjectText {
  struct Member {
    let column: String
    /// The beginning of its name, with the quotes.
    let start: Int
    let nameEnd: Int
    let value: Range<Int>
  }

  let bytes: [UInt8]
  private(set) var members: [Member] = []
  /// The beginning and the end of the object.
  private(set) var range = 0..<0
  /// Whether it is an object, to which members can be added.
  var isObject: Bool { bytes[range.lowerBound] == Byte.openBrace }

  /// Linear in the number of bytes.
  ///
  /// - Parameters:
  ///   - bytes: an object that could be decoded, with white space around it.
  ///   - columns: the names of its members as columns.
  init?(_ bytes: [UInt8], columns: [String]) {
    self.bytes = bytes
    var offset = Self.afterWhitespace(bytes, 0)
    let start = offset
    guard offset < bytes.count else { return nil }
    let isList = bytes[offset] == Byte.openBracket
    guard isList || bytes[offset] == Byte.openBrace else {
      guard let end = Self.end(of: bytes, start), let column = columns.first else { return nil }
      range = start..<end
      members = [Member(column: column, start: start, nameEnd: start, value: range)]
      return
    }
    offset = Self.afterWhitespace(bytes, offset + 1)
    while offset < bytes.count, bytes[offset] != (isList ? Byte.closeBracket : Byte.closeBrace) {
      if bytes[offset] == Byte.comma { offset = Self.afterWhitespace(bytes, offset + 1) }
      let nameStart = offset
      guard members.count < columns.count,
        let nameEnd = isList ? nameStart : Self.end(of: bytes, offset)
      else { return nil }
      // After the colon.
      let valueStart =
        isList ? nameStart : Self.afterWhitespace(bytes, Self.afterWhitespace(bytes, nameEnd) + 1)
      guard let valueEnd = Self.end(of: bytes, valueStart) else { return nil }
      members.append(
        Member(
          column: columns[members.count], start: nameStart, nameEnd: nameEnd,
          value: valueStart..<valueEnd))
      offset = Self.afterWhitespace(bytes, valueEnd)
    }
    guard offset < bytes.count else { return nil }
    range = start..<(offset + 1)
  }

  func member(of column: String) -> Member? { members.first { $0.column == column } }

  /// The value of a part of it.
  func value(_ range: Range<Int>) -> ImportValue? { Self.decode(bytes, range) }

  /// Adds the text of a member to those of a row.
  func append(_ column: String, to texts: inout RowTexts) {
    guard let range = member(of: column)?.value else { return texts.append(.value) }
    if bytes[range.lowerBound] == Byte.quote, case .text(var text)? = value(range) {
      text.withStoredUTF8 { texts.append(.text, $0) }
    } else if bytes[range].elementsEqual("null".utf8) {
      texts.append(.value)
    } else {
      texts.append(.literal, Self.compact(bytes[range]))
    }
  }

  /// A value without the white space around its parts.
  static func compact(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var (isText, isEscaped) = (false, false)
    return bytes.filter { byte in
      if isText {
        isText = isEscaped || byte != Byte.quote
        isEscaped = !isEscaped && byte == Byte.backslash
        return true
      }
      isText = byte == Byte.quote
      return !Byte.isWhitespace(byte)
    }
  }

  private static func decode(_ bytes: [UInt8], _ range: Range<Int>) -> ImportValue? {
    bytes[range].withUnsafeBufferPointer { bytes in
      var decoder = JSONValueDecoder(bytes, start: SourceCursor(), isLenient: true)
      return try? decoder.decode()
    }
  }

  private static func end(of bytes: [UInt8], _ start: Int) -> Int? {
    guard start < bytes.count else { return nil }
    return bytes[start...].withUnsafeBufferPointer { bytes -> Int? in
      var scanner = JSONElementScanner()
      guard case .complete(let length) = scanner.scan(bytes, isAtEnd: true) else { return nil }
      return start + length
    }
  }

  private static func afterWhitespace(_ bytes: [UInt8], _ start: Int) -> Int {
    var offset = start
    while offset < bytes.count, Byte.isWhitespace(bytes[offset]) { offset += 1 }
    return offset
  }
}
