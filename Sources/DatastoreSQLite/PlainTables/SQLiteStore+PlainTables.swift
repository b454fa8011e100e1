import Basics
import DatastoreCore
package import DatastoreSQL
package import Foundation
import GRDB

extension SQLiteStore {
  /// Creates a file with the tables and rows of a source, in one transaction, without anything of
  /// SwiftDatastore in it.
  ///
  /// - Parameters:
  ///   - url: the file, which must not exist yet. After an error the caller removes it.
  ///   - isTrial: whether to create nothing, and report what would be created.
  ///   - progress: receives the number of rows written.
  /// - Throws: `PlainTableFault` for tables that cannot be created there; `StoreError`; `CancellationError`.
  package static func makePlainTables(
    of source: any PlainTableSource, at url: URL, isTrial: Bool = false,
    progress: (Int) -> Void = { _ in }
  ) throws -> MadeTables {
    let (tables, losses) = try source.tables.declared(in: SQLiteDialect())
    let statements = PlainTableStatements(SQLiteDialect())
    var names = IndexNames(tables)
    let begin = tables.map(statements.table)
    let end = tables.flatMap { table in
      statements.indexes(table) { names.name(of: $0, in: table.name) }
    }
    var made = MadeTables(of: source, tables, at: url.lastPathComponent, losses: losses)
    if isTrial {
      made.rowCount = source.rowCount
      let insertions = tables.map { insertion(into: $0.name, columnCount: $0.columns.count) }
      made.statements = (begin + insertions + end).map(\.rendered.text)
      return made
    }
    let path = try path(of: url)
    do {
      var configuration = Connections.configuration(
        keyTables: KeyTables([], budget: SQLiteMemory.budget / 2), isReadOnly: false)
      // Rows may come before those that they refer to.
      configuration.foreignKeysEnabled = false
      let connection = try DatabaseQueue(path: path, configuration: configuration)
      try connection.writeWithoutTransaction { database in
        try database.execute(sql: Connections.constructing)
        try database.inTransaction {
          for statement in begin { try RawStatement(statement, in: database).run() }
          for table in tables {
            let insertion = try RawStatement(
              insertion(into: table.name, columnCount: table.columns.count), in: database)
            try source.forEachPage(of: table) { page in
              try Task.checkCancellation()
              try insert(page, with: insertion, columnCount: table.columns.count)
              made.rowCount += page.rowCount
              progress(made.rowCount)
            }
            try count(table, in: database)
          }
          for statement in end {
            try Task.checkCancellation()
            try RawStatement(statement, in: database).run()
          }
          try checkReferences(database)
          return .commit
        }
      }
      try connection.close()
    } catch let error as DatabaseError {
      throw StoreError(error, path: path)
    }
    return made
  }

  /// A statement that inserts a row, with a parameter for each column.
  static func insertion(into table: String, columnCount: Int) -> SQLFragment {
    let marks = (0..<columnCount).map { "\(parameter: $0 + 1)" as SQLFragment }
    return "INSERT INTO \(name: table) VALUES (\(marks.joined(by: ", ")))"
  }

  /// Runs a statement that takes the cells of a row, for each row of a sealed page.
  static func insert(_ page: RowPage, with statement: RawStatement, columnCount: Int) throws {
    for row in 0..<page.rowCount {
      for column in 0..<columnCount {
        try statement.bind(page, row: row, slot: Slot(rawValue: column), at: Int32(column + 1))
      }
      try statement.run()
    }
  }

  /// Makes new keys follow the existing ones.
  private static func count(_ table: PlainTable, in database: Database) throws {
    guard table.countsKeys, table.lastKey > 0 else { return }
    try RawStatement(
      "DELETE FROM sqlite_sequence WHERE name = \(.text(table.name))", in: database
    ).run()
    try RawStatement(
      "INSERT INTO sqlite_sequence VALUES (\(.text(table.name)), \(.integer(table.lastKey)))",
      in: database
    ).run()
  }

  private static func checkReferences(_ database: Database) throws {
    let broken = try RawStatement("PRAGMA foreign_key_check", in: database)
    guard try broken.step() else { return }
    throw PlainTableFault(
      """
      A row of \(broken.value(at: 0).plainText) refers to nothing in \(broken.value(at: 2).plainText), though the \
      server was told to prevent that. Correct it, or drop the foreign key. Nothing was made.
      """)
  }
}

/// Names for indexes, which share a namespace with tables in SQLite.
private struct IndexNames {
  private var taken: Set<String>

  init(_ tables: [PlainTable]) { taken = Set(tables.map(\.name.caselessKey)) }

  mutating func name(of columns: [String], in table: String) -> String {
    let base = "\(table) by \(columns.joined(separator: ", "))"
    return taken.insertFree(base, as: \.caselessKey) { "\(base) \($0)" }
  }
}
