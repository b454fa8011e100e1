package import DatastoreCore
import Foundation

/// Rewrites a CSV file with the current values of its rows, in the form of the file.
///
/// The file is copied, except for the fields, records and lines that differ from the rows: unchanged text is
/// copied byte for byte, whatever its quotes, numbers and line ends look like, and so are comments, empty
/// lines and records that could not be read. Nothing of the file has to be kept in memory: each record is
/// read as it was when the rows were made of it, and compared with its row.
///
/// The number of a record among those that could be read identifies its row: rows have been given the keys
/// from 1 on. When the file has been rewritten once, its records are the rows that existed then (`keys`).
package struct CSVRewriter: FileRewriter {
  package private(set) var changes = RewriteChanges()
  /// A written quote may close one that was never closed.
  package private(set) var isUncertain = false

  private var reader: CSVRowReader
  private let columns: [(slot: Slot, attribute: AttributeDescription, place: Int)]
  private let columnCount: Int
  private var style: CSVStyle
  private var page: RowPage
  /// The record that comes next, if it was read already.
  private var pending: Record?
  private var isAtEnd = false
  private var keys: RewrittenKeys
  private var copy: FileCopy

  /// A record of the file and its place.
  private struct Record {
    let key: RowKey
    /// Its values.
    let page: RowPage
    let start: Int
    let length: Int
  }

  /// - Parameters:
  ///   - source: the file, with the settings by which its rows were read.
  ///   - entity: the entity of the rows.
  ///   - memory: the result of the last rewrite.
  ///   - descriptor: the same file, opened; it stays open.
  ///   - write: receives the bytes of the new file.
  /// - Throws: `RewriteRefusal` for a file that cannot be written, `ImportError`.
  package init(
    _ source: LoadSource, entity: Entity, memory: RewriteMemory = RewriteMemory(),
    descriptor: Int32,
    write: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    keys = RewrittenKeys(memory)
    guard let csv = try source.makeVerbatimReader() as? CSVReader else {
      throw RewriteRefusal(description: "it has become another file")
    }
    columnCount = csv.columns.count
    isUncertain = csv.irregularHeader?.reasons.contains(Self.openQuote) ?? false
    style = CSVStyle(csv)
    reader = CSVRowReader(
      csv, of: source, as: entity, dateOrders: memory.dateOrders, marksIrregular: false)
    columns = reader.cells.columns.enumerated().compactMap { place, column in
      column.target.map { ($0.slot, $0.attribute, place) }
    }
    page = RowPage(columnCount: entity.slotCount, rowCapacity: 1)
    copy = FileCopy(descriptor: descriptor, write: write)
  }

  private static let openQuote = CSVScanner.Oddity.Kind.openQuote.rawValue

  /// Writes everything up to a row, and the row.
  ///
  /// - Parameters:
  ///   - key: greater than that of the row before.
  ///   - value: the value of an attribute.
  /// - Throws: the errors of reading and writing.
  package mutating func write(key: RowKey, _ value: (Slot) -> Value) throws {
    keys.record(key)
    while let record = try next(), record.key <= key {
      pending = nil
      if record.key == key { return try update(record, value) }
      try delete(record)
    }
    try insert(value)
  }

  /// Writes the rest of the file.
  ///
  /// - Returns: the memory for the next rewrite.
  /// - Throws: the errors of reading and writing.
  package mutating func finish() throws -> RewriteMemory {
    while let record = try next() {
      pending = nil
      try delete(record)
    }
    try copy.copy(to: .max)
    return try keys.finish(reader.cells.conversion.dateOrders)
  }

  /// The next record that is a row; nil at the end.
  private mutating func next() throws -> Record? {
    if let pending { return pending }
    while !isAtEnd {
      page.appendRow(key: 0)
      do {
        guard try reader.read(into: page, row: 0) else {
          page.removeLastRow()
          isAtEnd = true
          break
        }
        let full = page
        page = RowPage(sealing: full)
        pending = Record(
          key: try keys.take(), page: full, start: reader.offset, length: reader.length)
        style.observe(reader.fields, reader.bytes(reader.length))
        observeDates(full)
        if reader.oddities.contains(where: { $0.kind == .openQuote }) { isUncertain = true }
        return pending
      } catch is LoadFault {
        // Not a row: it stays unchanged.
        page.removeLastRow()
      }
    }
    return nil
  }

  /// Learns how columns write dates.
  private mutating func observeDates(_ page: RowPage) {
    let fields = reader.fields
    for (slot, attribute, place) in columns
    where attribute.type.isDate && place < fields.count && page.tag(row: 0, slot: slot) != .null {
      style.observe(date: reader.text(of: fields[place]), at: place)
    }
  }

  private func dateOrder(at place: Int) -> DateOrder? {
    reader.cells.conversion.dateOrders?[reader.cells.columns[place].name]
  }

  private mutating func delete(_ record: Record) throws {
    try copy.replace(record.start..<(record.start + record.length), by: [])
    changes.deleted += 1
  }

  private mutating func update(_ record: Record, _ value: (Slot) -> Value) throws {
    var isChanged = false
    let fields = reader.fields
    var added: [(place: Int, text: [UInt8])] = []
    for (slot, attribute, place) in columns {
      let new = value(slot)
      if record.page.value(row: 0, slot: slot) == new { continue }
      isChanged = true
      guard place < fields.count else {
        added.append(
          (
            place,
            try style.text(
              new, attribute, at: place, like: nil, dates: dateOrder(at: place))
          ))
        continue
      }
      let field = fields[place]
      let text = try style.text(
        new, attribute, at: place, like: field, of: reader.text(of: field),
        dates: dateOrder(at: place))
      try copy.replace(record.start + field.start..<record.start + field.end, by: text)
    }
    if !added.isEmpty {
      // A record with fewer fields gets as many as it needs.
      var count = fields.count
      var text: [UInt8] = []
      for (place, value) in added {
        text += Array(repeating: style.delimiter, count: place - count + 1) + value
        count = place + 1
      }
      let end = record.start + reader.contentEnd
      try copy.replace(end..<end, by: text)
    }
    if isChanged { changes.changed += 1 }
  }

  /// Inserts a new record before the next one.
  private mutating func insert(_ value: (Slot) -> Value) throws {
    try copy.copy(to: pending?.start ?? .max)
    var texts = Array(repeating: [UInt8](), count: columnCount)
    for (slot, attribute, place) in columns {
      let value = value(slot)
      if place >= columnCount, value.isNull { continue }
      while texts.count <= place { texts.append([]) }
      texts[place] = try style.text(
        value, attribute, at: place, like: nil, dates: dateOrder(at: place))
    }
    var line = copy.endsLine ? [] : style.lineEnd
    for (place, text) in texts.enumerated() {
      if place > 0 { line.append(style.delimiter) }
      line += text
    }
    // An empty line would not be a record.
    if texts.count == 1, texts[0].isEmpty, style.hasQuotes { line += Array("\"\"".utf8) }
    try copy.append(line + style.lineEnd)
    changes.inserted += 1
  }
}
