import Basics
package import DatastoreCore

/// Rewrites a JSON file with the current values of its rows, in the form of the file: an array of objects, or
/// objects one after another, one a line or not.
///
/// The file is copied, except for the values, members and objects that differ from the rows: unchanged text
/// is copied byte for byte, whatever its numbers, escapes and white space look like, and so is the text
/// around the array. The number of an object among those that could be read identifies its row, as in a CSV
/// file.
package struct JSONRewriter: FileRewriter {
  package private(set) var changes = RewriteChanges()
  package let isUncertain = false

  private var reader: JSONReader
  private let source: LoadSource
  private let columns: [(name: String, slot: Slot, attribute: AttributeDescription)]
  /// The members of the whole file; nil until one is needed that has not occurred so far.
  private var allMembers: JSONMembers?
  private var rows: JSONRowValues
  private var style: JSONStyle
  private var keys: RewrittenKeys
  private var copy: FileCopy
  /// The object that comes next, if it was read already.
  private var pending: Record?
  private var isAtEnd = false
  /// The beginning of the first object, and the end of the last one that was read.
  private var firstStart: Int?
  private var lastEnd = 0
  /// The end in the file of the last object that the new file contains; nil as long as it has none.
  private var keptEnd: Int?
  /// Whether the new file begins with objects that the old file lacks.
  private var hasNewFirst = false
  /// The text between two objects; nil until two were seen.
  private var gap: Range<Int>?
  private let isLines: Bool
  /// Whether the path of the file has led to one object.
  private var isAlone = false

  /// An object of the file and its place.
  private struct Record {
    let key: RowKey
    /// Its values, by slot.
    let values: [Slot: Value]
    let object: JSONObjectText
    /// The beginning of its bytes.
    let start: Int
    /// The end of the object before it.
    let formerEnd: Int

    var range: Range<Int> { (start + object.range.lowerBound)..<(start + object.range.upperBound) }
  }

  init(
    _ source: LoadSource, entity: Entity, memory: RewriteMemory = RewriteMemory(),
    descriptor: Int32, write: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    guard var reader = try source.makeVerbatimReader() as? JSONReader else {
      throw RewriteRefusal(description: "it has become another file")
    }
    if case .inLines = reader.state { isLines = true } else { isLines = false }
    reader.keepsBytes = true
    self.source = source
    self.reader = reader
    columns = entity.slots.compactMap { slot in
      guard let attribute = entity.properties[slot].attribute, !attribute.isReadOnly else {
        return nil
      }
      return (attribute.name, slot, attribute)
    }
    rows = JSONRowValues(of: entity, reader, source, dateOrders: memory.dateOrders)
    style = JSONStyle(reader.valueReading)
    keys = RewrittenKeys(memory)
    copy = FileCopy(descriptor: descriptor, write: write)
  }

  package mutating func write(key: RowKey, _ value: (Slot) -> Value) throws {
    keys.record(key)
    while let record = try next(), record.key <= key {
      pending = nil
      if record.key == key { return try update(record, value) }
      try countDeletion()
    }
    try insert(value)
  }

  package mutating func finish() throws -> RewriteMemory {
    while try next() != nil {
      pending = nil
      try countDeletion()
    }
    try copyToEnd()
    try copy.copy(to: .max)
    var memory = try keys.finish(rows.conversion.dateOrders)
    memory.members = reader.members
    return memory
  }

  private mutating func countDeletion() throws {
    if reader.key != nil { throw Self.isMap }
    changes.deleted += 1
  }

  private static let isMap = RewriteRefusal(
    description:
      "its rows are the members of one object, whose names stay as they are; export the rows instead"
  )

  /// The next object that is a row; nil at the end. An object that could not be turned into a row stays
  /// unchanged.
  private mutating func next() throws -> Record? {
    if let pending { return pending }
    while !isAtEnd {
      let record: ImportRecord
      do {
        guard let read = try reader.next() else {
          isAtEnd = true
          break
        }
        record = read
      } catch ImportError.malformed(let position, _) {
        throw RewriteRefusal(
          description:
            "line \(position.line) could not be read, so that it would be lost")
      }
      if !reader.options.path.isEmpty, case .finished = reader.state { isAlone = true }
      let start = reader.last.offset
      guard let object = reader.text(of: record) else {
        trap("the decoder has returned a value")
      }
      if object.isObject { style.observe(object) }
      let formerEnd = lastEnd
      let range = (start + object.range.lowerBound)..<(start + object.range.upperBound)
      if firstStart == nil {
        firstStart = range.lowerBound
      } else {
        gap = formerEnd..<range.lowerBound
      }
      lastEnd = range.upperBound
      do {
        let values = try rows.values(of: record)
        pending = Record(
          key: try keys.take(), values: values, object: object, start: start,
          formerEnd: formerEnd)
        return pending
      } catch is ConversionFault {
        try keep(range, after: formerEnd)
      }
    }
    return nil
  }

  /// The name in the file of a column's member; nil for the column that describes irregular records.
  private mutating func memberName(_ column: String) throws -> String? {
    // A strict reader renames no columns.
    if !reader.options.keepsIrregular { return column }
    if let name = reader.members.name(of: column) { return name }
    if allMembers == nil {
      // It comes later in the file.
      guard var reader = try source.makeReader() as? JSONReader else { return nil }
      while true {
        do {
          if try reader.next() == nil { break }
        } catch ImportError.malformed {}
      }
      allMembers = reader.members
    }
    return allMembers?.name(of: column)
  }

  /// Copies everything up to an object, without removed objects before it.
  private mutating func keep(_ range: Range<Int>, after formerEnd: Int) throws {
    if let keptEnd {
      try copy.replace(keptEnd..<formerEnd, by: [])
    } else {
      let start = firstStart ?? range.lowerBound
      try copy.replace(start..<range.lowerBound, by: hasNewFirst ? separator() : [])
    }
    keptEnd = range.upperBound
  }

  private mutating func update(_ record: Record, _ value: (Slot) -> Value) throws {
    try keep(record.range, after: record.formerEnd)
    var isChanged = false
    var added: [UInt8] = []
    var count = record.object.members.count
    // In the order of the object, since the file is copied along.
    for member in record.object.members {
      guard let (slot, attribute) = rows.slots[member.column] else { continue }
      let new = value(slot)
      if record.values[slot] ?? .null == new { continue }
      isChanged = true
      let text = style.text(new, attribute, like: member.value, in: record.object)
      let start = record.start + member.value.lowerBound
      try copy.replace(start..<(record.start + member.value.upperBound), by: text)
    }
    for (column, slot, attribute) in columns where record.object.member(of: column) == nil {
      let new = value(slot)
      if record.values[slot] ?? .null == new { continue }
      if reader.key != nil, column == reader.keyColumn { throw Self.isMap }
      guard !new.isNull, let name = try memberName(column) else { continue }
      guard record.object.isObject else {
        throw RewriteRefusal(
          description: "a row that is not an object has no place for “\(column.shownInMessage)”; "
            + "export the rows instead")
      }
      isChanged = true
      added += style.addition(name, new, attribute, to: record.object, isFirst: count == 0)
      count += 1
    }
    if !added.isEmpty {
      // After the last member, or the brace.
      let end =
        record.start
        + (record.object.members.last?.value.upperBound ?? record.object.range.lowerBound + 1)
      try copy.replace(end..<end, by: added)
    }
    if isChanged { changes.changed += 1 }
  }

  /// Inserts a new object before the next one.
  private mutating func insert(_ value: (Slot) -> Value) throws {
    if reader.key != nil { throw Self.isMap }
    if isAlone {
      throw RewriteRefusal(
        description: "there is one object at its path, and no list; export the rows instead")
    }
    guard style.isKnown, let firstStart else {
      throw RewriteRefusal(
        description: "it has no object that shows how others are written; export the rows instead")
    }
    let object = style.object(
      try columns.compactMap { column in
        guard let name = try memberName(column.name) else { return nil }
        return (column.name, name, value(column.slot), column.attribute)
      })
    try copy.copy(to: keptEnd ?? firstStart)
    try copy.append((keptEnd != nil || hasNewFirst ? separator() : []) + object)
    if keptEnd == nil { hasNewFirst = true }
    changes.inserted += 1
  }

  /// Copies everything up to the end of the last object that was read, without removed objects.
  private mutating func copyToEnd() throws {
    guard let start = keptEnd ?? firstStart else { return }
    try copy.replace(start..<lastEnd, by: [])
  }

  /// The text between two objects: as between others, otherwise as before the first one.
  private func separator() throws -> [UInt8] {
    if let gap { return try copy.bytes(gap) }
    guard !isLines, let first = firstStart else { return [Byte.lineFeed] }
    let before = try copy.bytes(max(0, first - 256)..<first)
    let space = before.suffix(
      before.count - (before.lastIndex { !Byte.isWhitespace($0) }.map { $0 + 1 } ?? 0))
    let isInArray = before.dropLast(space.count).last == Byte.openBracket
    if isInArray { return [Byte.comma] + (space.isEmpty ? [UInt8(ascii: " ")] : Array(space)) }
    return [Byte.lineFeed]
  }
}
