extension JSONReader {
  /// Skips white space.
  ///
  /// - Returns: The byte after it, which is not consumed; nil at the end of the file.
  mutating func nextByte() throws -> UInt8? {
    while true {
      let window = input.window
      let count = window.firstIndex { !Byte.isWhitespace($0) } ?? window.count
      let byte = count < window.count ? window[count] : nil
      input.skip(count, cursor: &cursor)
      if let byte { return byte }
      if try !input.fill() { return nil }
    }
  }

  /// Reads the value that begins with the window's first byte.
  mutating func element() throws -> ImportRecord {
    var scanner = JSONElementScanner()
    while true {
      // Only up to the limit, so that it applies however many bytes the window has.
      let isTooLong = input.window.count > options.maximumRecordSize
      let bytes = input.window.slice(
        0..<min(input.window.count, options.maximumRecordSize + 1))
      switch scanner.scan(bytes, isAtEnd: input.isAtEnd && !isTooLong) {
      case .complete(let length):
        return try record(length: length)
      case .endless(let fault):
        throw ImportError.unreadable(
          cursor.position(at: fault.offset, in: input), reason: fault.reason)
      case .needsMoreBytes:
        if isTooLong {
          throw ImportError.unreadable(
            cursor.position(in: input.name),
            reason: "the object does not end within \(options.maximumRecordSize) bytes")
        }
        _ = try input.fill()
      }
    }
  }

  /// Reads the value that makes up the rest of the line.
  mutating func line() throws -> ImportRecord {
    var searched = 0
    while true {
      let window = input.window
      let lineEnd = window[searched...].firstIndex(where: Byte.isLineEnd)
      let length = lineEnd ?? window.count
      if length <= options.maximumRecordSize, lineEnd != nil || input.isAtEnd {
        // The line end itself is white space before the next record.
        return try record(length: length)
      }
      searched = length
      if length > options.maximumRecordSize {
        let start = cursor.position(in: input.name)
        try input.skipLine(cursor: &cursor)
        throw ImportError.malformed(
          start, reason: "the line is longer than \(options.maximumRecordSize) bytes")
      }
      _ = try input.fill()
    }
  }

  private mutating func record(length: Int) throws -> ImportRecord {
    defer { input.skip(length, cursor: &cursor) }
    last = (input.offset, keepsBytes ? Array(input.window.slice(0..<length)) : [])
    let start = cursor.position(in: input.name)
    var decoder = JSONValueDecoder(
      input.window.slice(0..<length), start: cursor, isLenient: options.keepsIrregular)
    let value: ImportValue
    do {
      value = try decoder.decode()
    } catch {
      throw ImportError.malformed(
        cursor.position(at: error.offset, in: input), reason: error.reason)
    }
    var fields = try fields(of: value, at: start)
    if options.flattens {
      fields = try Self.flattened(fields, of: start, isLenient: options.keepsIrregular)
    }
    guard options.keepsIrregular else {
      if key != nil, fields.contains(where: { $0.name == "key" }) {
        throw ImportError.malformed(
          start, reason: "it has a member “key”, which is the column of the names of the objects")
      }
      // A column needs a name.
      if fields.contains(where: \.name.isEmpty) { _ = members.name(&fields) }
      return ImportRecord(
        fields: keyField("key", start) + fields, position: start, irregularity: nil)
    }
    let keyField = key == nil ? [] : keyField(members.keyColumn(), start)
    let isRepeated = members.name(&fields)
    var mark: ImportField?
    if isRepeated || !decoder.oddities.isEmpty {
      var odd = Irregularity(
        decoder.oddities.first.map { cursor.position(at: $0.offset, in: input) } ?? start)
      for oddity in decoder.oddities { odd.add(oddity.reason) }
      if decoder.oddities.isEmpty { odd.add(JSONSyntax.repeatedName) }
      mark = odd.field(named: members.irregularColumn())
    }
    return ImportRecord(
      fields: keyField + fields + [mark].compactMap(\.self), position: start, irregularity: mark)
  }

  /// The fields of a value, which need not be an object.
  ///
  /// - Throws: `ImportError.malformed` if other records were something else, unless it is lenient.
  private mutating func fields(
    of value: ImportValue, at start: SourcePosition
  ) throws -> [ImportField] {
    func field(_ name: String, _ value: ImportValue) -> ImportField {
      ImportField(name: name, value: value, line: start.line, column: start.column)
    }
    let form: Form
    let fields: [ImportField]
    switch value {
    case .record(let members): (form, fields) = (.object, members)
    case .list(let values):
      form = .list
      fields =
        values.isEmpty
        ? [field("column_1", .null)]
        : values.enumerated().map { field("column_\($0 + 1)", $1) }
    default: (form, fields) = (.value, [field("value", value)])
    }
    if !options.keepsIrregular, form != self.form ?? form {
      throw ImportError.malformed(
        start,
        reason: "expected \(self.form?.rawValue ?? ""), but found \(value.kindDescription)")
    }
    self.form = form
    return fields.map { field in
      guard case .number(_, let value) = field.value else { return field }
      return ImportField(name: field.name, value: value, line: field.line, column: field.column)
    }
  }

  /// The key of a record in an object of objects.
  private func keyField(_ name: String, _ start: SourcePosition) -> [ImportField] {
    guard let key else { return [] }
    return [ImportField(name: name, value: .text(key), line: start.line, column: start.column)]
  }

  /// The fault that something else is at the window's first byte.
  func unreadable(_ expectation: String, _ found: UInt8?) -> ImportError {
    let reason =
      found == nil
      ? "expected \(expectation), but the file ends here"
      : JSONSyntax.expected(expectation, found: found)
    return .unreadable(cursor.position(in: input.name), reason: reason)
  }
}
