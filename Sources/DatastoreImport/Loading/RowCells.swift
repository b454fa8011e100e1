import DatastoreCore
import Gates

/// Turns the fields of a file into the cells of rows: without an object for a row, and without one for a
/// field unless its bytes do not determine its value directly.
///
/// Only for files whose columns fill attributes, and for new rows. It receives the fields of one record after
/// another.
struct RowCells {
  /// A column of the file, and its target.
  struct Column: Sendable {
    let name: String
    /// nil if the column is left out.
    let target: (slot: Slot, attribute: AttributeDescription)?
    /// The slot for texts that cannot be restored from its values; nil if they are not kept.
    var textSlot: Slot?
    /// Whether its type is that of the beginning of the file.
    var isGuess = false
    /// Whether the only known fact is that the beginning of the file has no value there.
    var isUnknown = false
    /// Whether its values are not needed.
    var isSkipped = false
  }

  let columns: [Column]
  let requirements: RowRequirements
  let isSkipped: [Bool]
  private(set) var conversion: FieldConversion
  /// The observations about the columns; nil if their types are known.
  private(set) var observed: ObservedColumns?
  /// The slots that all columns fill.
  let slots: SlotSet
  private let kinds: [CellKind]
  private let complete: @Sendable (RowPage, Int, SlotSet) -> Void
  private let longestMark: Int
  private let readsNumbers: Bool
  /// The columns by name.
  private let places: [String: Int]

  /// The length of a day with hours and minutes in bytes.
  private static let longestWithoutZone = 16

  /// - Parameters:
  ///   - columns: the columns of the file in its order, and then those for records with more fields.
  ///   - observed: counts the values of the columns; nil if their types are known.
  ///   - complete: sets the values of a new row that the record does not give.
  init(
    _ columns: [Column], _ requirements: RowRequirements, _ conversion: FieldConversion,
    observed: ObservedColumns?, complete: @escaping @Sendable (RowPage, Int, SlotSet) -> Void
  ) {
    self.columns = columns
    self.requirements = requirements
    self.conversion = conversion
    self.observed = observed
    self.complete = complete
    places = Dictionary(
      columns.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    // Whether a text is kept depends on its value.
    kinds = columns.map { $0.textSlot == nil ? CellKind($0.target?.attribute) : .other }
    isSkipped = columns.map(\.isSkipped)
    longestMark = conversion.reading.marks.longestLikeValues
    readsNumbers = conversion.reading.decimalMark == .point
    slots = SlotSet(columns.compactMap(\.target?.slot))
  }

  /// The index of the column that fills a slot; nil for none.
  func place(of slot: Slot?) -> Int? {
    slot.flatMap { slot in columns.firstIndex { $0.target?.slot == slot } }
  }

  /// Counts a record whose fields were counted one by one, or an invalid one.
  mutating func countRecord() { observed?.countRecord() }

  /// A missing value leaves a required slot of a new row at its initial value.
  func leaveOut(_ index: Int, _ given: inout SlotSet) {
    guard let (slot, attribute) = columns[index].target, !attribute.isOptional else { return }
    given.remove(slot)
  }

  /// Ends a row.
  ///
  /// - Parameters:
  ///   - given: the slots that were set, or are to stay NULL.
  ///   - position: the place of the field that fills a slot, or of the record.
  /// - Throws: `LoadFault` if the row lacks a required value.
  func end(
    _ page: RowPage, _ row: Int, _ given: SlotSet, record: Int,
    at position: (Slot) -> SourcePosition
  ) throws {
    for slot in requirements.wanting where !given.contains(slot) {
      throw LoadFault(
        position(slot), RowRequirements.missing(requirements.entity.properties[slot].name),
        record: record)
    }
    complete(page, row, given)
  }
}

/// Fields by their bytes.
extension RowCells {
  /// Counts a text and sets a cell to it, or does neither.
  ///
  /// - Returns: whether it was counted, and whether the cell was set. If not, its value has to be determined
  ///   first.
  @inline(__always)
  mutating func set(
    _ bytes: UnsafeBufferPointer<UInt8>, _ index: Int, _ page: RowPage, _ row: Int, isASCII: Bool
  ) -> (isCounted: Bool, isSet: Bool) {
    guard let field = plainField(bytes, index) else { return (false, false) }
    guard set(field, bytes, index, page, row, isASCII: isASCII) else { return (true, false) }
    if case .moment = kinds[index], bytes.count > Self.longestWithoutZone {
      conversion.recordZone(of: bytes, in: columns[index].name)
    }
    return (true, true)
  }

  /// Counts a value that is not a text in the file, a number or a boolean of JSON, and sets a cell to it.
  ///
  /// - Returns: whether the cell was set. If not, its value has to be determined first.
  @inline(__always)
  mutating func set(
    _ field: PlainField, _ index: Int, _ page: RowPage, _ row: Int
  ) -> Bool {
    observed?.observe(field, at: index)
    if case .text = kinds[index] { return false }
    let none = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    return set(field, none, index, page, row, isASCII: true)
  }

  /// The value of a field by its bytes; nil if its text has to be parsed.
  @inline(__always)
  private mutating func plainField(
    _ bytes: UnsafeBufferPointer<UInt8>, _ index: Int
  ) -> PlainField? {
    if observed != nil { return observed?.observe(plain: bytes, at: index) }
    switch kinds[index] {
    case .text: return .text
    case .integer, .real:
      return readsNumbers && bytes.count > longestMark ? PlainField.number(bytes) : nil
    case .boolean: return bytes.count > longestMark ? PlainField.boolean(bytes) : nil
    case .day, .moment: return bytes.count > longestMark ? PlainField.date(bytes) : nil
    case .other: return nil
    }
  }

  /// Sets a cell; false if the field does not have the kind of its column.
  @inline(__always)
  private func set(
    _ field: PlainField, _ bytes: UnsafeBufferPointer<UInt8>, _ index: Int, _ page: RowPage,
    _ row: Int, isASCII: Bool
  ) -> Bool {
    guard let slot = columns[index].target?.slot, !columns[index].isUnknown else { return false }
    switch (kinds[index], field) {
    case (.text, _):
      // Scalars that represent bytes which are not UTF-8 are stored as those bytes.
      if !isASCII, bytes.contains(0xF4) { return false }
      page.setBytes(bytes, tag: .text, row: row, slot: slot)
    case (.integer(let range), .integer(let integer)):
      guard range.contains(integer) else { return false }
      page.setInteger(integer, row: row, slot: slot)
    // A greater one may lose digits.
    case (.real, .integer(let integer)) where integer.magnitude <= 1 << 53:
      page.setReal(Double(integer), row: row, slot: slot)
    case (.real, .real(let real)): page.setReal(real, row: row, slot: slot)
    case (.boolean, .boolean(let boolean)):
      page.setInteger(boolean ? 1 : 0, row: row, slot: slot)
    case (.day, .date(_, isDay: true)): page.setBytes(bytes, tag: .text, row: row, slot: slot)
    case (.moment, .date(let seconds, _)): page.setReal(seconds, row: row, slot: slot)
    default: return false
    }
    return true
  }
}

/// Fields by their values.
extension RowCells {
  /// Counts a value.
  mutating func observe(_ value: ImportValue, _ index: Int) {
    observed?.observe(value, at: index)
  }

  /// Sets a cell by the value of its field.
  ///
  /// - Throws: `ConversionFault`, `GuessedTypes.Refuted`.
  mutating func set(
    _ value: ImportValue, _ index: Int, _ page: RowPage, _ row: Int, _ given: inout SlotSet
  ) throws {
    let column = columns[index]
    if column.isUnknown, value != .null, value != .text("") { throw GuessedTypes.Refuted() }
    guard let (slot, attribute) = column.target else { return }
    let converted: Value
    do {
      converted = try conversion.value(of: value, in: column.name, for: attribute)
    } catch let fault as ConversionFault {
      throw column.isGuess ? GuessedTypes.Refuted() : fault
    }
    if converted.isNull {
      leaveOut(index, &given)
    } else {
      page.setValue(converted, row: row, slot: slot)
    }
    guard let textSlot = column.textSlot,
      let text = LostTexts.text(of: value, storedAs: converted, attribute)
    else { return }
    page.setValue(.text(text), row: row, slot: textSlot)
    given.insert(textSlot)
  }

  /// Reads an irregular record into a row.
  ///
  /// - Parameters:
  ///   - number: the number of the record in its file, from 1.
  ///   - given: the slots that stay NULL unless the record sets them.
  /// - Throws: `LoadFault`, `GuessedTypes.Refuted`.
  mutating func set(
    _ record: ImportRecord, number: Int, _ page: RowPage, _ row: Int, given: SlotSet
  ) throws {
    observed?.observe(record)
    var given = given
    for field in record.fields {
      guard let index = places[field.name] else {
        // The beginning of the file has no such record.
        if observed != nil { throw GuessedTypes.Refuted() }
        continue
      }
      if columns[index].isSkipped { continue }
      if let slot = columns[index].target?.slot { given.insert(slot) }
      do {
        try set(field.value, index, page, row, &given)
      } catch let error as ConversionFault {
        throw LoadFault(
          SourcePosition(file: record.position.file, line: field.line, column: field.column),
          error.reason, record: number, column: field.name, value: field.value.text)
      }
    }
    try end(page, row, given, record: number) { slot in
      place(of: slot).map { record.position(of: columns[$0].name) } ?? record.position
    }
  }
}
