import DatastoreCore

extension JSONValueDecoder {
  /// Decodes the string that begins at the current offset (RFC 8259, section 7).
  mutating func string() throws(JSONFault) -> String {
    let start = offset + 1
    offset = start
    while offset < bytes.count {
      switch bytes[offset] {
      case Byte.quote:
        let content = bytes.slice(start..<offset)
        guard let text = UTF8Text.decode(content) else {
          try record(Irregularity.notUTF8, else: notUTF8(content, at: start))
          offset += 1
          return String(stored: content)
        }
        offset += 1
        return text
      case Byte.backslash:
        return try escapedString(from: start)
      case 0..<0x20:
        throw controlCharacter()
      default:
        offset += 1
      }
    }
    throw JSONFault(offset: start - 1, reason: "the quote that opens this string is never closed")
  }

  /// Continues from the first backslash of a string, whose content begins at `start`.
  private mutating func escapedString(from start: Int) throws(JSONFault) -> String {
    var content = Array(bytes[start..<offset])
    var isRawUTF8 = UTF8Text.firstFault(in: bytes.slice(start..<offset)) == nil
    while offset < bytes.count {
      let byte = bytes[offset]
      switch byte {
      case Byte.quote:
        guard isRawUTF8, let text = content.withUnsafeBufferPointer(UTF8Text.decode) else {
          try record(Irregularity.notUTF8, else: notUTF8(bytes.slice(start..<offset), at: start))
          offset += 1
          return content.withUnsafeBufferPointer { String(stored: $0) }
        }
        offset += 1
        return text
      case Byte.backslash:
        try appendEscape(to: &content)
      case 0..<0x20:
        throw controlCharacter()
      default:
        let runStart = offset
        while offset < bytes.count, bytes[offset] >= 0x20, bytes[offset] != Byte.quote,
          bytes[offset] != Byte.backslash
        {
          offset += 1
        }
        let run = bytes.slice(runStart..<offset)
        // Checked run by run: halves of a character around an escape must not become a whole.
        isRawUTF8 = isRawUTF8 && UTF8Text.firstFault(in: run) == nil
        content.append(contentsOf: run)
      }
    }
    throw JSONFault(offset: start - 1, reason: "the quote that opens this string is never closed")
  }

  private mutating func appendEscape(to content: inout [UInt8]) throws(JSONFault) {
    guard offset + 1 < bytes.count else {
      throw JSONFault(offset: offset, reason: "the text ends inside an escape")
    }
    switch bytes[offset + 1] {
    case Byte.quote: content.append(Byte.quote)
    case Byte.backslash: content.append(Byte.backslash)
    case Byte.slash: content.append(Byte.slash)
    case UInt8(ascii: "b"): content.append(0x08)
    case UInt8(ascii: "f"): content.append(0x0C)
    case UInt8(ascii: "n"): content.append(Byte.lineFeed)
    case UInt8(ascii: "r"): content.append(Byte.carriageReturn)
    case UInt8(ascii: "t"): content.append(Byte.tab)
    case UInt8(ascii: "u"):
      content.append(contentsOf: Character(try unicodeEscape()).utf8)
      return
    default:
      throw JSONFault(
        offset: offset, reason: "a backslash must be followed by one of \" \\ / b f n r t u")
    }
    offset += 2
  }

  /// Decodes `\uXXXX`, or two of them that are a surrogate pair.
  private mutating func unicodeEscape() throws(JSONFault) -> Unicode.Scalar {
    let start = offset
    let first = try codeUnit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    let isLead = (0xD800..<0xDC00).contains(first)
    if isLead, offset + 1 < bytes.count, bytes[offset] == Byte.backslash,
      bytes[offset + 1] == UInt8(ascii: "u")
    {
      let second = try codeUnit()
      let value = 0x10000 + (first & 0x3FF) << 10 + (second & 0x3FF)
      if (0xDC00..<0xE000).contains(second), let scalar = Unicode.Scalar(value) { return scalar }
    }
    try record(
      "half of a surrogate pair",
      else: JSONFault(
        offset: start, reason: "the escape is half of a surrogate pair, which is not a character"))
    // The following escape is not a part of it.
    offset = start + 6
    return "\u{FFFD}"
  }

  private mutating func codeUnit() throws(JSONFault) -> UInt32 {
    let start = offset
    var unit: UInt32 = 0
    for index in (start + 2)..<(start + 6) {
      guard index < bytes.count, let digit = Hexadecimal.digit(bytes[index]) else {
        throw JSONFault(offset: start, reason: "expected four hexadecimal digits after '\\u'")
      }
      unit = unit << 4 | UInt32(digit)
    }
    offset = start + 6
    return unit
  }

  private func controlCharacter() -> JSONFault {
    let reason =
      Byte.isLineEnd(bytes[offset])
      ? "a line ends inside a string; close the string with a quote, or write \\n"
      : "a string contains \(Byte.description(bytes[offset])), which must be written as an escape"
    return JSONFault(offset: offset, reason: reason)
  }

  private func notUTF8(_ content: UnsafeBufferPointer<UInt8>, at start: Int) -> JSONFault {
    let fault = start + (UTF8Text.firstFault(in: content) ?? 0)
    return JSONFault(offset: fault, reason: UTF8Text.faultDescription(bytes[fault]))
  }
}
