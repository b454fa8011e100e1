import Basics
import DatastoreCore

/// The form of the objects of a JSON file, learned from them.
struct JSONStyle {
  private let values: FieldText
  /// An object with members, which is the pattern for new ones.
  private var pattern: JSONObjectText?
  /// Whether there are characters that are not ASCII, and escapes of such characters.
  private var hasOthers = false
  private var hasEscapes = false

  init(_ reading: ValueReading) {
    values = FieldText(reading: reading)
  }

  /// Whether an object was seen that can be the pattern for others.
  var isKnown: Bool { pattern != nil }

  /// Learns from an object.
  mutating func observe(_ object: JSONObjectText) {
    // The fullest of the first ones shows the order best.
    if object.members.count > pattern?.members.count ?? 0 { pattern = object }
    if !hasOthers { hasOthers = object.bytes.contains { $0 >= 0x80 } }
    if !hasEscapes {
      hasEscapes = zip(object.bytes, object.bytes.dropFirst()).contains {
        $0 == (Byte.backslash, UInt8(ascii: "u"))
      }
    }
  }

  /// A new object.
  ///
  /// - Parameter columns: its values in the order of the columns; those that the pattern lacks are left out
  ///   when they are NULL.
  func object(
    _ columns: [(column: String, name: String, value: Value, attribute: AttributeDescription)]
  ) -> [UInt8] {
    guard let pattern, let first = pattern.members.first, let last = pattern.members.last else {
      trap("an object with members was seen before")
    }
    let places = Dictionary(
      pattern.members.enumerated().map { ($1.column, $0) }, uniquingKeysWith: { first, _ in first })
    let members = columns.filter { places[$0.column] != nil || !$0.value.isNull }
      .enumerated().sorted {
        (places[$0.element.column] ?? .max, $0.offset)
          < (places[$1.element.column] ?? .max, $1.offset)
      }.map(\.element)
    var text = Array(pattern.bytes[pattern.range.lowerBound..<first.start])
    for (index, member) in members.enumerated() {
      if index > 0 { text += separator(in: pattern) }
      let form =
        member.attribute.type.isDate ? places[member.column].map { pattern.members[$0].value } : nil
      text += self.member(member.name, member.value, member.attribute, like: pattern, form)
    }
    return text + pattern.bytes[last.value.upperBound..<pattern.range.upperBound]
  }

  /// A member that an object lacks, preceded by a comma if necessary.
  func addition(
    _ name: String, _ value: Value, _ attribute: AttributeDescription, to object: JSONObjectText,
    isFirst: Bool
  ) -> [UInt8] {
    (isFirst ? [] : separator(in: object))
      + member(name, value, attribute, like: object.members.isEmpty ? pattern ?? object : object)
  }

  /// The text between two members.
  private func separator(in object: JSONObjectText) -> [UInt8] {
    if object.members.count > 1 {
      return Array(object.bytes[object.members[0].value.upperBound..<object.members[1].start])
    }
    guard let first = object.members.first else { return Array(", ".utf8) }
    let space = object.bytes[(object.range.lowerBound + 1)..<first.start]
    return [Byte.comma] + (space.isEmpty ? [UInt8(ascii: " ")] : Array(space))
  }

  private func member(
    _ name: String, _ value: Value, _ attribute: AttributeDescription, like object: JSONObjectText,
    _ former: Range<Int>? = nil
  ) -> [UInt8] {
    let colon =
      object.members.first.map { Array(object.bytes[$0.nameEnd..<$0.value.lowerBound]) }
      ?? Array(": ".utf8)
    return string(name) + colon + text(value, attribute, like: former, in: object)
  }

  /// A value.
  ///
  /// - Parameter former: the range of the value that it replaces in the object; nil for a new member.
  func text(
    _ value: Value, _ attribute: AttributeDescription, like former: Range<Int>?,
    in object: JSONObjectText
  ) -> [UInt8] {
    let old = former.flatMap { object.value($0) }
    var isText = false
    var oldText: String?
    if let former, object.bytes[former.lowerBound] == Byte.quote, case .text(let text)? = old {
      (isText, oldText) = (true, text)
    }
    guard let text = values.text(value, attribute, like: oldText) else { return Array("null".utf8) }
    let bytes = Array(text.utf8)
    if isText { return string(text) }
    switch (value, old) {
    // Lists and objects are shown as their text.
    case (.text, .list), (.text, .record):
      return Self.isStructure(bytes) ? bytes : string(text)
    case (.text, .integer), (.text, .real), (.text, .boolean):
      return Self.isPlain(bytes) ? bytes : string(text)
    case (.text, _) where attribute.type != .decimal, (.blob, _): return string(text)
    case (_, .boolean) where attribute.type == .undefined && ["0", "1"].contains(text):
      return Array((text == "1" ? "true" : "false").utf8)
    default: return Self.isPlain(bytes) ? bytes : string(text)
    }
  }

  /// Whether it is a number, `true` or `false`.
  private static func isPlain(_ bytes: [UInt8]) -> Bool {
    guard bytes.first != Byte.quote else { return false }
    switch decoded(bytes) {
    case .integer?, .real?, .boolean?, .text?: return true
    default: return false
    }
  }

  private static func isStructure(_ bytes: [UInt8]) -> Bool {
    switch decoded(bytes) {
    case .list?, .record?: true
    default: false
    }
  }

  private static func decoded(_ bytes: [UInt8]) -> ImportValue? {
    bytes.withUnsafeBufferPointer { bytes in
      var decoder = JSONValueDecoder(bytes, start: SourceCursor())
      return try? decoder.decode()
    }
  }

  /// A text in quotes (RFC 8259, section 7). If the file escapes characters that are not ASCII, so does this.
  private func string(_ text: String) -> [UInt8] {
    let escapesOthers = hasEscapes && !hasOthers
    var bytes: [UInt8] = [Byte.quote]
    for scalar in text.unicodeScalars {
      let isControl = scalar.value < 0x20 || scalar.value == 0x7F
      let isOther = escapesOthers && !scalar.isASCII && scalar.foreignByte == nil
      if scalar == "\"" || scalar == "\\" || isControl || isOther {
        bytes += Quoting.jsonEscape(scalar).utf8
      } else {
        // A byte that is not UTF-8 is written as it was read.
        bytes += scalar.foreignByte.map { [$0] } ?? Array(UTF8.encode(scalar) ?? .init())
      }
    }
    return bytes + [Byte.quote]
  }
}
