/// Finds the fields of one CSV record in a window of bytes that may still lack the record's end.
///
/// The grammar is that of RFC 4180, section 2, with LF and CR as line ends beside CRLF, and with
/// any one-byte delimiter. All offsets count from the beginning of the record.
///
/// A lenient scanner has no faults. It reads text that the grammar does not allow like Python's `csv`: a
/// quote inside a field is an ordinary character, and text after a closing quote belongs to the field. It
/// differs in one point: a quote that opens a field over several lines, and is not closed before a delimiter,
/// a line end or the end of the file, was never meant to open one. It is therefore an ordinary character,
/// too, and the lines after it stay records.
struct CSVScanner {
  /// The bytes of a field between its delimiters, or between its quotes.
  struct Field {
    /// The beginning of the field; at the quote, if it has one.
    let start: Int
    let content: Range<Int>
    let isQuoted: Bool
    /// Whether the content has doubled quotes, each of which means one.
    let hasDoubledQuotes: Bool
    /// The end of the field: after its closing quote, or after the text that a lenient scanner finds there.
    let end: Int

    /// Whether its content is its text.
    var isPlain: Bool { !hasDoubledQuotes && !(isQuoted && end > content.upperBound + 1) }
  }

  struct Fault {
    let offset: Int
    let reason: String
  }

  /// An irregularity that a lenient scanner has found instead of a fault.
  struct Oddity: Hashable {
    enum Kind: String {
      case quoteInField = "a quote inside a field"
      case textAfterQuote = "text after a closing quote"
      case openQuote = "a quote that is not closed"
    }

    let kind: Kind
    let offset: Int
  }

  enum Outcome {
    /// The record ends in the window; the next one begins at `next`.
    case complete(next: Int)
    case needsMoreBytes
  }

  private enum State {
    case atFieldStart
    case inText
    case inQuotes
    /// After a quote inside quotes: it closes the field, or is the first of two.
    case afterQuote
    /// In the text after a closing quote.
    case afterContent
    /// After a fault: the rest of the line is skipped.
    case skipping
  }

  let delimiter: UInt8
  /// Whether quotes enclose fields; otherwise they are ordinary characters.
  let hasQuotes: Bool
  private let isLenient: Bool
  /// The byte that begins a comment line; nil if there is none.
  private let comment: UInt8?
  private(set) var fields: [Field] = []
  /// The fault of the record; nil if there is none.
  private(set) var fault: Fault?
  /// In their order. Of irregularities that affect only a field, the first of its kind.
  private(set) var oddities: [Oddity] = []
  /// The end of the record's last field, at the line end.
  private(set) var contentEnd = 0

  private var state = State.atFieldStart
  private var offset = 0
  private var fieldStart = 0
  private var contentLimit = 0
  private var hasDoubledQuotes = false

  init(
    delimiter: UInt8, hasQuotes: Bool = true, comment: UInt8? = nil, isLenient: Bool = false
  ) {
    self.delimiter = delimiter
    self.hasQuotes = hasQuotes
    self.comment = comment
    self.isLenient = isLenient
  }

  /// Whether the record is a comment line. It has no content.
  private(set) var isComment = false

  /// Whether the record is inside quotes, which may be why it does not end.
  var isInsideQuotes: Bool { state == .inQuotes }

  /// The beginning of the field that was being read.
  var openFieldStart: Int { fieldStart }

  /// Forgets the record, to begin with the next one.
  mutating func reset() {
    fields.removeAll(keepingCapacity: true)
    fault = nil
    if !oddities.isEmpty { oddities = [] }
    isComment = false
    contentEnd = 0
    state = .atFieldStart
    offset = 0
    fieldStart = 0
    hasDoubledQuotes = false
  }

  /// Continues from where the last call stopped. Linear in the new bytes, and in those after a quote that
  /// turns out to open nothing: they are scanned again, which no other such quote among them can repeat.
  ///
  /// - Parameters:
  ///   - bytes: The file from the record's beginning on.
  ///   - isAtEnd: Whether no bytes follow these in the file.
  mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>, isAtEnd: Bool) -> Outcome {
    while true {
      if let next = scanFields(of: bytes, isAtEnd: isAtEnd) { return next }
      guard isAtEnd else { return .needsMoreBytes }
      switch state {
      case .atFieldStart, .inText: appendText()
      case .afterQuote: appendQuoted(to: offset)
      case .afterContent: appendQuoted(to: offset)
      case .skipping: break
      case .inQuotes:
        if !takeQuoteLiterally() { return .needsMoreBytes }
        continue
      }
      contentEnd = isComment ? 0 : bytes.count
      return .complete(next: bytes.count)
    }
  }

  /// Reads the quote that opens the last field as an ordinary character; false if that is a fault.
  mutating func takeQuoteLiterally() -> Bool {
    guard isLenient else { return false }
    oddities.append(Oddity(kind: .openQuote, offset: fieldStart))
    offset = fieldStart + 1
    hasDoubledQuotes = false
    state = .inText
    return true
  }

  /// nil if the bytes end before the record does.
  private mutating func scanFields(
    of bytes: UnsafeBufferPointer<UInt8>, isAtEnd: Bool
  ) -> Outcome? {
    while offset < bytes.count {
      let byte = bytes[offset]
      switch state {
      case .atFieldStart where offset == 0 && byte == comment:
        isComment = true
        state = .skipping
      case .atFieldStart where byte == Byte.quote && hasQuotes:
        state = .inQuotes
        offset += 1
      case .atFieldStart, .inText:
        if byte == delimiter {
          appendText()
        } else if Byte.isLineEnd(byte) {
          if isCutAfterCarriageReturn(bytes, isAtEnd) { return .needsMoreBytes }
          appendText()
          return .complete(next: endOfLine(bytes))
        } else if byte == Byte.quote, hasQuotes, !isLenient {
          fail(
            "a quote is inside a field that does not begin with one; write the whole field "
              + "in quotes and double each quote in it")
        } else {
          if byte == Byte.quote, hasQuotes { record(.quoteInField) }
          state = .inText
          offset += 1
          skipText(bytes)
        }
      case .inQuotes:
        offset = bytes[offset...].firstIndex(of: Byte.quote) ?? bytes.count
        if offset < bytes.count {
          state = .afterQuote
          contentLimit = offset
          offset += 1
        }
      case .afterQuote:
        if byte == Byte.quote {
          hasDoubledQuotes = true
          state = .inQuotes
          offset += 1
        } else if byte == delimiter {
          appendQuoted(to: offset)
        } else if Byte.isLineEnd(byte) {
          if isCutAfterCarriageReturn(bytes, isAtEnd) { return .needsMoreBytes }
          appendQuoted(to: offset)
          return .complete(next: endOfLine(bytes))
        } else if !isLenient {
          fail(
            "expected \(Byte.description(delimiter)) or the end of the line after the closing "
              + "quote, but found \(Byte.description(byte))")
        } else if bytes[fieldStart..<contentLimit].contains(where: Byte.isLineEnd) {
          _ = takeQuoteLiterally()
        } else {
          record(.textAfterQuote)
          state = .afterContent
        }
      case .afterContent:
        if byte == delimiter {
          appendQuoted(to: offset)
        } else if Byte.isLineEnd(byte) {
          if isCutAfterCarriageReturn(bytes, isAtEnd) { return .needsMoreBytes }
          appendQuoted(to: offset)
          return .complete(next: endOfLine(bytes))
        } else {
          offset += 1
        }
      case .skipping:
        if Byte.isLineEnd(byte) {
          if isCutAfterCarriageReturn(bytes, isAtEnd) { return .needsMoreBytes }
          return .complete(next: endOfLine(bytes))
        }
        offset += 1
      }
    }
    return nil
  }

  /// Skips bytes that have no meaning outside quotes.
  private mutating func skipText(_ bytes: UnsafeBufferPointer<UInt8>) {
    let delimiter = delimiter
    let quote = hasQuotes ? Byte.quote : delimiter
    var index = offset
    while index < bytes.count {
      let byte = bytes[index]
      if byte == delimiter || byte == quote || Byte.isLineEnd(byte) { break }
      index += 1
    }
    offset = index
  }

  private func isCutAfterCarriageReturn(
    _ bytes: UnsafeBufferPointer<UInt8>, _ isAtEnd: Bool
  ) -> Bool {
    bytes[offset] == Byte.carriageReturn && offset + 1 == bytes.count && !isAtEnd
  }

  private mutating func endOfLine(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    // appendText and appendQuoted have passed the line end's first byte.
    let first = state == .skipping ? offset : offset - 1
    contentEnd = isComment ? 0 : first
    let isPair =
      bytes[first] == Byte.carriageReturn && first + 1 < bytes.count
      && bytes[first + 1] == Byte.lineFeed
    return first + (isPair ? 2 : 1)
  }

  private mutating func appendText() {
    fields.append(
      Field(
        start: fieldStart, content: fieldStart..<offset, isQuoted: false, hasDoubledQuotes: false,
        end: offset))
    beginField()
  }

  private mutating func appendQuoted(to end: Int) {
    fields.append(
      Field(
        start: fieldStart, content: (fieldStart + 1)..<contentLimit, isQuoted: true,
        hasDoubledQuotes: hasDoubledQuotes, end: end))
    beginField()
  }

  private mutating func beginField() {
    offset += 1
    fieldStart = offset
    hasDoubledQuotes = false
    state = .atFieldStart
  }

  private mutating func fail(_ reason: String) {
    fault = Fault(offset: offset, reason: reason)
    state = .skipping
  }

  private mutating func record(_ kind: Oddity.Kind) {
    if oddities.contains(where: { $0.kind == kind }) { return }
    oddities.append(Oddity(kind: kind, offset: offset))
  }
}
