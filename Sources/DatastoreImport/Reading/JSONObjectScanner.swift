import DatastoreCore

/// Finds the members of an object in a window of bytes, and reads those values that their bytes determine
/// directly.
///
/// It reads regular objects: with known members, each at most once, and without irregularities. All others
/// are left to `JSONValueDecoder`.
struct JSONObjectScanner {
  struct Member {
    /// Its index among the known members.
    let column: Int
    /// The beginning of its name, with the quote.
    let start: Int
    /// The range of its value, for a string without its quotes.
    let value: Range<Int>
    let form: Form
  }

  enum Form {
    /// A string without escapes.
    case text(isASCII: Bool)
    /// A number, `true` or `false`.
    case plain(PlainField)
    case null
    /// Anything else.
    case value(ImportValue)
  }

  /// The members of the object that was scanned last.
  private(set) var members: [Member] = []
  /// The bytes of the names between quotes; nil for those that are not searched for.
  private let names: [[UInt8]?]
  private let isLenient: Bool
  /// The number of scanned objects.
  private var count = 0
  /// The object in which each name occurred last, and the index of that member.
  private var met: [(object: Int, member: Int)]

  /// - Parameters:
  ///   - names: the names of the known members; nil for columns that are no members.
  ///   - isLenient: as for `JSONValueDecoder`.
  init(_ names: [String?], isLenient: Bool) {
    self.names = names.map { name in
      // Names with escapes are left to the decoder.
      name.map { Array($0.utf8) }.flatMap { bytes in
        bytes.contains { $0 < 0x20 || $0 == Byte.quote || $0 == Byte.backslash } ? nil : bytes
      }
    }
    self.isLenient = isLenient
    met = Array(repeating: (0, 0), count: names.count)
  }

  /// The member with a name in the object that was scanned last; nil if there is none.
  func member(_ column: Int) -> Member? {
    met[column].object == count ? members[met[column].member] : nil
  }

  /// Scans the object that begins with the first byte. Linear.
  ///
  /// - Parameters:
  ///   - isLine: whether it must be the whole line.
  ///   - isAtEnd: whether no bytes follow these in the file.
  /// - Returns: the length of the object, or of its line without the end; nil if it is not an object of that
  ///   kind, or does not end in the window.
  mutating func scan(
    _ bytes: UnsafeBufferPointer<UInt8>, isLine: Bool, isAtEnd: Bool
  ) -> Int? {
    members.removeAll(keepingCapacity: true)
    count += 1
    guard bytes.first == Byte.openBrace, var offset = scanMembers(bytes) else { return nil }
    guard isLine else { return offset }
    while offset < bytes.count, Byte.isWhitespace(bytes[offset]), !Byte.isLineEnd(bytes[offset]) {
      offset += 1
    }
    let isComplete = offset < bytes.count ? Byte.isLineEnd(bytes[offset]) : isAtEnd
    return isComplete ? offset : nil
  }

  /// - Returns: the end of the object.
  private mutating func scanMembers(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var offset = Self.afterSpace(bytes, 1)
    guard offset < bytes.count else { return nil }
    if bytes[offset] == Byte.closeBrace { return offset + 1 }
    var expected = 0
    while true {
      guard let (column, length) = name(bytes, offset, expected: expected) else { return nil }
      expected = column + 1
      let start = offset
      offset = Self.afterSpace(bytes, offset + length)
      guard offset < bytes.count, bytes[offset] == Byte.colon else { return nil }
      offset = Self.afterSpace(bytes, offset + 1)
      guard offset < bytes.count, let (form, value, end) = value(bytes, offset) else { return nil }
      met[column] = (count, members.count)
      members.append(Member(column: column, start: start, value: value, form: form))
      offset = Self.afterSpace(bytes, end)
      guard offset < bytes.count else { return nil }
      if bytes[offset] == Byte.closeBrace { return offset + 1 }
      guard bytes[offset] == Byte.comma else { return nil }
      offset = Self.afterSpace(bytes, offset + 1)
    }
  }

  /// The column whose name is here in quotes, and has not occurred in the object before.
  @inline(__always)
  private func name(
    _ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int, expected: Int
  ) -> (column: Int, length: Int)? {
    guard offset < bytes.count, bytes[offset] == Byte.quote else { return nil }
    // Most objects have their members in the same order.
    var column = expected
    for _ in names.indices {
      if column >= names.count { column = 0 }
      if let length = lengthOfName(column, bytes, offset) {
        return met[column].object == count ? nil : (column, length)
      }
      column += 1
    }
    return nil
  }

  @inline(__always)
  private func lengthOfName(
    _ column: Int, _ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int
  ) -> Int? {
    guard let name = names[column], offset + name.count + 1 < bytes.count,
      bytes[offset + name.count + 1] == Byte.quote
    else { return nil }
    for index in name.indices where bytes[offset + 1 + index] != name[index] { return nil }
    return name.count + 2
  }

  /// The value that begins here.
  @inline(__always)
  private func value(
    _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int
  ) -> (Form, Range<Int>, end: Int)? {
    switch bytes[start] {
    case Byte.quote:
      var end = start + 1
      var bits: UInt8 = 0
      while end < bytes.count, bytes[end] != Byte.quote, bytes[end] != Byte.backslash {
        if bytes[end] < 0x20 { return nil }
        bits |= bytes[end]
        end += 1
      }
      guard end < bytes.count else { return nil }
      if bytes[end] == Byte.backslash { return decoded(bytes, start) }
      let isASCII = bits < 0x80
      let content = (start + 1)..<end
      if !isASCII, UTF8Text.firstFault(in: bytes.slice(content)) != nil { return nil }
      return (.text(isASCII: isASCII), content, end + 1)
    case Byte.openBrace, Byte.openBracket: return decoded(bytes, start)
    case UInt8(ascii: "t"): return literal("true", .plain(.boolean(true)), bytes, start)
    case UInt8(ascii: "f"): return literal("false", .plain(.boolean(false)), bytes, start)
    case UInt8(ascii: "n"): return literal("null", .null, bytes, start)
    default:
      var end = start
      while end < bytes.count, Self.isOfNumber(bytes[end]) { end += 1 }
      guard let number = PlainField.number(bytes.slice(start..<end)) else {
        return decoded(bytes, start)
      }
      return (.plain(number), start..<end, end)
    }
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case Byte.zero...UInt8(ascii: "9"), Byte.minus, Byte.plus, Byte.point, UInt8(ascii: "e"),
      UInt8(ascii: "E"):
      true
    default: false
    }
  }

  private func literal(
    _ text: StaticString, _ form: Form, _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int
  ) -> (Form, Range<Int>, end: Int)? {
    let letters = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    let end = start + letters.count
    guard end <= bytes.count, bytes[start..<end].elementsEqual(letters) else { return nil }
    return (form, start..<end, end)
  }

  /// The value that begins here, if it is regular.
  private func decoded(
    _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int
  ) -> (Form, Range<Int>, end: Int)? {
    var scanner = JSONElementScanner()
    let rest = bytes.slice(start..<bytes.count)
    guard case .complete(let length) = scanner.scan(rest, isAtEnd: false) else { return nil }
    let range = start..<(start + length)
    var decoder = JSONValueDecoder(
      bytes.slice(range), start: SourceCursor(), isLenient: isLenient)
    guard let value = try? decoder.decode(), decoder.oddities.isEmpty else { return nil }
    return (.value(value), range, range.upperBound)
  }

  @inline(__always)
  private static func afterSpace(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int {
    var offset = start
    while offset < bytes.count, Byte.isWhitespace(bytes[offset]) { offset += 1 }
    return offset
  }
}
