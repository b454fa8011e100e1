/// Lines at the start of a CSV file that begin with `#`: remarks of the program that wrote it.
///
/// A header row may begin like that, too. It has as many fields as the line after it, unlike a remark. If
/// there is just one column, a remark begins with `# ` or `##`.
enum CSVComments {
  private static let mark = UInt8(ascii: "#")
  /// A longer line is not written by a person.
  private static let longest = 64 * 1024

  /// Skips such lines.
  ///
  /// - Parameter delimiter: the byte between fields, if it is known.
  /// - Returns: the number of lines.
  /// - Throws: `ImportError.inaccessible`.
  static func skip(
    in input: ByteInput, cursor: inout SourceCursor, delimiter: UInt8?
  ) throws -> Int {
    var count = 0
    while true {
      try input.fill(atLeast: 1)
      guard input.window.first == mark, let first = try line(in: input, from: 0) else { break }
      guard let second = try line(in: input, from: first.end) else { break }
      let bytes = input.window
      let next = bytes.slice(second.content)
      if next.first != mark, isHeader(bytes.slice(first.content), before: next, delimiter) { break }
      input.skip(first.end, cursor: &cursor)
      count += 1
    }
    return count
  }

  /// Skips all lines at this place that begin with a byte.
  ///
  /// - Returns: the number of lines.
  /// - Throws: `ImportError.inaccessible`.
  static func skip(
    beginningWith byte: UInt8, in input: ByteInput, cursor: inout SourceCursor
  ) throws -> Int {
    var count = 0
    while true {
      try input.fill(atLeast: 1)
      guard input.window.first == byte else { return count }
      try input.skipLine(cursor: &cursor)
      count += 1
    }
  }

  /// Whether a line has as many fields as the next one, split by its most frequent delimiter.
  private static func isHeader(
    _ line: UnsafeBufferPointer<UInt8>, before next: UnsafeBufferPointer<UInt8>,
    _ delimiter: UInt8?
  ) -> Bool {
    let counts = (delimiter.map { [$0] } ?? CSVDelimiter.candidates).map { byte in
      (line: Self.count(byte, in: line), next: Self.count(byte, in: next))
    }
    guard let most = counts.max(by: { $0.next < $1.next }), most.next > 0 else {
      return !(line.dropFirst().first.map { [Byte.space, Byte.tab, mark].contains($0) } ?? true)
    }
    return most.line == most.next
  }

  /// The number of occurrences of a byte in a line, outside quotes.
  private static func count(_ byte: UInt8, in line: UnsafeBufferPointer<UInt8>) -> Int {
    var count = 0
    var isQuoted = false
    for other in line {
      if other == Byte.quote { isQuoted.toggle() }
      if other == byte, !isQuoted { count += 1 }
    }
    return count
  }

  /// A line of the window without its end, and the beginning of the next one; nil if there is none, or a very
  /// long one.
  private static func line(
    in input: ByteInput, from start: Int
  ) throws -> (content: Range<Int>, end: Int)? {
    while true {
      let bytes = input.window
      if let end = bytes.dropFirst(start).firstIndex(where: Byte.isLineEnd) {
        let isPair =
          bytes[end] == Byte.carriageReturn && end + 1 < bytes.count
          && bytes[end + 1] == Byte.lineFeed
        // The next byte shows whether a line feed follows.
        if bytes[end] == Byte.carriageReturn, end + 1 == bytes.count, try input.fill() { continue }
        return (start..<end, end + (isPair ? 2 : 1))
      }
      if bytes.count > longest { return nil }
      if try !input.fill() {
        return bytes.count > start ? (start..<bytes.count, bytes.count) : nil
      }
    }
  }
}
