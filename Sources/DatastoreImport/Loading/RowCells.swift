import DatastoreCore
import Gates

/// Turns the fields of a file into the cells of rows: no object for a row, and none for a field but where its
/// bytes do not tell at sight what its value is.
///
/// Only for files whose columns fill attributes, and for new rows. It hears the fields of one record after
/// another.
struct RowCells {
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
    /// Whether its values are not needed.
    var isSkipped = false
  }

  let columns: [Column]
  let requirements: RowRequirements
  let isSkipped: [Bool]
  private(set) var conversion: FieldConversion
  /// What the columns have shown; nil where their types are known.
  private(set) var observed: ObservedColumns?
  /// The slots that all columns fill.
  let slots: SlotSet
  private let kinds: [CellKind]
  private let complete: @Sendable (RowPage, Int, SlotSet) -> Void
  private let longestMark: Int
  private let readsNumbers: Bool
  /// The columns by name.
  private let places: [String: Int]

  /// The bytes of a day with hours and minutes.
  private static let longestWithoutZone = 16

  /// - Parameters:
  ///   - columns: those of the file in its order, and then those that records with more fields have.
  ///   - observed: counts what the columns have; nil where their types are known.
  ///   - complete: puts into a new row what nothing was said about.
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
    // Whether a text is kept is seen from its value.
    kinds = columns.map { $0.textSlot == nil ? CellKind($0.target?.attribute) : .other }
    isSkipped = columns.map(\.isSkipped)
    longestMark = conversion.reading.marks.longestLikeValues
    readsNumbers = conversion.reading.decimalMark == .point
    slots = SlotSet(columns.compactMap(\.target?.slot))
  }

  /// The place among the columns of the one that fills a slot; nil for none.
  func place(of slot: Slot?) -> Int? {
    slot.flatMap { slot in columns.firstIndex { $0.target?.slot == slot } }
  }

  /// Counts a record whose fields were counted one by one, or an invalid one.
  mutating func countRecord() { observed?.countRecord() }

  /// A missing value is not a value for a new row that must have one: it gets what new rows begin with.
  func leaveOut(_ index: Int, _ given: inout SlotSet) {
    guard let (slot, attribute) = columns[index].target, !attribute.isOptional else { return }
    given.remove(slot)
  }

  /// Ends a row.
  ///
  /// - Parameter given: the slots that were set, or are to stay NULL.
  /// - Throws: `LoadFault` at `position` where the row lacks a value that it must have.
  func end(
    _ page: RowPage, _ row: Int, _ given: SlotSet, record: Int,
    at position: @autoclosure () -> SourcePosition
  ) throws {
    for slot in requirements.wanting where !given.contains(slot) {
      throw LoadFault(
        position(), RowRequirements.missing(requirements.entity.properties[slot].name),
        record: record)
    }
    complete(page, row, given)
  }
}

/// Fields by their bytes.
extension RowCells {
  /// Counts a text and sets a cell to it, or does neither.
  ///
  /// - Returns: whether it was counted, and whether the cell was set. Otherwise its value has to be found
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
  /// - Returns: whether the cell was set. Otherwise its value has to be found first.
  @inline(__always)
  mutating func set(
    _ field: PlainField, _ index: Int, _ page: RowPage, _ row: Int
  ) -> Bool {
    observed?.observe(field, at: index)
    if case .text = kinds[index] { return false }
    let none = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    return set(field, none, index, page, row, isASCII: true)
  }

  /// What a field is by its bytes; nil where its text has to be parsed.
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

  /// Sets a cell; false where the field is not what its column holds.
  @inline(__always)
  private func set(
    _ field: PlainField, _ bytes: UnsafeBufferPointer<UInt8>, _ index: Int, _ page: RowPage,
    _ row: Int, isASCII: Bool
  ) -> Bool {
    guard let slot = columns[index].target?.slot, !columns[index].isUnknown else { return false }
    switch (kinds[index], field) {
    case (.text, _):
      // Those that represent bytes which are not UTF-8 are stored as these.
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

  /// Reads a record that is not as most are into a row.
  ///
  /// - Parameters:
  ///   - number: of the record in its file, from 1.
  ///   - given: the slots that stay NULL where the record does not say otherwise.
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
    try end(page, row, given, record: number, at: record.position)
  }
}
