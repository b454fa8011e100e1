import Basics
import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

/// Presents the rows of a source to SQLite as a virtual table (<https://www.sqlite.org/vtab.html>), which is
/// read from beginning to end in the order of its keys.
final class RowSourceTable {
  /// The name of the module, registered with one connection.
  static let module = "rows_of_source"

  struct Column {
    let name: String
    let declaredType: String
    /// nil for the key.
    let slot: Slot?
  }

  private let source: any RowSource
  private let columns: [Column]
  /// SQLite keeps a pointer to it.
  private let methods = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)

  init(_ source: any RowSource, columns: [Column]) {
    self.source = source
    self.columns = columns
    var methods = sqlite3_module()
    methods.iVersion = 1
    methods.xCreate = { connection, module, _, _, table, _ in
      RowSourceTable.connect(connection, module, table)
    }
    methods.xConnect = methods.xCreate
    methods.xBestIndex = { RowSourceTable.plan($0, $1) }
    methods.xDisconnect = { RowSourceTable.disconnect($0) }
    methods.xDestroy = { RowSourceTable.disconnect($0) }
    methods.xOpen = { RowSourceTable.open($0, $1) }
    methods.xClose = { RowSourceTable.close($0) }
    methods.xFilter = { cursor, used, _, _, _ in
      RowSourceTable.moving(cursor) { try $0.begin(columns: used) }
    }
    methods.xNext = { cursor in RowSourceTable.moving(cursor) { try $0.advance() } }
    methods.xEof = { RowSourceTable.cursor($0).page == nil ? 1 : 0 }
    methods.xColumn = { cursor, context, column in
      RowSourceTable.cursor(cursor).answer(column: Int(column), context)
    }
    methods.xRowid = { cursor, rowid in
      rowid?.pointee = RowSourceTable.cursor(cursor).key
      return SQLITE_OK
    }
    self.methods.initialize(to: methods)
  }

  deinit { methods.deallocate() }

  /// The columns of the entity's table, which it replaces.
  static func columns(of mapped: EntityMapping, in database: Database) throws -> [Column] {
    var slots: [String: Slot] = [:]
    for (slot, place) in mapped.slots.placed {
      if case .attribute(let column) = place { slots[column.name] = slot }
    }
    let statement = try RawStatement(
      "SELECT name, type FROM pragma_table_info(\(.text(mapped.table))) ORDER BY cid", in: database)
    var columns: [Column] = []
    while try statement.step() {
      let name = statement.value(at: 0).plainText
      columns.append(
        Column(name: name, declaredType: statement.value(at: 1).plainText, slot: slots[name]))
    }
    return columns
  }

  /// Registers the module with a connection, which keeps it until it is closed.
  ///
  /// - Throws: `DatabaseError`.
  func register(in database: Database) throws {
    let code = sqlite3_create_module_v2(
      database.sqliteConnection, Self.module, methods, Unmanaged.passRetained(self).toOpaque()
    ) { module in
      if let module { Unmanaged<RowSourceTable>.fromOpaque(module).release() }
    }
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }

  private var declaration: String {
    let columns = columns.map { "\(name: $0.name) " + SQLFragment(stringLiteral: $0.declaredType) }
    return ("CREATE TABLE x (\(columns.joined(by: ", ")))" as SQLFragment).rendered.text
  }

  /// - Parameter used: the columns that a statement uses, as encoded by `plan`.
  fileprivate func makePages(of used: Int32) throws -> any RowPages {
    try source.makePages(
      of: SlotSet(
        columns.enumerated().compactMap { place, column in
          used & 1 << min(place, Self.lastMarked) == 0 ? nil : column.slot
        }))
  }

  /// The bit for all columns from this one on.
  private static let lastMarked = 30

  fileprivate func slot(ofColumn column: Int) -> Slot? { columns[column].slot }

  /// Whether rows come in the order of a column.
  private func isKey(_ column: Int) -> Bool { column < 0 || columns[column].slot == nil }
}

/// The callbacks of SQLite. Its structures are the first members of these, as it requires.
extension RowSourceTable {
  private struct Table {
    var base = sqlite3_vtab()
    let module: Unmanaged<RowSourceTable>
  }

  private struct Cursor {
    var base = sqlite3_vtab_cursor()
    let reader: Unmanaged<RowSourceCursor>
  }

  private static func connect(
    _ connection: OpaquePointer?, _ module: UnsafeMutableRawPointer?,
    _ result: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?
  ) -> Int32 {
    guard let module else { return SQLITE_MISUSE }
    // The connection keeps the module longer than its tables.
    let reference = Unmanaged<RowSourceTable>.fromOpaque(module)
    let code = sqlite3_declare_vtab(connection, reference.takeUnretainedValue().declaration)
    guard code == SQLITE_OK else { return code }
    let table = UnsafeMutablePointer<Table>.allocate(capacity: 1)
    table.initialize(to: Table(module: reference))
    result?.pointee = UnsafeMutableRawPointer(table).assumingMemoryBound(to: sqlite3_vtab.self)
    return SQLITE_OK
  }

  private static func disconnect(_ table: UnsafeMutablePointer<sqlite3_vtab>?) -> Int32 {
    UnsafeMutableRawPointer(table)?.assumingMemoryBound(to: Table.self).deallocate()
    return SQLITE_OK
  }

  private static func module(_ table: UnsafeMutablePointer<sqlite3_vtab>?) -> RowSourceTable {
    guard let table else { trap("SQLite passes the table that it queries") }
    return UnsafeMutableRawPointer(table).assumingMemoryBound(to: Table.self).pointee.module
      .takeUnretainedValue()
  }

  /// All rows are read for every question; only their order is known, and which columns are used.
  private static func plan(
    _ table: UnsafeMutablePointer<sqlite3_vtab>?, _ plan: UnsafeMutablePointer<sqlite3_index_info>?
  ) -> Int32 {
    guard let plan else { return SQLITE_MISUSE }
    plan.pointee.estimatedCost = 1e7
    plan.pointee.estimatedRows = 1_000_000
    let used = plan.pointee.colUsed
    let last = sqlite3_uint64(1) << lastMarked
    plan.pointee.idxNum = Int32(used % last | (used < last ? 0 : last))
    if plan.pointee.nOrderBy > 0, let order = plan.pointee.aOrderBy?[0], order.desc == 0,
      module(table).isKey(Int(order.iColumn))
    {
      // No two rows have one key.
      plan.pointee.orderByConsumed = 1
    }
    return SQLITE_OK
  }

  private static func open(
    _ table: UnsafeMutablePointer<sqlite3_vtab>?,
    _ result: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab_cursor>?>?
  ) -> Int32 {
    let cursor = UnsafeMutablePointer<Cursor>.allocate(capacity: 1)
    cursor.initialize(
      to: Cursor(reader: Unmanaged.passRetained(RowSourceCursor(of: module(table)))))
    result?.pointee =
      UnsafeMutableRawPointer(cursor).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
    return SQLITE_OK
  }

  private static func close(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 {
    guard let cursor else { return SQLITE_OK }
    let own = UnsafeMutableRawPointer(cursor).assumingMemoryBound(to: Cursor.self)
    own.pointee.reader.takeUnretainedValue().close()
    own.pointee.reader.release()
    own.deallocate()
    return SQLITE_OK
  }

  @inline(__always)
  private static func cursor(
    _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?
  ) -> RowSourceCursor {
    guard let cursor else { trap("SQLite passes the cursor that it queries") }
    return UnsafeMutableRawPointer(cursor).assumingMemoryBound(to: Cursor.self).pointee.reader
      .takeUnretainedValue()
  }

  /// Moves a cursor, and reports an error to SQLite.
  @inline(__always)
  private static func moving(
    _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?, _ move: (RowSourceCursor) throws -> Void
  ) -> Int32 {
    do {
      try move(self.cursor(cursor))
      return SQLITE_OK
    } catch {
      let text = Array("\(error)".utf8CString)
      let size = text.count
      if let memory = sqlite3_malloc64(UInt64(size)), let table = cursor?.pointee.pVtab {
        text.withUnsafeBytes {
          UnsafeMutableRawBufferPointer(start: memory, count: size).copyMemory(from: $0)
        }
        sqlite3_free(table.pointee.zErrMsg)
        table.pointee.zErrMsg = memory.assumingMemoryBound(to: CChar.self)
      }
      return SQLITE_ERROR
    }
  }
}

/// The position of a statement in the rows of a source.
private final class RowSourceCursor {
  private let table: RowSourceTable
  private var pages: (any RowPages)?
  /// The current page; nil after the last one.
  private(set) var page: RowPage?
  private var row = 0

  init(of table: RowSourceTable) {
    self.table = table
  }

  var key: Int64 { page?.key(ofRow: row).rawValue ?? 0 }

  func begin(columns used: Int32) throws {
    close()
    pages = try table.makePages(of: used)
    try read()
  }

  @inline(__always)
  func advance() throws {
    row += 1
    if let page, row < page.rowCount { return }
    try read()
  }

  private func read() throws {
    row = 0
    repeat { page = try pages?.next() } while page.map { $0.rowCount == 0 } ?? false
  }

  func close() {
    pages?.close()
    (pages, page) = (nil, nil)
  }

  func answer(column: Int, _ context: OpaquePointer?) -> Int32 {
    guard let page else { return SQLITE_OK }
    guard let slot = table.slot(ofColumn: column) else {
      sqlite3_result_int64(context, key)
      return SQLITE_OK
    }
    switch page.tag(row: row, slot: slot) {
    case .null: sqlite3_result_null(context)
    case .integer: sqlite3_result_int64(context, page.integer(row: row, slot: slot))
    case .real: sqlite3_result_double(context, page.real(row: row, slot: slot))
    case .text:
      let bytes = page.bytes(row: row, slot: slot)
      bytes.withMemoryRebound(to: CChar.self) { text in
        // Statements keep texts longer than a page.
        if let start = text.baseAddress {
          sqlite3_result_text64(
            context, start, UInt64(text.count), RawStatement.transient, UInt8(SQLITE_UTF8))
        } else {
          sqlite3_result_text(context, "", 0, RawStatement.transient)
        }
      }
    case .blob:
      let bytes = page.bytes(row: row, slot: slot)
      if bytes.isEmpty {
        sqlite3_result_zeroblob(context, 0)
      } else {
        sqlite3_result_blob64(
          context, bytes.baseAddress, UInt64(bytes.count), RawStatement.transient)
      }
    }
    return SQLITE_OK
  }
}
