/// Arrays inside of objects, and objects inside of records.
extension JSONReader {
  /// Enters the object that begins here, up to the value of the member of that name.
  ///
  /// - Throws: `ImportError.unreadable` if there is no object or no such member.
  mutating func enter(_ name: String) throws {
    let start = try nextByte()
    guard start == Byte.openBrace else {
      throw unreadable("an object with the member “\(name.shownInMessage)”", start)
    }
    let place = cursor.position(in: input.name)
    input.skip(1, cursor: &cursor)
    var names: [String] = []
    while let byte = try nextByte(), byte != Byte.closeBrace {
      let member = try memberName()
      if member == name { return }
      if names.count < 20 { names.append("“\(member.shownInMessage)”") }
      try skipValue()
      let next = try nextByte()
      if next == Byte.comma {
        input.skip(1, cursor: &cursor)
      } else if next != Byte.closeBrace {
        throw unreadable("',' or '}'", next)
      }
    }
    throw ImportError.unreadable(
      place,
      reason: "the object here has no member “\(name.shownInMessage)”; it has "
        + (names.isEmpty ? "none" : names.joined(separator: ", ")))
  }

  /// Whether the object that begins here contains only objects, at least two, as far as the beginning of the
  /// file shows.
  mutating func isMap() throws -> Bool {
    try input.fill(atLeast: ByteInput.defaultChunkSize)
    let bytes = input.window
    var offset = 1
    var count = 0
    func skipSpace() {
      while offset < bytes.count, Byte.isWhitespace(bytes[offset]) { offset += 1 }
    }
    /// Skips a value; false if its end is not among the bytes.
    func skipValue() -> Bool {
      var scanner = JSONElementScanner()
      let rest = bytes.slice(min(offset, bytes.count)..<bytes.count)
      guard case .complete(let length) = scanner.scan(rest, isAtEnd: input.isAtEnd) else {
        return false
      }
      offset += length
      return true
    }
    while true {
      skipSpace()
      guard offset < bytes.count else { return count > 1 }
      if bytes[offset] == Byte.closeBrace {
        offset += 1
        skipSpace()
        // Other objects may follow, each of which is a record then.
        return count > 1 && (offset == bytes.count || !options.path.isEmpty)
      }
      if count > 0 {
        guard bytes[offset] == Byte.comma else { return false }
        offset += 1
        skipSpace()
      }
      guard skipValue() else { return count > 1 }
      skipSpace()
      guard offset < bytes.count else { return count > 1 }
      offset += 1
      skipSpace()
      guard offset < bytes.count else { return count > 1 }
      guard bytes[offset] == Byte.openBrace else { return false }
      // A value longer than the examined bytes is one more.
      guard skipValue() else { return count > 0 }
      count += 1
    }
  }

  /// Reads the name of a member with the colon after it.
  mutating func memberName() throws -> String {
    var scanner = JSONElementScanner()
    while true {
      switch scanner.scan(input.window, isAtEnd: input.isAtEnd) {
      case .needsMoreBytes: _ = try input.fill()
      case .endless(let fault):
        throw ImportError.unreadable(cursor.position(in: input.name), reason: fault.reason)
      case .complete(let length):
        var decoder = JSONValueDecoder(input.window.slice(0..<length), start: cursor)
        guard case .text(let name) = try? decoder.decode() else {
          throw unreadable("the name of a member", input.window.first)
        }
        input.skip(length, cursor: &cursor)
        let colon = try nextByte()
        guard colon == Byte.colon else { throw unreadable("':'", colon) }
        input.skip(1, cursor: &cursor)
        return name
      }
    }
  }

  /// Skips a value of any size without keeping any of it.
  private mutating func skipValue() throws {
    guard try nextByte() != nil else { throw unreadable("a value", nil) }
    var depth = 0
    var isInString = false
    var isEscaped = false
    while true {
      for (offset, byte) in input.window.enumerated() {
        if isInString {
          if isEscaped {
            isEscaped = false
          } else if byte == Byte.backslash {
            isEscaped = true
          } else if byte == Byte.quote {
            isInString = false
            if depth == 0 { return input.skip(offset + 1, cursor: &cursor) }
          }
          continue
        }
        switch byte {
        case Byte.quote: isInString = true
        case Byte.openBrace, Byte.openBracket: depth += 1
        case Byte.closeBrace, Byte.closeBracket:
          if depth == 0 { return input.skip(offset, cursor: &cursor) }
          depth -= 1
          if depth == 0 { return input.skip(offset + 1, cursor: &cursor) }
        case Byte.comma where depth == 0: return input.skip(offset, cursor: &cursor)
        case _ where depth == 0 && Byte.isWhitespace(byte):
          return input.skip(offset, cursor: &cursor)
        default: break
        }
      }
      input.skip(input.window.count, cursor: &cursor)
      if try !input.fill() { throw unreadable("the end of a value", nil) }
    }
  }

  /// The fields of a record with those of nested objects, under both names with a point between. An object
  /// without members has none.
  ///
  /// - Throws: `ImportError.malformed` if that gives two fields one name, unless it is lenient.
  static func flattened(
    _ fields: [ImportField], of position: SourcePosition, isLenient: Bool
  ) throws -> [ImportField] {
    var flat: [ImportField] = []
    var names: Set<String> = []
    func add(_ field: ImportField, in prefix: String) throws {
      let name = prefix + field.name
      if case .record(let members) = field.value {
        for member in members { try add(member, in: name + ".") }
        return
      }
      guard isLenient || names.insert(name).inserted else {
        throw ImportError.malformed(
          SourcePosition(file: position.file, line: field.line, column: field.column),
          reason: "two members become the column “\(name.shownInMessage)”")
      }
      flat.append(
        ImportField(name: name, value: field.value.asField, line: field.line, column: field.column))
    }
    for field in fields { try add(field, in: "") }
    return flat
  }
}

extension ImportRecord {
  /// The paths of the members that are lists of objects, of a record at a path.
  func arrays(at path: [String]) -> [String] {
    fields.filter { field in
      if case .list(let members) = field.value, case .record? = members.first { return true }
      return false
    }.map { (path + [$0.name]).joined(separator: ".") }
  }

  /// A report about a file that is, at a path, this one object: which of its members is a list of others.
  func listSentence(at path: [String]) -> String? {
    for field in fields {
      guard case .list(let members) = field.value, case .record? = members.first else { continue }
      let place = path.joined(separator: ".")
      let whole = path.isEmpty ? "the file" : "“\(place.shownInMessage)”"
      let list = path.isEmpty ? field.name : "\(place).\(field.name)"
      return "\(whole) is one object, whose “\(field.name.shownInMessage)” is a list of "
        + "\(members.count); --path \(list.shownInMessage) reads these"
    }
    return nil
  }
}
