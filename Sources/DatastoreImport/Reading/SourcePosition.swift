/// A place in a text file, as editors count: the first line is 1, the first column is 1.
///
/// Lines end with LF, CRLF or CR. Columns are counted in Unicode scalars, a leading byte order mark
/// not included.
package struct SourcePosition: Hashable, Sendable, CustomStringConvertible {
  /// The file as the user named it.
  package let file: String
  package let line: Int
  package let column: Int

  package var description: String { "\(file), line \(line), column \(column)" }
}

/// Counts lines and columns while a reader moves over the bytes of a file.
struct SourceCursor {
  private(set) var line = 1
  private(set) var column = 1
  /// A CR that ends a slice and an LF that begins the next are one line end.
  private var isAfterCarriageReturn = false

  /// Moves over `bytes`, which follow directly on those of the call before. Linear in their number.
  mutating func advance(over bytes: UnsafeBufferPointer<UInt8>) {
    if !isAfterCarriageReturn {
      // Most slices lie within a line. This loop has no branches, so the compiler vectorises it.
      var scalars = 0
      var lineEnds = 0
      for byte in bytes {
        scalars &+= byte & 0xC0 != 0x80 ? 1 : 0
        lineEnds &+= byte == Byte.lineFeed || byte == Byte.carriageReturn ? 1 : 0
      }
      if lineEnds == 0 {
        column += scalars
        return
      }
    }
    for byte in bytes {
      switch byte {
      case Byte.lineFeed:
        if !isAfterCarriageReturn { line += 1 }
        column = 1
        isAfterCarriageReturn = false
      case Byte.carriageReturn:
        line += 1
        column = 1
        isAfterCarriageReturn = true
      default:
        // Every scalar has exactly one byte that is not a continuation byte (10xxxxxx).
        if byte & 0xC0 != 0x80 { column += 1 }
        isAfterCarriageReturn = false
      }
    }
  }

  /// Moves over a whole line with its end, from any place in it.
  mutating func advanceLine() {
    line += 1
    column = 1
    isAfterCarriageReturn = false
  }

  func position(in file: String) -> SourcePosition {
    SourcePosition(file: file, line: line, column: column)
  }

  /// The position of a byte of the window, which begins here. Linear in its offset.
  func position(at offset: Int, in input: ByteInput) -> SourcePosition {
    var place = self
    place.advance(over: input.window.slice(0..<offset))
    return place.position(in: input.name)
  }
}

extension ByteInput {
  /// Consumes the first bytes of the window and moves the cursor over them.
  func skip(_ count: Int, cursor: inout SourceCursor) {
    cursor.advance(over: window.slice(0..<count))
    consume(count)
  }

  /// Consumes everything up to the beginning of the next line, however far that is.
  ///
  /// - Throws: `ImportError.inaccessible`.
  func skipLine(cursor: inout SourceCursor) throws {
    while true {
      if let lineEnd = window.firstIndex(where: Byte.isLineEnd) {
        if window[lineEnd] == Byte.carriageReturn, lineEnd + 1 == window.count { _ = try fill() }
        let isPair =
          window[lineEnd] == Byte.carriageReturn && lineEnd + 1 < window.count
          && window[lineEnd + 1] == Byte.lineFeed
        skip(lineEnd + (isPair ? 2 : 1), cursor: &cursor)
        return
      }
      skip(window.count, cursor: &cursor)
      if try !fill() { return }
    }
  }
}
