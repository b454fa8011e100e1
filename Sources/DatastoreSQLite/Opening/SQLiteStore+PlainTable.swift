package import DatastoreCore
import DatastoreSQL
package import Foundation
import GRDB

extension SQLiteStore {
  /// Creates a third-party file with one table and its first rows. The columns are declared without types, so
  /// that every value is kept unchanged.
  ///
  /// The file is in WAL mode, so that it can be read while more rows are written.
  ///
  /// - Parameters:
  ///   - table: the name of the table.
  ///   - columns: the names of its columns; SQLite considers two that differ only in case equal.
  ///   - rows: sealed, with a cell for each column; nil for none.
  ///   - url: the file to create; it must not exist yet.
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
        // The file is deleted with the program that makes it.
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
