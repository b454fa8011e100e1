import Basics
import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

import struct Foundation.Date

/// The rows of a file's tables as they were at one moment, in a database of its own.
///
/// It is a temporary file of SQLite without a name, which is gone with its connection, whatever happens. Its tables
/// have the names and columns of the file's, so that statements that read rows of the file read the former ones
/// there. It has no connection to the file, which may be closed and opened again meanwhile.
final class TableCopies: StoreBaseline {
  /// What is kept of a table.
  enum Content: Sendable {
    case rows(ComparedColumns, count: Int)
    /// Nothing, for this reason: the end of a sentence.
    case nothing(String)
  }

  /// More bytes are not kept of all tables together.
  private static let mostBytes = 32 << 20
  /// A table with more rows is not kept.
  private static let mostRows = 250_000

  let date = Date()
  private let copies: DatabaseQueue
  /// By the name of the table in lower case.
  private let contents: [String: Content]

  /// Copies the tables that the objects of the mapping are kept in.
  ///
  /// - Throws: `DatabaseError`, also when it is interrupted.
  init(_ read: SQLiteReadTransaction) throws {
    var configuration = Connections.configuration(
      keyTables: read.mapping.keyTables, isReadOnly: false)
    configuration.foreignKeysEnabled = false
    copies = try DatabaseQueue(path: "", configuration: configuration)
    let tables = try FileTable.all(in: read.database)
    let wanted = read.mapping.comparedTables
    // What is gone with the program needs neither a journal nor a sync.
    try copies.writeWithoutTransaction {
      try $0.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
    }
    contents = try copies.write { copies in
      var room = Self.mostBytes
      var contents: [String: Content] = [:]
      for table in tables where wanted.contains(table.name.caselessKey) {
        contents[table.name.caselessKey] = try Self.copy(
          table, from: read.database, to: copies, room: &room)
      }
      return contents
    }
  }

  /// Runs `body` on the former rows of a table, which are given the columns that it has now.
  ///
  /// - Returns: why that cannot be done, where it cannot.
  func read(
    _ columns: ComparedColumns, _ mapping: SchemaMapping,
    _ body: (_ former: Database, _ count: Int) throws -> Void
  ) throws -> String? {
    try copies.writeWithoutTransaction { copies in
      var count = 0
      switch contents[columns.table.caselessKey] {
      case .nothing(let reason): return reason
      case .rows(let former, let rows):
        guard former.key.map({ $0.caselessKey }) == columns.key.map({ $0.caselessKey }) else {
          return "its rows have another key now"
        }
        count = rows
      case nil: break
      }
      // A table that was not there has no former rows.
      let names = try RawStatement(
        "SELECT name FROM pragma_table_xinfo(\(.text(columns.table)))", in: copies
      ).rows().map { $0[0].plainText.caselessKey }
      if names.isEmpty { try RawStatement(columns.declaration, in: copies).run() }
      for name in columns.all where !names.isEmpty && !names.contains(name.caselessKey) {
        try RawStatement(
          "ALTER TABLE \(name: columns.table) ADD COLUMN \(name: name)", in: copies
        ).run()
      }
      // The numbers of keys are those of the mapping that asks.
      try SQLFunctions.register(in: copies, keyTables: mapping.keyTables)
      try body(copies, count)
      return nil
    }
  }

  /// Copies the rows of a table, if there is room for them; else makes it without any.
  private static func copy(
    _ table: FileTable, from file: Database, to copies: Database, room: inout Int
  ) throws -> Content {
    guard let columns = ComparedColumns(table) else {
      return .nothing("nothing but their values distinguishes its rows")
    }
    try RawStatement(columns.declaration, in: copies).run()
    let counted = try RawStatement(
      "SELECT count(*) FROM (SELECT 1 FROM \(name: table.name) LIMIT \(number: mostRows + 1))",
      in: file
    ).firstInteger()
    guard counted ?? 0 <= mostRows else {
      return .nothing("it had more than \(mostRows) rows")
    }
    let rows = try RawStatement(columns.rows, in: file)
    let insertion = try RawStatement(columns.insertion, in: copies)
    let width = Int32(columns.key.count + columns.stored.count)
    let before = room
    var count = 0
    while try rows.step() {
      for column in 0..<width {
        room -= 8
        switch sqlite3_column_type(rows.pointer, column) {
        case SQLITE_TEXT, SQLITE_BLOB: room -= Int(sqlite3_column_bytes(rows.pointer, column))
        default: break
        }
      }
      guard room > 0 else {
        // What is left is for small tables, so that large ones are not read for nothing again and again.
        room = min(before, mostBytes / 8)
        insertion.reset()
        try RawStatement("DELETE FROM \(name: table.name)", in: copies).run()
        return .nothing("there was no room to keep its rows")
      }
      for column in 0..<width {
        sqlite3_bind_value(
          insertion.pointer, column + 1, sqlite3_column_value(rows.pointer, column))
      }
      try insertion.run()
      count += 1
    }
    return .rows(columns, count: count)
  }
}

extension SchemaMapping {
  /// The tables that the objects and their pairs are kept in, by their names in lower case.
  var comparedTables: Set<String> {
    var names: Set<String> = []
    for entity in schema.entities {
      let mapped = entities[entity.index]
      guard mapped.kind == .table, mapped.unreadableReason == nil else { continue }
      names.insert(mapped.table.caselessKey)
      for case .toManyJoin(let join) in mapped.slots { names.insert(join.table.caselessKey) }
    }
    return names
  }
}
