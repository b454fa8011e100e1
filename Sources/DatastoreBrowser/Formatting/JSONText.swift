import DatastoreCore

/// Reformats JSON: spread over lines for reading, or packed into one line. The order of keys and the spelling
/// of numbers and escapes are unchanged, since a browser shows what is stored.
struct JSONText {
  private let bytes: [UInt8]
  private let isPretty: Bool
  private var index = 0
  private var output: [UInt8] = []
  /// The deepest nesting that is reformatted; deeper JSON stays as it is.
  private static let deepest = 200

  private init(_ text: some StringProtocol, isPretty: Bool) {
    bytes = Array(text.utf8)
    self.isPretty = isPretty
    output.reserveCapacity(bytes.count)
  }

  /// Puts each member and element on a line of its own; nil unless the text is a JSON object or array.
  /// O(bytes).
  static func pretty(_ text: some StringProtocol) -> String? { format(text, isPretty: true) }

  /// Puts everything on one line, without blanks; nil unless the text is a JSON object or array. O(bytes).
  static func compact(_ text: some StringProtocol) -> String? { format(text, isPretty: false) }

  /// Whether a text begins like a JSON object or array. O(1) apart from leading blanks.
  static func mayBe(_ text: some StringProtocol) -> Bool {
    let first = text.utf8.first { $0 != 32 && $0 != 9 && $0 != 10 && $0 != 13 }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  private static func format(_ text: some StringProtocol, isPretty: Bool) -> String? {
    guard mayBe(text) else { return nil }
    var json = JSONText(text, isPretty: isPretty)
    guard json.consumeValue(depth: 0) else { return nil }
    json.skipBlanks()
    return json.index == json.bytes.count ? String(decoding: json.output, as: UTF8.self) : nil
  }

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func skipBlanks() {
    while let byte = next, byte == 32 || (9...10).contains(byte) || byte == 13 { index += 1 }
  }

  /// Consumes a byte if it comes next.
  private mutating func consume(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    output.append(bytes[index])
    index += 1
    return true
  }

  private mutating func breakLine(_ depth: Int) {
    guard isPretty else { return }
    output.append(10)
    output.append(contentsOf: repeatElement(32, count: 2 * depth))
  }

  private mutating func consumeValue(depth: Int) -> Bool {
    guard depth <= Self.deepest else { return false }
    skipBlanks()
    switch next {
    case UInt8(ascii: "{"): return consumeMembers(of: "{", "}", depth)
    case UInt8(ascii: "["): return consumeMembers(of: "[", "]", depth)
    case UInt8(ascii: "\""): return consumeString()
    default: return consumeWord()
    }
  }

  private mutating func consumeMembers(
    of opening: Unicode.Scalar, _ closing: Unicode.Scalar, _ depth: Int
  ) -> Bool {
    guard consume(opening) else { return false }
    skipBlanks()
    if consume(closing) { return true }
    while true {
      breakLine(depth + 1)
      if opening == "{" {
        skipBlanks()
        guard consumeString() else { return false }
        skipBlanks()
        guard consume(":") else { return false }
        if isPretty { output.append(32) }
      }
      guard consumeValue(depth: depth + 1) else { return false }
      skipBlanks()
      if consume(",") { continue }
      breakLine(depth)
      return consume(closing)
    }
  }

  private mutating func consumeString() -> Bool {
    guard consume("\"") else { return false }
    while let byte = next {
      index += 1
      output.append(byte)
      switch byte {
      case UInt8(ascii: "\""): return true
      case UInt8(ascii: "\\"):
        guard let escaped = next else { return false }
        output.append(escaped)
        index += 1
      case 0..<32: return false
      default: continue
      }
    }
    return false
  }

  /// A number, `true`, `false` or `null`.
  private mutating func consumeWord() -> Bool {
    let start = index
    while let byte = next, byte.isPartOfJSONWord { index += 1 }
    let word = bytes[start..<index]
    output.append(contentsOf: word)
    let text = String(decoding: word, as: UTF8.self)
    return ["true", "false", "null"].contains(text) || (Double(text) != nil && text.first != "+")
  }
}
