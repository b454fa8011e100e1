package import DatastoreCore
package import Gates

/// Gives the cells of rows the texts that they have in the file which the rows were read from.
///
/// Only the places of some records are kept: a record is read again when its row is written, as it was when
/// the row was made of it. Rows in the order of the file are read along with it; for others the file is read
/// from the last known place before them. For one thread.
package struct SourceTexts {
  private var file: any TextsOfRecords
  /// The keys of the rows that the records are, and the number of records before each range of them.
  private let keys: [(range: ClosedRange<Int64>, before: Int)]
  /// The place of each record whose number is a multiple of `RowStream.stride`, as far as the file was read.
  private var places: [Int] = []
  /// The number of the current record; at the end of the file, the number of records.
  private var current = -1
  private var isAtEnd = false
  private let columns: [Slot?]
  private let placeOfStride: (Int) -> Int?
  private let known: (RowKey) -> RowTexts?
  /// How texts are read, if only those are given that say more than the values; nil for all texts.
  private let typed: ValueReading?
  private var texts = RowTexts()

  /// - Parameters:
  ///   - source: the file, with the settings by which its rows were read.
  ///   - entity: the entity of the rows.
  ///   - columns: the attributes of the columns of pages; nil for those that the file lacks.
  ///   - memory: the result of the last rewrite.
  ///   - areEdited: whether rows may have other values than the file.
  ///   - areTyped: whether cells are written by their values, all but moments in billionths of a second,
  ///     which a stored moment lacks: these get a text in the form of a value.
  ///   - areAllRows: whether each record up to the requested row is known to be a row, so that this need not
  ///     be checked.
  ///   - known: the texts of a row, if another reader has just read them.
  ///   - place: the places of every `RowStream.stride`th row, as far as another reader has read the file.
  /// - Returns: nil if rows are not records of the file.
  /// - Throws: `ImportError`.
  package init?(
    of source: LoadSource, as entity: Entity, columns: [Slot?],
    memory: RewriteMemory = RewriteMemory(), areEdited: Bool, areTyped: Bool = false,
    areAllRows: @escaping () -> Bool = { false },
    known: @escaping (RowKey) -> RowTexts? = { _ in nil },
    place: @escaping (_ stride: Int) -> Int? = { _ in nil }
  ) throws {
    if source.input.isReadOnce || source.reading.json.flattens { return nil }
    self.columns = columns
    placeOfStride = place
    self.known = known
    var plain = try source.plain()
    // An existing row was read, however many were wanted.
    plain.reading.mostRecords = nil
    let reader = try plain.makeReader()
    if let csv = reader as? CSVReader {
      file = CSVTexts(csv, source, entity, memory, areEdited, areAllRows)
      typed = areTyped ? csv.valueReading : nil
    } else if let json = reader as? JSONReader {
      file = JSONTexts(json, source, entity, memory, areEdited)
      typed = areTyped ? json.valueReading : nil
    } else {
      return nil
    }
    var count = 0
    keys = (memory.keys ?? [1...Int64.max]).map { range in
      defer { count += range.count }
      return (range, count)
    }
  }

  /// The texts of a row.
  ///
  /// - Parameters:
  ///   - page: contains the current values of the row; an edited cell gets a text in the form of its former
  ///     one.
  ///   - row: the number of the row in the page.
  /// - Returns: nil for a new row.
  /// - Throws: `ImportError`.
  package mutating func texts(of key: RowKey, _ page: RowPage, row: Int) throws -> RowTexts? {
    guard let found = try spelled(key, page, row) else { return nil }
    guard let typed else { return found }
    texts.removeAll()
    for column in columns.indices {
      if let moment = found.exactMoment(in: column, typed) {
        texts.append(.text, moment.iso.utf8)
      } else {
        texts.append(.value)
      }
    }
    return texts
  }

  /// The texts of a row as the file spells them.
  private mutating func spelled(_ key: RowKey, _ page: RowPage, _ row: Int) throws -> RowTexts? {
    if let known = known(key) { return known }
    guard try find(key) else { return nil }
    texts.removeAll()
    for (column, slot) in columns.enumerated() {
      if let slot {
        file.append(slot, { page.value(row: row, column: column) }, to: &texts)
      } else {
        texts.append(.value)
      }
    }
    return texts
  }

  /// Finds the record that a row was made of; false if the row is new.
  private mutating func find(_ key: RowKey) throws -> Bool {
    guard let number = number(of: key.rawValue) else { return false }
    if number < current || number > current + 1, let (row, place) = place(atOrBefore: number),
      number < current || row > current + 1
    {
      try file.seek(to: place)
      current = row - 1
      isAtEnd = false
    }
    while current < number, !isAtEnd {
      let start = try file.next()
      current += 1
      if let start {
        if current == places.count * RowStream.stride { places.append(start) }
      } else {
        isAtEnd = true
      }
    }
    return current == number && !isAtEnd
  }

  /// The nearest row up to a number whose place is known.
  private func place(atOrBefore number: Int) -> (row: Int, place: Int)? {
    let stride = number / RowStream.stride
    if let place = placeOfStride(stride) { return (stride * RowStream.stride, place) }
    let known = min(stride, places.count - 1)
    return known < 0 ? nil : (known * RowStream.stride, places[known])
  }

  /// The number of the record that is a row, from 0; nil for a new row.
  private func number(of key: Int64) -> Int? {
    var (low, high) = (0, keys.count)
    while low < high {
      let middle = (low + high) / 2
      if keys[middle].range.upperBound < key { low = middle + 1 } else { high = middle }
    }
    guard low < keys.count, keys[low].range.contains(key) else { return nil }
    return keys[low].before + Int(key - keys[low].range.lowerBound)
  }
}

extension RowTexts {
  /// The moment in a cell, if it has more digits than a stored moment.
  fileprivate func exactMoment(in column: Int, _ reading: ValueReading) -> Moment? {
    guard form(of: column) != .value else { return nil }
    let text = withBytes(of: column) { String(decoding: $0, as: UTF8.self) }
    guard let moment = reading.isoDate(text).flatMap(Moment.init), moment.nanoseconds % 1000 != 0
    else { return nil }
    return moment
  }
}

/// A file of rows, record by record.
private protocol TextsOfRecords {
  /// Reads the next record that is a row.
  ///
  /// - Returns: its beginning; nil at the end of the file.
  mutating func next() throws -> Int?
  /// Continues with a record that was read before.
  mutating func seek(to place: Int) throws
  /// Adds the text of a cell of the record that was read last.
  ///
  /// - Parameter value: the current value of the cell.
  func append(_ slot: Slot, _ value: () -> Value, to texts: inout RowTexts)
}

private struct CSVTexts: TextsOfRecords {
  private var reader: CSVRowReader
  private let places: [Slot: Int]
  private let values: FieldText
  private let areEdited: Bool
  private let areAllRows: () -> Bool
  private var page: RowPage
  /// The values of the current record, if they are compared with those of rows.
  private var record: RowPage?

  init(
    _ csv: CSVReader, _ source: LoadSource, _ entity: Entity, _ memory: RewriteMemory,
    _ areEdited: Bool, _ areAllRows: @escaping () -> Bool
  ) {
    reader = CSVRowReader(
      csv, of: source, as: entity, dateOrders: memory.dateOrders, marksIrregular: false)
    places = reader.cells.columns.enumerated().reduce(into: [:]) { places, column in
      if let slot = column.element.target?.slot { places[slot] = column.offset }
    }
    values = FieldText(reading: csv.valueReading)
    self.areEdited = areEdited
    self.areAllRows = areAllRows
    page = RowPage(columnCount: entity.slotCount, rowCapacity: 1)
  }

  mutating func next() throws -> Int? {
    if !areEdited, areAllRows() { return try reader.find() ? reader.offset : nil }
    while true {
      page.appendRow(key: 0)
      do {
        guard try reader.read(into: page, row: 0) else {
          page.removeLastRow()
          return nil
        }
        if areEdited || page.isFull {
          let full = page
          page = RowPage(sealing: full)
          record = areEdited ? full : nil
        } else {
          page.removeLastRow()
        }
        return reader.offset
      } catch is LoadFault {
        // It is not a row.
        page.removeLastRow()
      }
    }
  }

  mutating func seek(to place: Int) throws { try reader.seek(to: place) }

  func append(_ slot: Slot, _ value: () -> Value, to texts: inout RowTexts) {
    let place = places[slot]
    if let record, let place {
      let field = place < reader.fields.count ? reader.fields[place] : nil
      let value = value()
      if record.value(row: 0, slot: slot) != value {
        guard let attribute = reader.cells.columns[place].target?.attribute,
          var text = values.text(
            value, attribute, like: field.map { reader.text(of: $0) },
            dates: reader.cells.conversion.dateOrders?[reader.cells.columns[place].name])
        else { return texts.append(.value) }
        let form = text.isEmpty ? RowTexts.Form.quoted : .bare
        return text.withStoredUTF8 { texts.append(form, $0) }
      }
    }
    reader.append(column: place, to: &texts)
  }
}

private struct JSONTexts: TextsOfRecords {
  private var reader: JSONReader
  private var rows: JSONRowValues
  private let names: [Slot: String]
  private let style: FieldText
  private let areEdited: Bool
  private var object: JSONObjectText?
  private var values: [Slot: Value] = [:]

  init(
    _ json: JSONReader, _ source: LoadSource, _ entity: Entity, _ memory: RewriteMemory,
    _ areEdited: Bool
  ) {
    reader = json
    reader.keepsBytes = true
    if let members = memory.members { reader.members = members }
    rows = JSONRowValues(of: entity, json, source, dateOrders: memory.dateOrders)
    names = rows.slots.reduce(into: [:]) { $0[$1.value.slot] = $1.key }
    style = FieldText(reading: json.valueReading)
    self.areEdited = areEdited
  }

  mutating func next() throws -> Int? {
    while true {
      do {
        guard let record = try reader.next() else { return nil }
        values = try rows.values(of: record)
        object = reader.text(of: record)
        return reader.place
      } catch is ConversionFault {
      } catch ImportError.malformed {}
    }
  }

  mutating func seek(to place: Int) throws { try reader.seek(to: place) }

  func append(_ slot: Slot, _ value: () -> Value, to texts: inout RowTexts) {
    if var key = reader.key, names[slot] == reader.keyColumn {
      return key.withStoredUTF8 { texts.append(.text, $0) }
    }
    guard let object, let name = names[slot] else { return texts.append(.value) }
    if areEdited, case let value = value(), values[slot] ?? .null != value {
      guard let range = object.member(of: name)?.value,
        object.bytes[range.lowerBound] == Byte.quote,
        case .text(let text)? = object.value(range), let attribute = rows.slots[name]?.attribute,
        var new = style.text(
          value, attribute, like: text, dates: rows.conversion.dateOrders?[name])
      else { return texts.append(.value) }
      return new.withStoredUTF8 { texts.append(.text, $0) }
    }
    object.append(name, to: &texts)
  }
}
