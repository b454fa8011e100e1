import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

/// Reads the rows of a statement into pages: one pass, no allocation for a row.
struct RowReader: Sendable {
  private let columnCount: Int
  /// The content of a column of the statement.
  enum Content {
    case value, key
    /// A value computed by the file, which is cut if it is large.
    case computed
  }

  /// Slots in the order of the statement's columns after the key, and the content of each.
  private let slots: [(slot: Slot, content: Content)]
  /// The source of occurrence numbers for rows that are their own key.
  private let wholeRowKeys: KeyTable?
  /// Whether text is stored as UTF-8, as in every native file, so that its bytes are used directly. Reading
  /// it as text would first copy it, to append a zero.
  let hasUTF8: Bool
  /// How rows of several entities are distinguished; nil if there is only one.
  private let family: FamilyMapping?
  /// The keys of references that are not integers; nil in native files, which have none.
  private let dangling: KeyTable?
  /// nil if the file itself ensures valid cells.
  private let cellRules: [(column: Int32, rule: CellRule)]?

  init(_ mapping: SchemaMapping, entity: EntityIndex) {
    let mapped = mapping.entities[entity]
    columnCount = mapping.schema.entities[entity].pageColumnCount
    slots = mapped.slots.placed.compactMap { slot, mapped in
      switch mapped {
      case .attribute(let column): (slot, column.isGenerated ? .computed : .value)
      case .toOne: (slot, .key)
      case .toManyForeignKey, .toManyJoin: nil
      }
    }
    wholeRowKeys = mapped.key == .wholeRow ? mapping.keyTables[entity] : nil
    hasUTF8 = mapping.isNative
    dangling = mapping.isNative ? nil : mapping.keyTables.dangling
    family = mapped.family.flatMap { $0.members.count > 1 ? $0 : nil }
    cellRules =
      mapped.cellRules.isEmpty
      ? nil
      : slots.enumerated().compactMap { column, place in
        mapped.cellRules.first { $0.slot == place.slot }.map { (Int32(column + 1), $0) }
      }
  }

  typealias Pages = FilledPages

  /// All rows of the statement.
  ///
  /// - Throws: `CancellationError`, checked once a page.
  func pages(_ statement: RawStatement, expecting rows: Int = 0) throws -> [RowPage] {
    try pages(statement, expecting: rows) { _ in false } ?? []
  }

  /// All rows of the statement, unless `stops` returns true; then nil.
  ///
  /// - Parameter stops: called whenever a page is full, with the key of its last row.
  /// - Throws: `CancellationError`, checked once a page.
  func pages(
    _ statement: RawStatement, expecting rows: Int, unless stops: (RowKey) throws -> Bool
  ) throws -> [RowPage]? {
    var pages = Pages(columnCount: columnCount, expecting: rows)
    var counter = wholeRowKeys.map { OccurrenceCounter($0) }
    while true {
      let isEnd =
        if let family {
          try fill(pages.page, statement, of: family)
        } else {
          try fill(pages.page, statement, &counter)
        }
      if isEnd { return pages.finish() }
      try Task.checkCancellation()
      pages.turn()
      if let last = pages.lastKey, try stops(last) { return nil }
    }
  }

  /// Appends rows to a page until it is full; returns true at the end of the statement.
  private func fill(
    _ page: RowPage, _ statement: RawStatement, _ counter: inout OccurrenceCounter?
  ) throws -> Bool {
    while !page.isFull {
      guard try statement.step() else { return true }
      var key = statement.key(at: 0)
      if counter != nil { key = try counter?.key(key) ?? key }
      if let cellRules { try check(cellRules, statement.pointer, key: key) }
      read(statement.pointer, key: key, into: page)
    }
    return false
  }

  /// Appends the statement's current row, whether or not there are rows of several entities.
  ///
  /// - Throws: `StoreError.unknownMember` for a row of an unknown entity, `.unfitValue` for a cell that a
  ///   property of its class could not be read from.
  @inline(__always)
  func readAny(_ pointer: OpaquePointer, key: RowKey, into page: RowPage) throws {
    if let family {
      try read(pointer, key: key, of: family, into: page)
    } else {
      if let cellRules { try check(cellRules, pointer, key: key) }
      read(pointer, key: key, into: page)
    }
  }

  /// Checks the statement's current row.
  private func check(
    _ rules: [(column: Int32, rule: CellRule)], _ pointer: OpaquePointer, key: RowKey
  ) throws {
    for (column, rule) in rules { try rule.check(sqlite3_column_value(pointer, column), key: key) }
  }

  /// Appends the statement's current row.
  @inline(__always)
  func read(_ pointer: OpaquePointer, key: RowKey, into page: RowPage) {
    let row = page.appendRow(key: key)
    var column: Int32 = 1
    for (slot, content) in slots {
      set(pointer, column, content, page, row, slot)
      column &+= 1
    }
  }

  /// Copies a column of the statement's current row into a cell.
  @inline(__always)
  func set(
    _ pointer: OpaquePointer, _ column: Int32, _ content: Content, _ page: RowPage, _ row: Int,
    _ slot: Slot
  ) {
    // One call that takes the connection's mutex instead of one for each of class, content and length.
    let value = sqlite3_column_value(pointer, column)
    switch content {
    case .value: page.setCell(value, row: row, column: slot.rawValue, isUTF8: hasUTF8)
    case .key:
      switch sqlite3_value_type(value) {
      case SQLITE_INTEGER: page.setInteger(sqlite3_value_int64(value), row: row, slot: slot)
      case SQLITE_NULL: break
      default:
        // A value that is not an integer refers to no row. If memory is exhausted, it is not kept.
        if let key = try? dangling?.number(of: [SQLFunctions.value(value)]) {
          page.setKey(key, row: row, slot: slot)
        }
      }
    case .computed: page.setComputedCell(value, row: row, slot: slot)
    }
  }
}

extension RowPage {
  /// Copies a computed value, or its beginning when it is too long.
  func setComputedCell(_ value: OpaquePointer?, row: Int, slot: Slot) {
    switch sqlite3_value_type(value) {
    case SQLITE_TEXT, SQLITE_BLOB:
      if ComputedCell.isCut(Int(sqlite3_value_bytes(value)), heap: heapCount) {
        setValue(.text(ComputedCell.cut(value, heap: heapCount)), row: row, slot: slot)
      } else {
        setCell(value, row: row, column: slot.rawValue)
      }
    default: setCell(value, row: row, column: slot.rawValue)
    }
  }

  /// Copies a SQLite value into a cell that is NULL. The value is used only here, on the stepping thread, as
  /// an unprotected one must be.
  ///
  /// - Parameter isUTF8: whether the file's text is, so that its bytes can be used directly.
  @inline(__always)
  func setCell(_ value: OpaquePointer?, row: Int, column: Int, isUTF8: Bool = false) {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: setInteger(sqlite3_value_int64(value), row: row, column: column)
    case SQLITE_NULL: break
    case SQLITE_FLOAT: setReal(sqlite3_value_double(value), row: row, column: column)
    case SQLITE_TEXT:
      let bytes =
        isUTF8
        ? sqlite3_value_blob(value)?.assumingMemoryBound(to: UInt8.self)
        : sqlite3_value_text(value)
      setBytes(
        UnsafeBufferPointer(
          start: bytes, count: bytes == nil ? 0 : Int(sqlite3_value_bytes(value))),
        tag: .text, row: row, column: column)
    default:
      let bytes = sqlite3_value_blob(value)?.assumingMemoryBound(to: UInt8.self)
      setBytes(
        UnsafeBufferPointer(
          start: bytes, count: bytes == nil ? 0 : Int(sqlite3_value_bytes(value))),
        tag: .blob, row: row, column: column)
    }
  }
}
