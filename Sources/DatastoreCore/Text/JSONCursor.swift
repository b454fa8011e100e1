import Foundation

/// Finds values in a JSON text (RFC 8259) without making a tree of it.
///
/// It reads no further than it has to, so that a fault behind what is looked for goes unseen. Of members that
/// have the same name the first counts, as in SQLite.
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

  /// Goes behind a sign and the blanks around it; false where it does not come next.
  private mutating func consume(_ sign: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard next == UInt8(ascii: sign) else { return false }
    offset += 1
    skipBlanks()
    return true
  }

  /// Goes behind a string; its bytes between the quotes, nil where none comes next.
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

  /// Goes behind a value of any kind; its bytes, nil where it has no end.
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
        // Signs and blanks between values; of a word or number all of it.
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

  /// Visits what the next object or array has, until a visit wants no more.
  ///
  /// - Parameter visit: is given the bytes of the name, nil in an array; the cursor is at the value, and
  ///   stays there when it answers false.
  /// - Returns: whether all were visited; nil for values of other kinds, and where the text is not JSON.
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

  /// Goes to a member by its name or to an element by its number; false where there is none.
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

  /// The next value: what an object or an array is written as, 1 and 0 for `true` and `false`; NULL where the
  /// text is not JSON.
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

  /// The names and values of the members of the next object, in their order; nil for what is none.
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

  /// The elements of the next array; nil for what is none.
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

  /// What a string says; half of a surrogate pair is U+FFFD.
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
  /// The value at a place in the JSON text that this one is: steps are names of members and numbers of
  /// elements. NULL where nothing is there, or the text is not JSON. O(bytes before it).
  package func json(at steps: some Collection<Value>) -> Value {
    withJSON { cursor in
      for step in steps where !cursor.enter(step) { return .null }
      return cursor.value()
    } ?? .null
  }

  /// The members of the JSON object that this text is; nil for other values. O(bytes).
  package var jsonMembers: [(name: String, value: Value)]? { withJSON { $0.members() } ?? nil }

  /// The elements of the JSON array that this text is; nil for other values. O(bytes).
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
  /// The names of the members of the JSON objects among them, each once, in the order in which they are met.
  package var jsonMemberNames: [String] {
    var known: Set<String> = []
    return flatMap { $0.jsonMembers ?? [] }.map(\.name).filter { known.insert($0).inserted }
  }
}

extension UInt8 {
  /// Whether it may be in a number, or in `true`, `false` and `null`.
  package var isPartOfJSONWord: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "E"):
      true
    default: false
    }
  }
}
