/// Reads records from a file of JSON texts (RFC 8259): an array of objects, a single object or
/// several one after another, or one object a line (JSON Lines). In a document, `Options.path` leads to
/// the array that is read, past everything else.
///
/// If there is an array in the place of an object, its elements are `column_1` and so on; any other value is
/// that of the column `value`. The members of an object of objects are records, too, whose names are in the
/// column `key`.
///
/// After a malformed object the reader continues: in JSON Lines with the next line, otherwise with the next
/// object, provided that the end of the faulty one can be determined.
package struct JSONReader: RecordReader {
  /// The arrangement of the objects in the file.
  package enum Layout: Sendable {
    /// One array of objects, or objects one after another.
    case document
    /// One object a line; blank lines are skipped.
    case lines
  }

  package struct Options: Hashable, Sendable {
    /// The largest object, in bytes, that is read; a larger one is a fault.
    package var maximumRecordSize = 64 * 1024 * 1024
    /// The names of the members that lead to the array to read; empty for the document itself.
    package var path: [String] = []
    /// Whether the members of nested objects are fields of their own: `name.common`.
    package var flattens = false
    /// The order of day and month in dates; nil to detect it from all values of a column.
    package var dates: DateOrder?
    /// Whether an irregular object is read as well as possible, and a further column, `irregular`, gives the
    /// reason: names that occur twice are columns of their own, and bytes that are not UTF-8 are kept
    /// (`String(stored:)`). Otherwise it is a fault.
    package var keepsIrregular = false
    /// The known mapping of members to columns; nil for a file that is read for the first time.
    var members: JSONMembers?
    /// The number of records to read at most; see `ReadingOptions.mostRecords`.
    var mostRecords: Int?

    package init() {}
  }

  /// The kind of a value in place of a record.
  enum Form: String {
    case object = "an object"
    case list = "a list"
    case value = "a value that is neither an object nor a list"
  }

  enum State {
    case atStart
    case inArray(isFirst: Bool)
    case afterElement
    case inSequence
    /// In an object of objects.
    case inMembers(isFirst: Bool)
    case afterMember
    /// The path has led to one object.
    case atObject
    case inLines
    case finished
  }

  package let input: ByteInput
  let options: Options
  var state = State.atStart
  var cursor = SourceCursor()
  /// The mapping of members to columns, as far as the file was read.
  var members: JSONMembers
  /// Records that were read so far.
  private var readCount = 0
  /// The state in which a record begins.
  private var recordState = State.atStart
  /// Whether the bytes of each record are kept until the next one.
  var keepsBytes = false
  /// The beginning of the last record, including its key in an object of objects.
  private(set) var place = 0
  /// The kind of the last record.
  var form: Form?
  /// The key of the last record in an object of objects.
  private(set) var key: String?
  /// The beginning of the value of the last record, and its bytes if they are kept.
  var last: (offset: Int, bytes: [UInt8]) = (0, [])

  /// - Throws: `ImportError.unreadable` if the file is UTF-16; `ImportError.inaccessible`.
  package init(
    _ input: ByteInput, layout: Layout = .document, options: Options = Options()
  ) throws {
    self.input = input
    self.options = options
    members = options.members ?? JSONMembers()
    try input.skipByteOrderMark()
    if layout == .lines { (state, recordState) = (.inLines, .inLines) }
  }

  package var bytesRead: Int { input.bytesRead }
  package var totalBytes: Int? { input.totalBytes }
  package var notes: [String] { input.notes }
  package var dateOrder: DateOrder? { options.dates }
  package var findings: [ReadingFinding] {
    [input.encodingFinding].compactMap(\.self)
      + (options.path.isEmpty
        ? [] : [ReadingFinding(.path, options.path.joined(separator: "."), because: nil)])
  }

  /// Continues with the record that begins at a place in the file, which this reader or another one has
  /// found.
  mutating func seek(to place: Int) throws {
    // The text around the records determines how they are separated.
    if case .atStart = state { try begin() }
    try input.seek(to: place)
    state = recordState
  }

  /// The kind of value at the window's first byte.
  enum Start {
    /// A value among others.
    case element
    /// A line with one value.
    case line
    /// The one value that the path has led to.
    case onlyElement
  }

  package mutating func next() throws -> ImportRecord? {
    guard let start = try findNext() else { return nil }
    return try read(start)
  }

  /// Goes to the next record, after the one that was read.
  ///
  /// - Returns: nil at the end of the file.
  mutating func findNext() throws -> Start? {
    if let most = options.mostRecords, readCount >= most { return nil }
    return try ending { reader in try reader.findStart() }
  }

  /// Reads the record that begins here.
  mutating func read(_ start: Start) throws -> ImportRecord {
    let record = try ending { reader in
      switch start {
      case .element: return try reader.element()
      case .line: return try reader.line()
      case .onlyElement:
        reader.state = .finished
        let record = try reader.element()
        reader.input.abandon()
        return record
      }
    }
    readCount += 1
    if key == nil { place = last.offset }
    return record
  }

  /// The column for the key of a record in an object of objects.
  var keyColumn: String { members.key ?? "key" }

  /// The text of the record that was read last, if its bytes are kept.
  func text(of record: ImportRecord) -> JSONObjectText? {
    let members = record.fields.dropFirst(key == nil ? 0 : 1)
    return JSONObjectText(last.bytes, columns: members.map(\.name))
  }

  /// Skips an object that a caller has read in the window.
  mutating func pass(length: Int) {
    readCount += 1
    form = .object
    place = input.offset
    input.skip(length, cursor: &cursor)
  }

  /// Ends the reading with an error, unless it concerns one record.
  private mutating func ending<Result>(
    _ body: (inout JSONReader) throws -> Result
  ) throws -> Result {
    do {
      return try body(&self)
    } catch let error as ImportError {
      if case .malformed = error { throw error }
      state = .finished
      input.abandon()
      throw error
    }
  }

  private mutating func findStart() throws -> Start? {
    while true {
      switch state {
      case .finished: return nil
      case .inLines:
        if try nextByte() != nil { return .line }
        state = .finished
      case .atStart: try begin()
      case .atObject: return .onlyElement
      case .inSequence:
        guard let byte = try nextByte() else {
          state = .finished
          return nil
        }
        guard JSONSyntax.beginsValue(byte) else {
          throw unreadable("an object or the end of the file", byte)
        }
        return .element
      case .inMembers(let isFirst):
        let byte = try nextByte()
        if byte == Byte.closeBrace, isFirst {
          try finishArray()
          return nil
        }
        place = input.offset
        key = try memberName()
        guard try nextByte() != nil else { throw unreadable("a value", nil) }
        state = .afterMember
        return .element
      case .afterMember:
        let byte = try nextByte()
        if byte == Byte.closeBrace {
          try finishArray()
          return nil
        }
        guard byte == Byte.comma else { throw unreadable("',' or '}'", byte) }
        input.skip(1, cursor: &cursor)
        state = .inMembers(isFirst: false)
      case .inArray(let isFirst):
        let byte = try nextByte()
        if byte == Byte.closeBracket, isFirst {
          try finishArray()
          return nil
        }
        guard let byte, byte != Byte.closeBracket, byte != Byte.comma else {
          throw unreadable(isFirst ? "an object or ']'" : "an object", byte)
        }
        state = .afterElement
        return .element
      case .afterElement:
        let byte = try nextByte()
        if byte == Byte.closeBracket {
          try finishArray()
          return nil
        }
        if byte == Byte.comma {
          input.skip(1, cursor: &cursor)
          state = .inArray(isFirst: false)
        } else if byte == Byte.openBrace {
          state = .inArray(isFirst: false)
          throw ImportError.malformed(
            cursor.position(in: input.name),
            reason: "expected ',' before the next object, which is read anyway")
        } else {
          throw unreadable("',' or ']'", byte)
        }
      }
    }
  }

  private mutating func begin() throws {
    for name in options.path { try enter(name) }
    let byte = try nextByte()
    if byte == Byte.openBracket {
      input.skip(1, cursor: &cursor)
      state = .inArray(isFirst: true)
      recordState = .inArray(isFirst: false)
    } else if byte == Byte.openBrace {
      if try isMap() {
        input.skip(1, cursor: &cursor)
        state = .inMembers(isFirst: true)
        recordState = .inMembers(isFirst: false)
        return
      }
      state = options.path.isEmpty ? .inSequence : .atObject
      recordState = state
    } else if options.path.isEmpty, let byte, JSONSyntax.beginsValue(byte) {
      (state, recordState) = (.inSequence, .inSequence)
    } else {
      throw unreadable("'[' or '{'", byte)
    }
  }

  private mutating func finishArray() throws {
    input.skip(1, cursor: &cursor)
    if !options.path.isEmpty {
      // The rest belongs to the objects around the array.
      state = .finished
      return input.abandon()
    }
    if let byte = try nextByte() { throw unreadable("the end of the file after the array", byte) }
    state = .finished
  }
}
