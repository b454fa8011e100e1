import DatastoreCore
import Gates

/// Reads the records of a CSV file into the cells of pages.
struct CSVRowReader: RowReader {
  private var reader: CSVReader
  private(set) var cells: RowCells
  private(set) var recordCount = 0
  private(set) var irregular = IrregularRecords()
  /// The length of the current record in the window.
  private var pending: Int?
  var keptColumns: [Int?] = []

  /// - Parameters:
  ///   - columns: the columns of the file in its order, and then those for records with more fields.
  ///   - observes: whether to count the values of the columns.
  ///   - complete: sets the values of a new row that the record does not give.
  init(
    _ reader: CSVReader, _ columns: [RowCells.Column], _ requirements: RowRequirements,
    _ conversion: FieldConversion, observes: Bool,
    complete: @escaping @Sendable (RowPage, Int, SlotSet) -> Void
  ) {
    self.reader = reader
    cells = RowCells(
      columns, requirements, conversion, observed: observes ? ObservedColumns(reader) : nil,
      complete: complete)
  }

  var bytesRead: Int { reader.bytesRead }

  /// Continues with the record that begins at a place in the file.
  mutating func seek(to offset: Int) throws {
    pending = nil
    try reader.input.seek(to: offset)
  }

  /// The fields of the record in the window.
  var fields: [CSVScanner.Field] { reader.scanner.fields }

  /// The irregularities of its quotes.
  var oddities: [CSVScanner.Oddity] { reader.scanner.oddities }

  /// The end of its last field.
  var contentEnd: Int { reader.scanner.contentEnd }

  /// The bytes of the record in the window. Valid until the next one is read.
  func bytes(_ length: Int) -> UnsafeBufferPointer<UInt8> { reader.input.window.slice(0..<length) }

  /// The text of a field of the record in the window.
  func text(of field: CSVScanner.Field) -> String {
    String(decoding: reader.input.window.slice(field.content), as: UTF8.self)
  }

  /// Appends a field without its quotes.
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

  /// The beginning of the record in the window, in bytes from the start of the file.
  var offset: Int { reader.input.offset }

  var place: Int? { reader.input.isVerbatim ? offset : nil }

  /// The length of the record in the window in bytes; zero if there is none.
  var length: Int { pending ?? 0 }

  mutating func read(into page: RowPage, row: Int) throws -> Bool {
    if let pending { reader.consumeRecord(length: pending) }
    pending = nil
    do {
      guard let length = try reader.findNext() else { return false }
      pending = length
      recordCount += 1
      switch reader.form(length: length) {
      case .irregular:
        let record = try reader.record()
        if let mark = record.irregularity { irregular.record(mark) }
        try cells.set(record, number: recordCount, page, row, given: cells.slots)
      case .ascii: try readFields(into: page, row: row, isASCII: true)
      case .utf8: try readFields(into: page, row: row, isASCII: false)
      }
      return true
    } catch ImportError.malformed(let position, let reason) {
      // A quote that is never closed is skipped.
      if pending == nil { recordCount += 1 }
      cells.countRecord()
      throw LoadFault(position, reason, record: recordCount)
    }
  }

  /// Finds the next record, without examining its fields.
  ///
  /// - Returns: false at the end of the file.
  /// - Throws: the errors of reading, also for a quote that is never closed.
  mutating func find() throws -> Bool {
    if let pending { reader.consumeRecord(length: pending) }
    pending = try reader.findNext()
    if pending != nil { recordCount += 1 }
    return pending != nil
  }

  private mutating func readFields(into page: RowPage, row: Int, isASCII: Bool) throws {
    let bytes = reader.input.window
    var given = cells.slots
    var fault: LoadFault?
    for (index, field) in reader.scanner.fields.enumerated() where !cells.isSkipped[index] {
      let content = bytes.slice(field.content)
      if reader.isMissing(field, content) {
        cells.leaveOut(index, &given)
        continue
      }
      var isCounted = false
      if !field.hasDoubledQuotes {
        let isSet: Bool
        (isCounted, isSet) = cells.set(content, index, page, row, isASCII: isASCII)
        if isSet { continue }
      }
      do {
        let value = try reader.value(of: field)
        if !isCounted { cells.observe(value, index) }
        try cells.set(value, index, page, row, &given)
      } catch let error as ConversionFault {
        // The other fields of the record still contribute to the types of their columns.
        if fault != nil { continue }
        fault = LoadFault(
          reader.position(of: field), error.reason, record: recordCount,
          column: cells.columns[index].name, value: try reader.value(of: field).text)
      }
    }
    cells.countRecord()
    if let fault { throw fault }
    try cells.end(page, row, given, record: recordCount) { slot in
      let fields = reader.scanner.fields
      guard let place = cells.place(of: slot), place < fields.count else {
        return reader.cursor.position(in: reader.input.name)
      }
      return reader.position(of: fields[place])
    }
  }
}
