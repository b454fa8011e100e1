import Basics
import DatastoreCore
import Gates

/// Reads the records of a JSON file into the cells of pages.
struct JSONRowReader: RowReader {
  private var reader: JSONReader
  private(set) var cells: RowCells
  private(set) var recordCount = 0
  private(set) var irregular = IrregularRecords()
  private var scanner: JSONObjectScanner
  /// The length of the current object in the window; nil if the last record was read otherwise.
  private var pending: Int?
  /// The text of a record that was read otherwise, if texts are kept.
  private var object: JSONObjectText?
  var keptColumns: [Int?] = [] {
    didSet { reader.keepsBytes = !keptColumns.isEmpty }
  }

  /// - Parameters:
  ///   - columns: the columns of the objects, as far as they are known.
  ///   - observes: whether to count the values of the columns.
  ///   - complete: sets the values of a new row that the record does not give.
  init(
    _ reader: JSONReader, _ columns: [RowCells.Column], _ requirements: RowRequirements,
    _ conversion: FieldConversion, observes: Bool,
    complete: @escaping @Sendable (RowPage, Int, SlotSet) -> Void
  ) {
    self.reader = reader
    let names = columns.map(\.name)
    cells = RowCells(
      columns, requirements, conversion,
      observed: observes ? ObservedColumns(reader, columns: names) : nil, complete: complete)
    let isLenient = reader.options.keepsIrregular
    scanner = JSONObjectScanner(
      reader.options.flattens
        ? []
        : names.map { name in
          // The reader renames some members; those are left to it.
          reader.members.name(of: name)?.utf8.elementsEqual(name.utf8) ?? !isLenient ? name : nil
        }, isLenient: isLenient)
  }

  var bytesRead: Int { reader.bytesRead }

  var place: Int? {
    guard reader.input.isVerbatim else { return nil }
    return pending == nil ? reader.place : reader.input.offset
  }

  func append(column place: Int?, to texts: inout RowTexts) {
    guard let place else { return texts.append(.value) }
    guard pending != nil else {
      let column = cells.columns[place].name
      if var key = reader.key, column == reader.keyColumn {
        return key.withStoredUTF8 { texts.append(.text, $0) }
      }
      guard let object else { return texts.append(.value) }
      return object.append(column, to: &texts)
    }
    guard let member = scanner.member(place) else { return texts.append(.value) }
    let bytes = reader.input.window.slice(member.value)
    switch member.form {
    case .null: texts.append(.value)
    case .text: texts.append(.text, bytes)
    case .plain: texts.append(.literal, bytes)
    case .value(.text(var text)) where bytes.first == Byte.quote:
      text.withStoredUTF8 { texts.append(.text, $0) }
    case .value: texts.append(.literal, JSONObjectText.compact(bytes))
    }
  }

  mutating func read(into page: RowPage, row: Int) throws -> Bool {
    if let pending { reader.pass(length: pending) }
    (pending, object) = (nil, nil)
    let count = recordCount
    do {
      guard let start = try reader.findNext() else { return false }
      recordCount += 1
      pending = scan(start)
      if pending == nil {
        try readRecord(start, into: page, row: row)
      } else {
        try readMembers(into: page, row: row)
      }
      return true
    } catch ImportError.malformed(let position, let reason) {
      // It may be a separator between two records.
      recordCount = count + 1
      cells.countRecord()
      throw LoadFault(position, reason, record: recordCount)
    }
  }

  /// The length of the object that begins here, if it is a regular one.
  private mutating func scan(_ start: JSONReader.Start) -> Int? {
    guard reader.key == nil, reader.form == nil || reader.form == .object else { return nil }
    switch start {
    case .onlyElement: return nil
    case .element, .line:
      let input = reader.input
      return scanner.scan(input.window, isLine: start == .line, isAtEnd: input.isAtEnd)
    }
  }

  private mutating func readRecord(
    _ start: JSONReader.Start, into page: RowPage, row: Int
  ) throws {
    let record = try reader.read(start)
    if let mark = record.irregularity { irregular.record(mark) }
    if reader.keepsBytes { object = reader.text(of: record) }
    try cells.set(record, number: recordCount, page, row, given: SlotSet())
  }

  private mutating func readMembers(into page: RowPage, row: Int) throws {
    let bytes = reader.input.window
    let isWhole = scanner.members.count == cells.columns.count
    var given = isWhole ? cells.slots : SlotSet()
    var fault: LoadFault?
    for member in scanner.members where !cells.isSkipped[member.column] {
      let index = member.column
      if !isWhole, let slot = cells.columns[index].target?.slot { given.insert(slot) }
      let content = bytes.slice(member.value)
      var isCounted = false
      let value: ImportValue
      switch member.form {
      case .null:
        cells.leaveOut(index, &given)
        continue
      case .text(let isASCII):
        let isSet: Bool
        (isCounted, isSet) = cells.set(content, index, page, row, isASCII: isASCII)
        if isSet { continue }
        value = .text(String(decoding: content, as: UTF8.self))
      case .plain(let field):
        if cells.set(field, index, page, row) { continue }
        isCounted = true
        value = field.value
      case .value(let decoded): value = decoded
      }
      if !isCounted { cells.observe(value, index) }
      do {
        try cells.set(value, index, page, row, &given)
      } catch let error as ConversionFault {
        // The other members of the object still contribute to the types of their columns.
        if fault != nil { continue }
        fault = LoadFault(
          reader.cursor.position(at: member.start, in: reader.input), error.reason,
          record: recordCount, column: cells.columns[index].name, value: value.text)
      }
    }
    cells.countRecord()
    if let fault { throw fault }
    try cells.end(page, row, given, record: recordCount) { _ in
      reader.cursor.position(in: reader.input.name)
    }
  }
}

extension PlainField {
  /// A number or boolean of JSON as a value.
  fileprivate var value: ImportValue {
    switch self {
    case .integer(let integer): .integer(integer)
    case .real(let real): .real(real)
    case .boolean(let boolean): .boolean(boolean)
    case .date, .text: trap("JSON has no such values without quotes.")
    }
  }
}
