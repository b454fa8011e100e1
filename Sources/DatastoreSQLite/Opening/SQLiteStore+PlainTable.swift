package import DatastoreCore
import DatastoreSQL
package import Foundation
import GRDB

extension SQLiteStore {
  /// Makes a third-party file with one table and its first rows. The columns are declared with no type, so
  /// that every value stays what it is.
  ///
  /// The file is in WAL mode, so that it is read while more rows are written.
  ///
  /// - Parameters:
  ///   - table: the name of the table.
  ///   - columns: the names of its columns; two that differ in case only are one to SQLite.
  ///   - rows: sealed, with a cell for each column; nil for none.
  ///   - url: the file to create; there must be none yet.
  /// - Throws: `StoreError`.
  package static func makePlainTable(
    _ table: String, columns: [String], rows: RowPage?, at url: URL
  ) throws {
    let path = try Self.path(of: url)
    do {
      let connection = try DatabaseQueue(
        path: path,
        configuration: Connections.configuration(
          keyTables: KeyTables([], budget: SQLiteMemory.budget / 2), isReadOnly: false))
      try connection.writeWithoutTransaction { database in
        // The file is gone with the program that makes it.
        try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF")
        try database.inTransaction {
          let list = columns.map { "\(name: $0)" as SQLFragment }.joined(by: ", ")
          try RawStatement("CREATE TABLE \(name: table) (\(list))", in: database).run()
          if let rows {
            let statement = try RawStatement(
              insertion(into: table, columnCount: columns.count), in: database)
            try insert(rows, with: statement, columnCount: columns.count)
          }
          return .commit
        }
      }
      try connection.close()
    } catch let error as DatabaseError {
      throw StoreError(error, path: path)
    }
  }
}
