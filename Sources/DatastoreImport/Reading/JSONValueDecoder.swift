/// Decodes one JSON value (RFC 8259) from bytes that hold nothing else but white space.
///
/// Numbers that `Int64` holds are integers, exactly. The members of an object keep their order; a name that
/// occurs twice is a fault, since section 4 leaves its meaning open. So are an unpaired surrogate and bytes
/// that are not UTF-8 in a string. A lenient decoder keeps both members, replaces the surrogate by U+FFFD,
/// and keeps the bytes (`String(stored:)`).
struct JSONValueDecoder {
  let bytes: UnsafeBufferPointer<UInt8>
  var offset = 0
  /// The irregularities that a lenient decoder has found instead of faults, the first of each kind.
  private(set) var oddities: [JSONFault] = []
  private let isLenient: Bool
  private var depth = 0
  private var cursor: SourceCursor
  private var cursorOffset = 0

  /// - Parameters:
  ///   - bytes: The text of the value.
  ///   - start: The place of its first byte in the file.
  init(_ bytes: UnsafeBufferPointer<UInt8>, start: SourceCursor, isLenient: Bool = false) {
    self.bytes = bytes
    self.isLenient = isLenient
    cursor = start
  }

  /// Decodes the value. Linear in the number of bytes.
  mutating func decode() throws(JSONFault) -> ImportValue {
    skipWhitespace()
    let value = try value()
    skipWhitespace()
    if offset < bytes.count { throw expected("the end of the record") }
    return value
  }

  private mutating func value() throws(JSONFault) -> ImportValue {
    guard offset < bytes.count else { throw expected("a value") }
    switch bytes[offset] {
    case Byte.openBrace: return .record(try nested(Self.object))
    case Byte.openBracket: return .list(try nested(Self.array))
    case Byte.quote: return .text(try string())
    case Byte.minus: return try writtenNumber()
    case let byte where Byte.isDigit(byte): return try writtenNumber()
    case UInt8(ascii: "t"): return try literal("true", .boolean(true))
    case UInt8(ascii: "f"): return try literal("false", .boolean(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    default: throw expected("a value")
    }
  }

  /// A number, inside of lists and objects with its text if the value does not say it.
  private mutating func writtenNumber() throws(JSONFault) -> ImportValue {
    let start = offset
    let value = try number()
    if case .integer = value { return value }
    guard depth > 0 else { return value }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    return value.json == text ? value : .number(text, value)
  }

  private mutating func nested<Result>(
    _ decode: (inout Self) throws(JSONFault) -> Result
  ) throws(JSONFault) -> Result {
    guard depth < JSONSyntax.maximumDepth else {
      throw JSONFault(
        offset: offset,
        reason: "arrays and objects are nested more than \(JSONSyntax.maximumDepth) deep")
    }
    depth += 1
    defer { depth -= 1 }
    return try decode(&self)
  }

  private static func array(_ decoder: inout Self) throws(JSONFault) -> [ImportValue] {
    var elements: [ImportValue] = []
    decoder.offset += 1
    decoder.skipWhitespace()
    if decoder.skip(Byte.closeBracket) { return elements }
    while true {
      elements.append(try decoder.value())
      decoder.skipWhitespace()
      if decoder.skip(Byte.closeBracket) { return elements }
      guard decoder.skip(Byte.comma) else { throw decoder.expected("',' or ']'") }
      decoder.skipWhitespace()
    }
  }

  private static func object(_ decoder: inout Self) throws(JSONFault) -> [ImportField] {
    var fields: [ImportField] = []
    var names: Set<String>?
    decoder.offset += 1
    decoder.skipWhitespace()
    if decoder.skip(Byte.closeBrace) { return fields }
    while true {
      let start = decoder.offset
      guard start < decoder.bytes.count, decoder.bytes[start] == Byte.quote else {
        throw decoder.expected(
          fields.isEmpty ? "a member name in quotes or '}'" : "a member name in quotes")
      }
      let place = decoder.place(of: start)
      let name = try decoder.string()
      if !isNew(name, among: fields, &names),
        // For a lenient reader names that differ only in their composition are two.
        !decoder.isLenient || fields.contains(where: { $0.name.utf8.elementsEqual(name.utf8) })
      {
        try decoder.record(
          JSONSyntax.repeatedName,
          else: JSONFault(offset: start, reason: "the object has two members named '\(name)'"))
      }
      decoder.skipWhitespace()
      guard decoder.skip(Byte.colon) else { throw decoder.expected("':'") }
      decoder.skipWhitespace()
      let value = try decoder.value()
      fields.append(
        ImportField(name: name, value: value, line: place.line, column: place.column))
      decoder.skipWhitespace()
      if decoder.skip(Byte.closeBrace) { return fields }
      guard decoder.skip(Byte.comma) else { throw decoder.expected("',' or '}'") }
      decoder.skipWhitespace()
    }
  }

  /// Records an irregularity.
  ///
  /// - Throws: the fault, unless the decoder is lenient.
  mutating func record(_ reason: String, else fault: JSONFault) throws(JSONFault) {
    if !isLenient { throw fault }
    if oddities.contains(where: { $0.reason == reason }) { return }
    oddities.append(JSONFault(offset: fault.offset, reason: reason))
  }

  /// Whether no field has the name. A set pays off only in large objects, for which it keeps this linear.
  private static func isNew(
    _ name: String, among fields: [ImportField], _ names: inout Set<String>?
  ) -> Bool {
    if fields.count < 24 { return !fields.contains { $0.name == name } }
    if names == nil { names = Set(fields.map(\.name)) }
    return names?.insert(name).inserted == true
  }

  private mutating func literal(
    _ text: StaticString, _ value: ImportValue
  ) throws(JSONFault) -> ImportValue {
    let letters = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    for (index, letter) in letters.enumerated() {
      guard offset + index < bytes.count, bytes[offset + index] == letter else {
        throw expected("'\(text)'")
      }
    }
    offset += letters.count
    return value
  }

  mutating func skipWhitespace() {
    while offset < bytes.count, Byte.isWhitespace(bytes[offset]) { offset += 1 }
  }

  private mutating func skip(_ byte: UInt8) -> Bool {
    guard offset < bytes.count, bytes[offset] == byte else { return false }
    offset += 1
    return true
  }

  /// The fault that something else is at the current offset.
  func expected(_ expectation: String) -> JSONFault {
    let found = offset < bytes.count ? bytes[offset] : nil
    return JSONFault(
      offset: offset, reason: JSONSyntax.expected(expectation, found: found))
  }

  /// The position of a byte; offsets must not decrease from call to call, which keeps decoding linear.
  private mutating func place(of offset: Int) -> SourceCursor {
    cursor.advance(over: bytes.slice(cursorOffset..<offset))
    cursorOffset = offset
    return cursor
  }
}
