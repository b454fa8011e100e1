import Foundation

/// Finds values in a JSON text (RFC 8259) without making a tree of it.
///
/// It reads no further than necessary, so it misses faults after the value. Of members with the same name the
/// first counts, as in SQLite.
struct JSONCursor {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var offset = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      offset += 1
    }
  }

  /// Skips a character and the blanks around it; returns false if it does not come next.
  private mutating func consume(_ sign: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard next == UInt8(ascii: sign) else { return false }
    offset += 1
    skipBlanks()
    return true
  }

  /// Skips a string; returns its bytes between the quotes, or nil if none comes next.
  private mutating func string() -> Range<Int>? {
    guard next == UInt8(ascii: "\"") else { return nil }
    offset += 1
    let start = offset
    while let byte = next {
      if byte == UInt8(ascii: "\"") {
        offset += 1
        return start..<(offset - 1)
      }
      offset += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    return nil
  }

  /// Skips a value of any kind; returns its bytes, or nil if it is not complete.
  private mutating func skipValue() -> Range<Int>? {
    let start = offset
    var depth = 0
    repeat {
      switch next {
      case nil: return nil
      case UInt8(ascii: "\""): if string() == nil { return nil }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        offset += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        offset += 1
      case let byte?:
        // Punctuation and blanks between values; a word or number as a whole.
        offset += 1
        if byte.isPartOfJSONWord {
          while let byte = next, byte.isPartOfJSONWord { offset += 1 }
        } else if depth == 0 {
          return nil
        }
      }
    } while depth > 0
    return depth < 0 ? nil : start..<offset
  }

  /// Visits the members or elements of the next object or array, until a visit returns false.
  ///
  /// - Parameter visit: receives the bytes of the name, nil in an array; the cursor is at the value, and
  ///   stays there when it returns false.
  /// - Returns: whether all were visited; nil for values of other kinds, and if the text is not JSON.
  private mutating func visit(_ visit: (inout Self, Range<Int>?) -> Bool) -> Bool? {
    skipBlanks()
    let isObject = next == UInt8(ascii: "{")
    guard consume(isObject ? "{" : "[") else { return nil }
    let closer: Unicode.Scalar = isObject ? "}" : "]"
    if consume(closer) { return true }
    repeat {
      var name: Range<Int>?
      if isObject {
        name = string()
        guard name != nil, consume(":") else { return nil }
      }
      let place = offset
      guard visit(&self, name) else {
        offset = place
        return false
      }
      if offset == place, skipValue() == nil { return nil }
    } while consume(",")
    return consume(closer) ? true : nil
  }

  /// Moves to a member by its name or to an element by its index; returns false if there is none.
  mutating func enter(_ step: Value) -> Bool {
    switch step {
    case .text(var wanted):
      return wanted.withUTF8 { wanted in
        visit { cursor, name in
          guard let name else { return true }
          return !cursor.isName(name, wanted)
        } == false
      }
    case .integer(let wanted):
      var number: Int64 = -1
      return visit { _, name in
        number += 1
        return name != nil || number != wanted
      } == false
    default: return false
    }
  }

  private func isName(_ name: Range<Int>, _ wanted: UnsafeBufferPointer<UInt8>) -> Bool {
    let written = bytes[name]
    if !written.contains(UInt8(ascii: "\\")) { return written.elementsEqual(wanted) }
    return text(in: name).utf8.elementsEqual(wanted)
  }

  /// The next value: the text of an object or an array, 1 and 0 for `true` and `false`; NULL if the text is
  /// not JSON.
  mutating func value() -> Value {
    skipBlanks()
    if next == UInt8(ascii: "\"") { return string().map { .text(text(in: $0)) } ?? .null }
    guard let range = skipValue() else { return .null }
    let written = String(decoding: bytes[range], as: UTF8.self)
    switch bytes[range.lowerBound] {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return .text(written)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      if let integer = Int64(written) { return .integer(integer) }
      return Double(written).map { Value.real($0).withoutNaN } ?? .null
    default:
      return written == "true" ? .integer(1) : written == "false" ? .integer(0) : .null
    }
  }

  /// The names and values of the members of the next object, in their order; nil if it is not an object.
  mutating func members() -> [(name: String, value: Value)]? {
    skipBlanks()
    guard next == UInt8(ascii: "{") else { return nil }
    var members: [(String, Value)] = []
    let isWhole = visit { cursor, name in
      guard let name else { return true }
      members.append((cursor.text(in: name), cursor.value()))
      return true
    }
    return isWhole == true ? members : nil
  }

  /// The elements of the next array; nil if it is not an array.
  mutating func elements() -> [Value]? {
    skipBlanks()
    guard next == UInt8(ascii: "[") else { return nil }
    var elements: [Value] = []
    let isWhole = visit { cursor, _ in
      elements.append(cursor.value())
      return true
    }
    return isWhole == true ? elements : nil
  }

  /// The unescaped text of a string; half of a surrogate pair is U+FFFD.
  private func text(in range: Range<Int>) -> String {
    let written = bytes[range]
    let text = String(decoding: written, as: UTF8.self)
    return written.contains(UInt8(ascii: "\\")) ? Self.unescaped(Array(text.utf16)) : text
  }

  private static func unescaped(_ written: [UInt16]) -> String {
    var units: [UInt16] = []
    units.reserveCapacity(written.count)
    var index = 0
    while index < written.count {
      let unit = written[index]
      index += 1
      guard unit == UInt16(UInt8(ascii: "\\")), index < written.count else {
        units.append(unit)
        continue
      }
      let letter = written[index]
      index += 1
      switch UInt8(truncatingIfNeeded: letter) {
      case UInt8(ascii: "n"): units.append(10)
      case UInt8(ascii: "t"): units.append(9)
      case UInt8(ascii: "r"): units.append(13)
      case UInt8(ascii: "b"): units.append(8)
      case UInt8(ascii: "f"): units.append(12)
      case UInt8(ascii: "u"):
        let digits = String(decoding: written[index...].prefix(4), as: UTF16.self)
        units.append(digits.utf8.count == 4 ? UInt16(digits, radix: 16) ?? 0xFFFD : 0xFFFD)
        index = min(index + 4, written.count)
      default: units.append(letter)
      }
    }
    return String(decoding: units, as: UTF16.self)
  }
}

extension Value {
  /// The value at a place in this JSON text: steps are names of members and indices of elements. NULL if
  /// nothing is there, or the text is not JSON. O(bytes before it).
  package func json(at steps: some Collection<Value>) -> Value {
    withJSON { cursor in
      for step in steps where !cursor.enter(step) { return .null }
      return cursor.value()
    } ?? .null
  }

  /// The members, if this text is a JSON object; nil for other values. O(bytes).
  package var jsonMembers: [(name: String, value: Value)]? { withJSON { $0.members() } ?? nil }

  /// The elements, if this text is a JSON array; nil for other values. O(bytes).
  package var jsonElements: [Value]? { withJSON { $0.elements() } ?? nil }

  private func withJSON<Result>(_ body: (inout JSONCursor) -> Result) -> Result? {
    switch self {
    case .text(var text):
      return text.withUTF8 { bytes in
        var cursor = JSONCursor(bytes)
        return body(&cursor)
      }
    case .blob(let data):
      return data.withUnsafeBytes { bytes in
        bytes.withMemoryRebound(to: UInt8.self) { bytes in
          var cursor = JSONCursor(bytes)
          return body(&cursor)
        }
      }
    case .null, .integer, .real: return nil
    }
  }
}

extension Sequence<Value> {
  /// The names of the members of the JSON objects among the values, each once, in the order of their first
  /// appearance.
  package var jsonMemberNames: [String] {
    var known: Set<String> = []
    return flatMap { $0.jsonMembers ?? [] }.map(\.name).filter { known.insert($0).inserted }
  }
}

extension UInt8 {
  /// Whether the byte may be part of a number, or of `true`, `false` and `null`.
  package var isPartOfJSONWord: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "E"):
      true
    default: false
    }
  }
}
