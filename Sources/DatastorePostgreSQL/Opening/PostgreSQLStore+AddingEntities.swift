#if PostgreSQL
import Basics
package import DatastoreCore
import DatastoreSQL

/// New tables in a database that has others. Each call is one transaction.
extension PostgreSQLStore {
  /// Creates tables for entities with attributes only: as entities of their own in a native store, as plain
  /// tables in any other database. This store does not know them; open it again.
  ///
  /// - Throws: `StoreError`; nothing is changed then.
  package func addEntities(_ descriptions: [EntityDescription]) throws {
    try requireWritable()
    guard mapping.isNative else { return try change(descriptions.map(Self.plainTable)) }
    let place = MigratedSchema.place(server, address.searchPath?.first ?? "")
    let (all, added) = try mapping.adding(descriptions, at: place)
    let grown = all.withoutWordIndexes
    let tables = NativeTables(mapping: grown)
    let names = Set(added.map { grown.entities[$0.index].table })
    let indexes = tables.describedIndexes.filter { names.contains($0.table) }.map { index in
      grown.dialect.statement(
        for: index, key: grown.entities.first { $0.table == index.table }?.keyColumn)
    }
    try change(
      added.map(KeyBlocks.declaration) + added.map { tables.table($0) } + indexes
        + ChangeLog(mapping: grown, capabilities: capabilities).triggers
        + NativeDescription.statements(describing: grown.schema))
  }

  /// Removes entities that `addEntities` has created, if they have no rows.
  ///
  /// - Throws: `StoreError`; nothing is changed then.
  package func removeEmptyEntities(_ names: [String]) throws {
    let empty = try names.compactMap(schema.entity(named:)).filter {
      try count(FetchRequest(entity: $0.name)) == 0
    }
    if empty.isEmpty { return }
    try requireWritable()
    var statements = empty.map { entity -> SQLFragment in
      "DROP TABLE \(mapping.entities[entity.index].qualifiedTable)"
    }
    if mapping.isNative {
      statements += empty.map { "DROP SEQUENCE IF EXISTS \(name: KeyBlocks.sequence(of: $0))" }
      let kept = schema.entities.filter { entity in
        !empty.contains { $0.index == entity.index }
      }
      statements += try NativeDescription.statements(
        describing: Schema(kept.map(\.description)))
    }
    try change(statements)
  }

  /// Indexes the columns that columns of other tables seem to refer to by their names, if no value occurs
  /// twice, so that such relationships can be suggested and followed.
  ///
  /// For rows that were loaded side by side: nothing says which columns are their keys.
  ///
  /// - Throws: `StoreError`.
  package func indexReferencedColumns() throws {
    try requireWritable()
    let tables = try read { try ServerTable.all(on: $0) }.filter { table in
      mapping.entities.contains {
        $0.table.isExactly(table.storedName) && ($0.namespace ?? table.schema) == table.schema
      }
    }
    for (table, column) in RelationshipNames.referencedColumns(tables)
    where column != table.primaryKey.first {
      let place: SQLFragment = "\(name: table.schema).\(name: table.storedName)"
      let repeated = try read { connection in
        try connection.run(
          PostgreSQLStatement(
            """
            SELECT 1 FROM \(place) WHERE \(name: column) IS NOT NULL \
            GROUP BY \(name: column) HAVING count(*) > 1 LIMIT 1
            """)
        ).rowCount > 0
      }
      if !repeated { try change(["CREATE UNIQUE INDEX ON \(place) (\(name: column))"]) }
    }
  }

  private func change(_ statements: [SQLFragment]) throws {
    let statements = try statements.map { try PostgreSQLStatement($0) }
    _ = try read { try $0.run(statements) }
  }

  private static func freeName(beside taken: [String]) -> String {
    var (name, number) = ("id", 1)
    while taken.contains(name) {
      name = number == 1 ? "_id" : "_id\(number)"
      number += 1
    }
    return name
  }

  /// A table as other programs expect it: a unique column is its key, and if there is none it gets a counted
  /// key.
  private static func plainTable(_ description: EntityDescription) -> SQLFragment {
    var table = PlainTable(description)
    if table.primaryKey.isEmpty {
      let name = freeName(beside: table.columns.map { $0.name.lowercased() })
      table.columns.insert(PlainTable.Column(name, .integer64, isOptional: false), at: 0)
      table.primaryKey = [name]
      table.countsKeys = true
    }
    return PlainTableStatements(PostgreSQLDialect()).table(table)
  }
}
#endif
