import CSQLiteShims
package import DatastoreCore
import DatastoreSQL
import GRDB

/// Changing columns and tables of third-party files, as far as `ALTER TABLE` supports it.
extension SQLiteStore {
  /// The statements for some edits, in their order.
  ///
  /// - Throws: `SchemaEdit.Fault` for edits that SQLite does not support.
  package func alterations(_ edits: [SchemaEdit]) throws(SchemaEdit.Fault) -> [String] {
    var statements: [String] = []
    for edit in edits { statements.append(try Self.alteration(edit).rendered.text) }
    return statements
  }

  /// Runs the statements of some edits in one transaction. This store does not know the tables afterwards;
  /// open the file again.
  ///
  /// - Throws: `SchemaEdit.Fault`; `StoreError`, also if other objects of the file do not fit the new tables.
  ///   Nothing is changed then.
  package func alter(_ edits: [SchemaEdit]) throws {
    try requireWritable()
    let statements = try alterations(edits)
    try writeTransaction { database in
      // A view with "phone" would otherwise continue with that text when the column is dropped.
      let connection = UnsafeMutableRawPointer(database.sqliteConnection)
      _ = csqliteshims_allow_double_quoted_text(connection, 0)
      defer { _ = csqliteshims_allow_double_quoted_text(connection, 1) }
      for statement in statements {
        do {
          try database.execute(sql: statement)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
          throw SchemaEdit.Fault(
            "SQLite refused “\(statement)”: \(error.message ?? "no reason is given"). Nothing was changed."
          )
        }
      }
    }
  }

  private static func alteration(_ edit: SchemaEdit) throws(SchemaEdit.Fault) -> SQLFragment {
    switch edit {
    case .addEntity, .removeEntity:
      throw SchemaEdit.Fault(
        "Tables of a file of another program are made and dropped with SQL: press : and type sql.")
    case .renameEntity(let table, let name):
      return "ALTER TABLE \(name: table) RENAME TO \(name: name)"
    case .renameProperty(let table, let column, let name):
      return "ALTER TABLE \(name: table) RENAME COLUMN \(name: column) TO \(name: name)"
    case .removeProperty(let table, let column):
      return "ALTER TABLE \(name: table) DROP COLUMN \(name: column)"
    case .addProperty(let table, let property):
      guard let attribute = property.attribute else {
        throw SchemaEdit.Fault(
          "Relationships of a file of another program are foreign keys, which are made with SQL.")
      }
      if attribute.isUnique || attribute.isIndexed {
        throw SchemaEdit.Fault(
          "SQLite adds no unique column to a table; make an index with SQL afterwards.")
      }
      let value = DeclaredValue(attribute.defaultValue)
      if !attribute.isOptional, value == nil {
        throw SchemaEdit.Fault(
          "SQLite adds a required column only with a default, which the rows get that are there.")
      }
      var definition: SQLFragment =
        "\(name: attribute.name)\(SQLiteDialect().plainDeclaration(of: attribute.type))"
      if !attribute.isOptional { definition += " NOT NULL" }
      if let value { definition += " DEFAULT " + value.literal }
      return "ALTER TABLE \(name: table) ADD COLUMN " + definition
    }
  }
}
