import DatastoreCore
import Gates

/// Reads the records of a CSV file into the cells of pages: no object for a row, and none for a field but where
/// its bytes do not tell at sight what its value is.
///
/// Only for files whose columns fill attributes, and for new rows.
struct CSVRowReader {
  /// A column of the file, and what it fills.
  struct Column: Sendable {
    let name: String
    /// nil where the column is left out.
    let target: (slot: Slot, attribute: AttributeDescription)?
    /// Where texts are kept that its values do not give back; nil where they are not.
    var textSlot: Slot?
    /// Whether its type is that of the beginning of the file.
    var isGuess = false
    /// Whether nothing is known of it but that the beginning of the file has no value there.
    var isUnknown = false
    /// Whether nobody asks for its values.
    var isSkipped = false
  }

  private var reader: CSVReader
  let columns: [Column]
  private let cells: [CellKind]
  private let isSkipped: [Bool]
  private let keepsTexts: Bool
  let requirements: RowRequirements
  private let completeRow: @Sendable (RowPage, Int, SlotSet) -> Void
  private(set) var conversion: FieldConversion
  /// What the columns have shown; nil where their types are known.
  private(set) var observed: ObservedColumns?
  private let longestMark: Int
  private let readsNumbers: Bool
  /// The slots that all columns fill.
  private let slots: SlotSet
  /// Records so far, invalid ones included.
  private(set) var recordCount = 0
  private(set) var irregular = IrregularRecords()
  /// The length of the record in the window that was read.
  private var pending: Int?
  /// The columns by name.
  private let places: [String: Int]
  /// The columns whose texts are kept beside the rows, nil for those that the file does not have.
  var keptColumns: [Int?] = []

  /// - Parameters:
  ///   - columns: those of the file in its order, and then those that records with more fields have.
  ///   - observes: whether what the columns have is to be counted.
  ///   - complete: puts into a new row what nothing was said about.
  init(
    _ reader: CSVReader, _ columns: [Column], _ requirements: RowRequirements,
    _ conversion: FieldConversion, observes: Bool,
    complete: @escaping @Sendable (RowPage, Int, SlotSet) -> Void
  ) {
    self.reader = reader
    self.columns = columns
    places = Dictionary(
      columns.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    self.requirements = requirements
    self.conversion = conversion
    completeRow = complete
    observed = observes ? ObservedColumns(reader) : nil
    cells = columns.map { CellKind($0.target?.attribute) }
    isSkipped = columns.map(\.isSkipped)
    keepsTexts = columns.contains { $0.textSlot != nil }
    longestMark = conversion.reading.marks.longestLikeValues
    readsNumbers = conversion.reading.decimalMark == .point
    slots = SlotSet(columns.compactMap(\.target?.slot))
  }

  /// The bytes of a day with hours and minutes.
  private static let longestWithoutZone = 16

  var bytesRead: Int { reader.bytesRead }

  /// Continues with the record that begins at a place in the file.
  mutating func seek(to offset: Int) throws {
    pending = nil
    try reader.input.seek(to: offset)
  }

  /// The fields of the record in the window.
  var fields: [CSVScanner.Field] { reader.scanner.fields }

  /// What is odd about its quotes.
  var oddities: [CSVScanner.Oddity] { reader.scanner.oddities }

  /// Where its last field ends.
  var contentEnd: Int { reader.scanner.contentEnd }

  /// The bytes of the record in the window. Valid until the next one is read.
  func bytes(_ length: Int) -> UnsafeBufferPointer<UInt8> { reader.input.window.slice(0..<length) }

  /// The text of a field of the record in the window.
  func text(of field: CSVScanner.Field) -> String {
    String(decoding: reader.input.window.slice(field.content), as: UTF8.self)
  }

  /// Adds what a column has in the record in the window, without its quotes.
  @inline(__always)
  func append(column place: Int?, to texts: inout RowTexts) {
    let fields = reader.scanner.fields
    guard let place, place < fields.count else { return texts.append(.value) }
    let field = fields[place]
    let isEnclosed = field.isQuoted && field.end == field.content.upperBound + 1
    let form = isEnclosed ? RowTexts.Form.quoted : .bare
    if field.isPlain {
      texts.append(form, reader.input.window.slice(field.content))
    } else {
      texts.append(form, reader.content(of: field))
    }
  }

  /// Where the record in the window begins, in bytes from the start of the file.
  var offset: Int { reader.input.offset }

  /// The same; nil in a file that is decoded while it is read.
  var place: Int? { reader.input.isVerbatim ? offset : nil }

  /// Reads the next record into a row, whose cells are NULL. It stays in the window until the next one is read.
  ///
  /// - Returns: the length of the record in bytes; nil at the end of the file.
  /// - Throws: `LoadFault` for a record that is left out, `GuessedTypes.Refuted`, and what reading throws.
  mutating func read(into page: RowPage, row: Int) throws -> Int? {
    if let pending { reader.consumeRecord(length: pending) }
    pending = nil
    do {
      guard let length = try reader.findNext() else { return nil }
      pending = length
      recordCount += 1
      switch reader.form(length: length) {
      case .irregular: try readFields(of: try reader.record(), into: page, row: row)
      case .ascii: try readFields(into: page, row: row, isASCII: true)
      case .utf8: try readFields(into: page, row: row, isASCII: false)
      }
      return length
    } catch ImportError.malformed(let position, let reason) {
      // A quote that is never closed is stepped over.
      if pending == nil { recordCount += 1 }
      observed?.countRecord()
      throw LoadFault(position, reason, record: recordCount)
    }
  }

  /// Reads an irregular record, which was filled up.
  private mutating func readFields(
    of record: ImportRecord, into page: RowPage, row: Int
  ) throws {
    observed?.observe(record)
    if let mark = record.irregularity { irregular.note(mark) }
    var given = slots
    for field in record.fields {
      guard let index = places[field.name] else {
        // The beginning of the file has no such record.
        if observed != nil { throw GuessedTypes.Refuted() }
        continue
      }
      if columns[index].isSkipped { continue }
      do {
        try set(field.value, index, page, row, &given)
      } catch let error as ConversionFault {
        if columns[index].isGuess { throw GuessedTypes.Refuted() }
        throw LoadFault(
          SourcePosition(file: record.position.file, line: field.line, column: field.column),
          error.reason, record: recordCount, column: field.name, value: field.value.text)
      }
    }
    try complete(page, row, given)
  }

  /// Finds the next record, without a look at what its fields have.
  ///
  /// - Returns: false at the end of the file.
  /// - Throws: what reading throws, for a quote that is never closed, too.
  mutating func find() throws -> Bool {
    if let pending { reader.consumeRecord(length: pending) }
    pending = try reader.findNext()
    if pending != nil { recordCount += 1 }
    return pending != nil
  }

  /// Puts into the row what nothing was said about.
  private func complete(_ page: RowPage, _ row: Int, _ given: SlotSet) throws {
    for slot in requirements.wanting where !given.contains(slot) {
      throw LoadFault(
        reader.cursor.position(in: reader.input.name),
        RowRequirements.missing(requirements.entity.properties[slot].name), record: recordCount)
    }
    completeRow(page, row, given)
  }

  private mutating func readFields(into page: RowPage, row: Int, isASCII: Bool) throws {
    let bytes = reader.input.window
    var given = slots
    var fault: LoadFault?
    for (index, field) in reader.scanner.fields.enumerated() where !isSkipped[index] {
      let content = bytes.slice(field.content)
      if reader.isMissing(field, content) {
        leaveOut(index, &given)
        continue
      }
      let plain = field.hasDoubledQuotes ? nil : plainField(content, index)
      if let plain, set(plain, content, index, page, row, isASCII: isASCII) {
        if case .moment = cells[index], content.count > Self.longestWithoutZone {
          conversion.noteZone(of: content, in: columns[index].name)
        }
        if keepsTexts { try keepText(of: reader.value(of: field), index, page, row, &given) }
        continue
      }
      do {
        let value = try reader.value(of: field)
        if plain == nil { observed?.observe(value, at: index) }
        try set(value, index, page, row, &given)
      } catch let error as ConversionFault {
        if columns[index].isGuess { throw GuessedTypes.Refuted() }
        // The other fields of the record still tell what their columns are.
        if fault != nil { continue }
        fault = LoadFault(
          reader.position(of: field), error.reason, record: recordCount,
          column: columns[index].name, value: try reader.value(of: field).text)
      }
    }
    observed?.countRecord()
    if let fault { throw fault }
    try complete(page, row, given)
  }

  /// A missing value is not a value for a new row that must have one: it gets what new rows begin with.
  private func leaveOut(_ index: Int, _ given: inout SlotSet) {
    guard let (slot, attribute) = columns[index].target, !attribute.isOptional else { return }
    given.remove(slot)
  }

  /// What a field is by its bytes; nil where its text has to be parsed.
  @inline(__always)
  private mutating func plainField(
    _ bytes: UnsafeBufferPointer<UInt8>, _ index: Int
  ) -> PlainField? {
    if observed != nil { return observed?.observe(plain: bytes, at: index) }
    switch cells[index] {
    case .text: return .text
    case .integer, .real:
      return readsNumbers && bytes.count > longestMark ? PlainField.number(bytes) : nil
    case .boolean: return bytes.count > longestMark ? PlainField.boolean(bytes) : nil
    case .day, .moment: return bytes.count > longestMark ? PlainField.date(bytes) : nil
    case .other: return nil
    }
  }

  /// Sets a cell; false where the field is not what its column holds.
  @inline(__always)
  private func set(
    _ field: PlainField, _ bytes: UnsafeBufferPointer<UInt8>, _ index: Int, _ page: RowPage,
    _ row: Int, isASCII: Bool
  ) -> Bool {
    guard let slot = columns[index].target?.slot, !columns[index].isUnknown else { return false }
    switch (cells[index], field) {
    case (.text, _):
      // Those that stand for bytes which are not UTF-8 are stored as these.
      if !isASCII, bytes.contains(0xF4) { return false }
      page.setBytes(bytes, tag: .text, row: row, slot: slot)
    case (.integer(let range), .integer(let integer)):
      guard range.contains(integer) else { return false }
      page.setInteger(integer, row: row, slot: slot)
    case (.real, .integer(let integer)): page.setReal(Double(integer), row: row, slot: slot)
    case (.real, .real(let real)): page.setReal(real, row: row, slot: slot)
    case (.boolean, .boolean(let boolean)):
      page.setInteger(boolean ? 1 : 0, row: row, slot: slot)
    case (.day, .date(_, isDay: true)): page.setBytes(bytes, tag: .text, row: row, slot: slot)
    case (.moment, .date(let seconds, _)): page.setReal(seconds, row: row, slot: slot)
    default: return false
    }
    return true
  }

  /// Sets a cell by the value of its field.
  ///
  /// - Throws: `ConversionFault`, `GuessedTypes.Refuted`.
  private mutating func set(
    _ value: ImportValue, _ index: Int, _ page: RowPage, _ row: Int, _ given: inout SlotSet
  ) throws {
    let column = columns[index]
    if column.isUnknown, value.text?.isEmpty == false { throw GuessedTypes.Refuted() }
    guard let (slot, attribute) = column.target else { return }
    let converted = try conversion.value(of: value, in: column.name, for: attribute)
    if converted.isNull {
      leaveOut(index, &given)
    } else {
      page.setValue(converted, row: row, slot: slot)
    }
    if keepsTexts { keepText(of: value, index, page, row, &given) }
  }

  /// Sets the cell beside that of a field where the latter does not give its text back.
  private func keepText(
    of value: ImportValue, _ index: Int, _ page: RowPage, _ row: Int, _ given: inout SlotSet
  ) {
    guard let textSlot = columns[index].textSlot, let target = columns[index].target else { return }
    let stored = page.value(row: row, slot: target.slot)
    guard let text = LostTexts.text(of: value, storedAs: stored, target.attribute) else { return }
    page.setValue(.text(text), row: row, slot: textSlot)
    given.insert(textSlot)
  }
}

/// What the cells of an attribute hold, where fields can be put into them by their bytes.
private enum CellKind {
  case text
  case integer(ClosedRange<Int64>)
  case real
  case boolean
  case day
  case moment
  case other

  init(_ attribute: AttributeDescription?) {
    guard let attribute, attribute.dateConvention == nil, !attribute.isDeclaredDate else {
      self = .other
      return
    }
    switch attribute.type {
    case .string: self = .text
    case .integer8: self = .integer(Int64(Int8.min)...Int64(Int8.max))
    case .integer16: self = .integer(Int64(Int16.min)...Int64(Int16.max))
    case .integer32: self = .integer(Int64(Int32.min)...Int64(Int32.max))
    case .integer64: self = .integer(.min ... .max)
    case .unsigned8: self = .integer(0...Int64(UInt8.max))
    case .unsigned16: self = .integer(0...Int64(UInt16.max))
    case .unsigned32: self = .integer(0...Int64(UInt32.max))
    case .unsigned64: self = .integer(0 ... .max)
    case .double: self = .real
    case .boolean: self = .boolean
    case .calendarDate: self = .day
    case .date: self = .moment
    case .float, .decimal, .uuid, .url, .data, .coded, .undefined: self = .other
    }
  }
}
