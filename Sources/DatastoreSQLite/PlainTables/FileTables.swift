import Basics
import DatastoreCore
package import DatastoreSQL
package import Foundation
import GRDB
import GRDBSQLite
import SQLiteFiles

/// The tables of any SQLite file, as seen by one transaction, with types that all their values fit.
struct FileTables: PlainTableSource {
  private let database: Database
  private(set) var tables: [PlainTable] = []
  private(set) var losses: [String] = []
  private(set) var rowCount = 0
  let place: String
  /// By the exact keys of tables and columns.
  private var dates: [String: [DateConvention?]] = [:]

  /// Reads every row once.
  ///
  /// - Throws: `PlainTableFault` for values that no server can hold; `CancellationError`; `DatabaseError`.
  init(_ database: Database, place: String) throws {
    self.database = database
    self.place = place
    let all = try FileTable.all(in: database)
    let copied = all.filter { $0.kind == .table && !$0.columns.isEmpty }
    losses = FileTableLosses(database).leftOut(all)
    let recognition = DateRecognition(database, tables: all)
    for table in copied {
      tables.append(try examined(table, recognition.conventions(of: table)))
    }
    losses += try FileTableLosses(database).undeclared(copied)
    for place in tables.indices {
      let keys = tables[place].foreignKeys
      let deferred = copied[place].declaration.map { SQLTokens($0).deferredReferences } ?? []
      tables[place].foreignKeys = try keys.enumerated().compactMap { number, key in
        var key = canonical(key, among: copied)
        key.isDeferred = deferred.count == keys.count && deferred[number]
        return try leadsSomewhere(key, tables[place], copied) ? key : nil
      }
    }
  }

  func forEachPage(of table: PlainTable, _ take: (RowPage) throws -> Void) throws {
    let statement = try RawStatement(Self.select(table), in: database)
    let dates = self.dates[table.name.exactKey] ?? []
    var pages = FilledPages(columnCount: table.columns.count, expecting: RowPage.fullCount)
    while try statement.step() {
      let page = try pages.next()
      let row = page.appendRow(key: RowKey(0))
      for (place, column) in table.columns.enumerated() {
        set(page, row, place, statement, column.type, dates[place])
      }
      if pages.fullCount > 0 { try pages.takeFull().forEach(take) }
    }
    try pages.finish().forEach(take)
  }

  private static func select(_ table: PlainTable, _ more: SQLFragment = "") -> SQLFragment {
    let names = table.columns.map { "\(name: $0.name)" as SQLFragment }.joined(by: ", ")
    return "SELECT \(names)\(more) FROM \(name: table.name)"
  }

  /// Sets a cell in the form of its column's type.
  private func set(
    _ page: RowPage, _ row: Int, _ column: Int, _ statement: RawStatement, _ type: AttributeType,
    _ dates: DateConvention?
  ) {
    let place = Int32(column)
    let stored = sqlite3_column_type(statement.pointer, place)
    switch (stored, type) {
    case (SQLITE_NULL, _): break
    case (_, .date):
      let value = statement.value(at: place)
      let moment = dates.flatMap { ColumnContent.moment(of: value, $0) }
      let real = moment.flatMap { DateConvention.own.value(of: $0) }
      page.setValue(real ?? .null, row: row, column: column)
    case (SQLITE_INTEGER, .string), (SQLITE_FLOAT, .string):
      let value = statement.value(at: place)
      page.setValue(.text(value.writtenNumber), row: row, column: column)
    case (SQLITE_TEXT, .double): page.setReal(.nan, row: row, column: column)
    case (SQLITE_INTEGER, .double), (SQLITE_FLOAT, _):
      page.setReal(sqlite3_column_double(statement.pointer, place), row: row, column: column)
    case (SQLITE_INTEGER, _):
      page.setInteger(sqlite3_column_int64(statement.pointer, place), row: row, column: column)
    default:
      page.setBytes(
        statement.bytes(at: place), tag: stored == SQLITE_TEXT ? .text : .blob, row: row,
        column: column)
    }
  }
}

// Types found from rows.
extension FileTables {
  /// A table with types that all its values fit.
  private mutating func examined(
    _ table: FileTable, _ conventions: [String: DateConvention]
  ) throws -> PlainTable {
    var plain = PlainTable(table)
    var contents = table.columns.map {
      ColumnContent(dates: conventions[$0.name.exactKey])
    }
    var key: SQLFragment = ""
    if case .rowid(let name) = table.key { key = ", \(name: name)" }
    let statement = try RawStatement(Self.select(plain, key), in: database)
    var count = 0
    while try statement.step() {
      count += 1
      if count & 0xFFF == 0 { try Task.checkCancellation() }
      for column in contents.indices {
        guard let fault = contents[column].observe(statement, Int32(column)) else { continue }
        let row =
          key.isEmpty
          ? "row number \(count)" : "the row \(statement.key(at: Int32(contents.count)).rawValue)"
        throw PlainTableFault(
          """
          \([PlainTable].shown(plain, table.columns[column].name)) of \(row) \(fault.rawValue), so no \
          server can hold it. Correct it, or store it as a blob. Nothing was made.
          """)
      }
    }
    rowCount += count
    for column in contents.indices {
      try settle(contents[column], column, of: &plain, declared: table.columns[column].declaredType)
    }
    dates[plain.name.exactKey] = contents.map(\.dates)
    try settleKey(contents, of: &plain, table)
    return plain
  }

  private mutating func settle(
    _ content: ColumnContent, _ column: Int, of table: inout PlainTable, declared: String
  ) throws {
    let name = [PlainTable].shown(table, table.columns[column].name)
    guard let (type, misfits, wanted) = content.type(wanted: table.columns[column].type) else {
      throw PlainTableFault(
        """
        \(name) holds bytes beside other values, and a column of a server holds one kind. Make all of \
        them blobs: UPDATE … SET … = CAST(… AS BLOB). Nothing was made.
        """)
    }
    table.columns[column].type = type
    if type == .string, wanted == .string, !content.isEmpty, DeclaredType.isOfNoText(declared) {
      losses.append("\(name) is text; it was \(declared).")
    } else if misfits > 0 {
      losses.append(
        "\(name) is \(type.article)\(type.noun): \(CountText.counted(misfits, "value")) "
          + (misfits == 1 ? "is no \(wanted.noun)." : "are no \(CountText.plural(wanted.noun))."))
    }
    if content.nulls > 0, !table.columns[column].isOptional {
      table.columns[column].isOptional = true
      losses.append("\(name) may be empty: some rows have no value there.")
    }
  }

  /// SQLite's keys may be NULL, unless they are whole numbers; those of servers may not.
  private mutating func settleKey(
    _ contents: [ColumnContent], of table: inout PlainTable, _ described: FileTable
  ) throws {
    let parts = table.columns.indices.filter { column in
      table.primaryKey.contains { $0.isExactly(table.columns[column].name) }
    }
    if parts.contains(where: { contents[$0].nulls > 0 }) {
      losses.append(
        "\(table.name) has no primary key; its columns are unique: some rows have no value there.")
      table.unique.insert(table.primaryKey, at: 0)
      table.primaryKey = []
      return
    }
    for column in parts { table.columns[column].isOptional = false }
    guard let key = described.rowidColumn else { return }
    table.countsKeys = true
    table.lastKey =
      try RawStatement(
        "SELECT max(\(name: key)) FROM \(name: table.name)", in: database
      ).firstInteger() ?? 0
    if described.isAutoincrement {
      let last = try? RawStatement(
        "SELECT seq FROM sqlite_sequence WHERE name = \(.text(table.name))", in: database
      ).firstInteger()
      table.lastKey = max(table.lastKey, last ?? 0)
    }
  }
}

// References.
extension FileTables {
  /// The key with names as declared, which SQLite finds ignoring case.
  private func canonical(
    _ key: DescribedReference, among tables: [FileTable]
  ) -> DescribedReference {
    guard let target = tables.first(where: { $0.name.caselessKey == key.table.caselessKey }) else {
      return key
    }
    return DescribedReference(
      table: target.name, columns: key.columns,
      referenced: key.referenced.map { target.column($0)?.name ?? $0 }, onDelete: key.onDelete,
      onUpdate: key.onUpdate)
  }

  /// Whether every row refers to an existing one, byte by byte, as servers compare.
  private mutating func leadsSomewhere(
    _ key: DescribedReference, _ table: PlainTable, _ tables: [FileTable]
  ) throws -> Bool {
    guard let target = tables.first(where: { $0.name.isExactly(key.table) }) else { return true }
    let referenced = key.referenced.isEmpty ? target.primaryKey : key.referenced
    // `declared(in:)` reports references that no engine can follow.
    guard referenced.count == key.columns.count else { return true }
    let parts = zip(key.columns, referenced).map { own, other -> SQLFragment in
      let isSame: SQLFragment = "target.\(name: other) = child.\(name: own)"
      return target.column(other)?.isBinary == false ? isSame + " COLLATE BINARY" : isSame
    }
    let have = key.columns.map { "child.\(name: $0) IS NOT NULL" as SQLFragment }
    let count: Int64?
    do {
      count = try RawStatement(
        """
        SELECT count(*) FROM \(name: table.name) AS child WHERE \(have.joined(by: " AND ")) AND NOT EXISTS \
        (SELECT 1 FROM \(name: target.name) AS target WHERE \(parts.joined(by: " AND ")))
        """, in: database
      ).firstInteger()
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      return true
    }
    guard let count, count > 0 else { return true }
    losses.append(
      """
      \([PlainTable].shown(table, key.columns.joined(separator: ", "))) is no foreign key: \
      \(CountText.counted(Int(count), "row")) \(count == 1 ? "refers" : "refer") to nothing in \(target.name).
      """)
    return false
  }
}

extension SQLiteStore {
  /// Runs `body` with the tables of any SQLite file, at one moment.
  ///
  /// - Throws: the errors of `body`; `PlainTableFault` for values that no server can hold; `StoreError`;
  ///   `CancellationError`.
  package static func withPlainTables<Result>(
    of url: URL, _ body: (any PlainTableSource) throws -> Result
  ) throws -> Result {
    let path = try path(of: url)
    try FileHeader.checkPresent(path)
    var side = SideFiles(path: path)
    defer { side.tidyUp() }
    do {
      return try side.reading(isReadOnly: true) { place in
        let queue = try DatabaseQueue(path: place, configuration: Connections.probing())
        let result = try queue.read { try body(FileTables($0, place: url.lastPathComponent)) }
        try queue.close()
        return result
      }
    } catch let error as DatabaseError {
      throw StoreError(error, path: path)
    }
  }
}

extension Value {
  /// A number as text that parses back as the same number.
  fileprivate var writtenNumber: String {
    switch self {
    case .integer(let integer): String(integer)
    case .real(let real): "\(real)"
    default: ""
    }
  }
}

extension AttributeType {
  /// A value of the type, in a sentence.
  fileprivate var noun: String {
    switch self {
    case .string: "text"
    case .double: "number"
    case .data: "blob"
    case .date, .calendarDate: "date"
    default: isInteger ? "whole number" : rawValue
    }
  }

  fileprivate var article: String { self == .string ? "" : "a " }
}
