/// Finds the end of one JSON value in a window of bytes that may still lack it, without decoding it.
///
/// All offsets count from the value's first byte.
struct JSONElementScanner {
  enum Outcome {
    /// The value has this many bytes.
    case complete(length: Int)
    case needsMoreBytes
    /// The value's end cannot be determined.
    case endless(JSONFault)
  }

  private var offset = 0
  /// The closing brackets that are due, the innermost last.
  private var closers: [UInt8] = []
  private var openOffsets: [Int] = []
  private var stringStart: Int?
  private var isEscaped = false

  /// Continues from where the last call stopped. Linear in the new bytes.
  ///
  /// - Parameters:
  ///   - bytes: The file from the value's first byte on.
  ///   - isAtEnd: Whether no bytes follow these in the file.
  mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>, isAtEnd: Bool) -> Outcome {
    while offset < bytes.count {
      let byte = bytes[offset]
      if let start = stringStart {
        if Byte.isLineEnd(byte) {
          return .endless(
            JSONFault(offset: start, reason: "the string is not closed before its line ends"))
        }
        if isEscaped {
          isEscaped = false
        } else if byte == Byte.backslash {
          isEscaped = true
        } else if byte == Byte.quote {
          stringStart = nil
          if closers.isEmpty { return .complete(length: offset + 1) }
        }
        offset += 1
        continue
      }
      switch byte {
      case Byte.quote where closers.isEmpty && offset > 0: return .complete(length: offset)
      case Byte.quote: stringStart = offset
      case Byte.openBrace, Byte.openBracket:
        if closers.isEmpty && offset > 0 { return .complete(length: offset) }
        closers.append(byte == Byte.openBrace ? Byte.closeBrace : Byte.closeBracket)
        openOffsets.append(offset)
      case Byte.closeBrace, Byte.closeBracket:
        guard let due = closers.popLast() else { return .complete(length: max(offset, 1)) }
        openOffsets.removeLast()
        if byte != due {
          let expectation = "',' or \(Byte.description(due))"
          return .endless(
            JSONFault(
              offset: offset, reason: JSONSyntax.expected(expectation, found: byte)))
        }
        if closers.isEmpty { return .complete(length: offset + 1) }
      case Byte.comma where closers.isEmpty: return .complete(length: max(offset, 1))
      case _ where closers.isEmpty && offset > 0 && Byte.isWhitespace(byte):
        return .complete(length: offset)
      default: break
      }
      offset += 1
    }
    guard isAtEnd else { return .needsMoreBytes }
    if let start = stringStart {
      return .endless(
        JSONFault(offset: start, reason: "the quote that opens this string is never closed"))
    }
    guard let open = openOffsets.last else { return .complete(length: offset) }
    return .endless(
      JSONFault(
        offset: open, reason: "the \(Byte.description(bytes[open])) here is never closed"))
  }
}
