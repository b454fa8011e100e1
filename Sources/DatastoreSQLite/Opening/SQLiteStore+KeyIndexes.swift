import DatastoreSQL
import GRDB

/// Columns for references from the rows of one table to those of another.
extension SQLiteStore {
  /// Indexes the columns that those of other tables seem to refer to by their names, if their values are
  /// unique, so that such relationships can be suggested and followed.
  ///
  /// For files of rows that were loaded separately, whose keys are not declared.
  ///
  /// - Throws: `StoreError`.
  package func indexReferencedColumns() throws {
    try writeTransaction { database in
      let tables = try referringTables(in: database)
      for (table, column) in RelationshipNames.referencedColumns(tables) {
        try indexUnlessRepeated(column, of: table.name, in: database)
      }
    }
  }

  private func indexUnlessRepeated(
    _ column: String, of table: String, in database: Database
  ) throws {
    let repeated = try RawStatement(
      """
      SELECT 1 FROM \(name: table) WHERE \(name: column) IS NOT NULL \
      GROUP BY \(name: column) HAVING count(*) > 1 LIMIT 1
      """, in: database
    ).firstInteger()
    guard repeated == nil else { return }
    try RawStatement(
      "CREATE UNIQUE INDEX \(name: "\(table) by \(column)") ON \(name: table) (\(name: column))",
      in: database
    ).run()
  }
}
