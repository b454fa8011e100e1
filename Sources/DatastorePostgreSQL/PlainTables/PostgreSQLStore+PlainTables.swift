#if PostgreSQL
import Basics
import DatastoreCore
package import DatastoreSQL

extension PostgreSQLStore {
  /// Creates tables with the rows of a source, in one transaction. Keys, indexes and references follow the
  /// rows.
  ///
  /// - Parameters:
  ///   - schema: created if it does not exist; nil for the first one of the search path.
  ///   - isTrial: whether to create nothing, and only report what would be done.
  ///   - progress: receives the number of rows written.
  /// - Throws: `PlainTableFault` for tables that cannot be created there; `StoreError`; `CancellationError`.
  ///   Nothing is created then.
  package static func makePlainTables(
    of source: any PlainTableSource, at address: PostgreSQLAddress, in schema: String?,
    isTrial: Bool = false, progress: (Int) -> Void = { _ in }
  ) throws -> MadeTables {
    let (tables, losses) = try source.tables.declared(in: PostgreSQLDialect())
    return try onConnection(to: address) { connection in
      let place = try PlainTablePlace(connection, schema)
      try place.checkFree(tables)
      let statements = PlainTableStatements(PostgreSQLDialect(), in: place.schema)
      let begin = place.beginning + tables.map(statements.bareTable)
      let copies = tables.map { CopiedPlainRows($0, at: statements.place(of: $0.name)) }
      let end =
        tables.flatMap(statements.keys) + tables.flatMap { statements.indexes($0) }
        + tables.flatMap(statements.references)
      var made = MadeTables(of: source, tables, at: place.description, losses: losses)
      if isTrial {
        made.rowCount = source.rowCount
        made.statements = try begin.map { try $0.textWithValues() }
        made.statements += try copies.map { try $0.statement() }
        made.statements += try end.map { try $0.textWithValues() }
        return made
      }
      _ = try connection.run(
        [PostgreSQLStatement("BEGIN")] + begin.map { try PostgreSQLStatement($0) })
      for (table, rows) in zip(tables, copies) {
        var rows = rows
        let before = made.rowCount
        made.rowCount += try connection.copyIn(rows.statement()) { put in
          try source.forEachPage(of: table) { page in
            try Task.checkCancellation()
            try rows.append(page)
            guard let piece = rows.takeFull() else { return }
            try put(piece)
            progress(before + rows.count)
          }
          try put(rows.takeRest())
        }
        progress(made.rowCount)
      }
      // One by one, so that each can be cancelled.
      for statement in end {
        try Task.checkCancellation()
        _ = try connection.run(PostgreSQLStatement(statement))
      }
      _ = try connection.run(PostgreSQLStatement("COMMIT"))
      return made
    }
  }
}

/// The schema in which plain tables are created.
private struct PlainTablePlace {
  let schema: String
  let description: String
  /// The statements that create it.
  let beginning: [SQLFragment]
  private let connection: PostgreSQLConnection

  init(_ connection: PostgreSQLConnection, _ wanted: String?) throws {
    self.connection = connection
    let result = try connection.run(
      PostgreSQLStatement(
        """
        SELECT current_schema()::text, EXISTS (SELECT FROM pg_namespace WHERE nspname = $1::text)
        """, [wanted.map { .text($0) } ?? .null(.text)]))
    let database = "the database “\(connection.server.database)”"
    if let wanted, wanted.utf8.count > 63 || wanted.isEmpty {
      throw StoreError.unusableName(wanted)
    }
    guard let schema = wanted ?? result.text(0, 0) else {
      throw PlainTableFault(
        "There is no schema for the tables in \(database); name one with --as.",
        isOfPlace: true)
    }
    self.schema = schema
    description = wanted.map { "the schema “\($0)” of \(database)" } ?? database
    beginning = wanted == nil || result.bool(0, 1) ? [] : ["CREATE SCHEMA \(name: schema)"]
  }

  /// - Throws: `PlainTableFault` if something has a table's name already.
  func checkFree(_ tables: [PlainTable]) throws {
    let result = try connection.run(
      PostgreSQLStatement(
        """
        SELECT c.relname::text FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace \
        WHERE n.nspname = $1::text AND c.relname = ANY ($2) ORDER BY 1
        """, [.text(schema), .textArray(tables.map(\.name))]))
    guard result.rowCount > 0 else { return }
    let names = (0..<result.rowCount).map { "“\(result.text($0, 0) ?? "")”" }
    let are = names.count > 5 ? " and others are" : names.count > 1 ? " are" : " is"
    throw PlainTableFault(
      """
      \(names.prefix(5).joined(separator: ", "))\(are) in \(description) already. Nothing was made; name another \
      schema with --as.
      """, isOfPlace: true)
  }
}

/// Rows of a plain table to be copied to a server.
private struct CopiedPlainRows: ServerFields {
  private let table: PlainTable
  private let place: SQLFragment
  private let forms: [ServerForm]
  var bytes = CopiedRows.header
  private(set) var count = 0

  init(_ table: PlainTable, at place: SQLFragment) {
    self.table = table
    self.place = place
    forms = table.columns.map { ServerForm(copying: $0.type) }
  }

  mutating func countField(isNull: Bool) {}

  func statement() throws -> String {
    let names = table.columns.map { "\(name: $0.name)" as SQLFragment }.joined(by: ", ")
    return try ("COPY \(place) (\(names)) FROM STDIN (FORMAT binary)" as SQLFragment)
      .textWithValues()
  }

  /// - Throws: `PlainTableFault` for a value that its column cannot hold.
  mutating func append(_ page: RowPage) throws {
    for row in 0..<page.rowCount {
      put(Int16(forms.count))
      count += 1
      for column in forms.indices {
        let slot = Slot(rawValue: column)
        // NaN is NULL in native stores.
        if page.tag(row: row, slot: slot) == .real, forms[column].element == .float8 {
          append(page.real(row: row, slot: slot))
          continue
        }
        do {
          _ = try forms[column].append(page, row, slot, to: &self)
        } catch {
          throw PlainTableFault(
            """
            \([PlainTable].shown(table, table.columns[column].name)) of row number \(count) \(error.detail). \
            Nothing was made.
            """)
        }
      }
    }
  }

  /// The bytes to be sent, once there are enough.
  mutating func takeFull() -> [UInt8]? {
    guard bytes.count >= CopiedRows.portion else { return nil }
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  mutating func takeRest() -> [UInt8] {
    defer { bytes = [] }
    return bytes + CopiedRows.end
  }
}
#endif
