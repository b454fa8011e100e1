#if PostgreSQL
import Basics
import DatastoreCore
package import DatastoreSQL

/// The tables of a database, or of one schema, as one transaction sees them, with types that files have, too:
/// every other type is text.
struct ServerTables: PlainTableSource {
  private let connection: PostgreSQLConnection
  private(set) var tables: [PlainTable] = []
  private(set) var losses: [String] = []
  private(set) var rowCount = 0
  private var found: [String: ServerTable] = [:]
  var place: String { "the database “\(connection.server.database)”" }

  /// - Parameters:
  ///   - connection: a connection in a transaction that sees one state.
  ///   - schema: nil for the tables of all schemas except native stores.
  /// - Throws: `PostgreSQLFailure`; `StoreError`.
  init(_ connection: PostgreSQLConnection, schema: String?) throws {
    self.connection = connection
    let all = try ServerTable.all(on: connection, asksWrappers: false)
    let ours = Set(all.filter { $0.storedName == "_datastore" }.map(\.schema.exactKey))
    let shown =
      schema.map { Self.named(all, in: $0) } ?? all.filter { !ours.contains($0.schema.exactKey) }
    for table in shown {
      if let reason = Self.reasonToLeaveOut(table) {
        losses.append("The \(table.kind.rawValue) \(table.name) is left out\(reason).")
        continue
      }
      found[table.name.exactKey] = table
      tables.append(try plain(table))
      note(table)
    }
    losses += try undeclared(shown)
  }

  /// The tables of one schema with their own names, whatever the names in other schemas are.
  private static func named(_ all: [ServerTable], in schema: String) -> [ServerTable] {
    all.filter { $0.schema.isExactly(schema) }.map { table in
      var table = table
      table.name = table.storedName
      table.foreignKeys = table.foreignKeys.map { key in
        let target = all.first { $0.name.isExactly(key.table) }
        let isHere = target?.schema.isExactly(schema) ?? false
        let name = target.map { isHere ? $0.storedName : "\($0.schema).\($0.storedName)" }
        return DescribedReference(
          table: name ?? key.table, columns: key.columns, referenced: key.referenced,
          onDelete: key.onDelete, onUpdate: key.onUpdate)
      }
      return table
    }
  }

  private static func reasonToLeaveOut(_ table: ServerTable) -> String? {
    if let reason = table.unreadableReason { return ": \(reason)" }
    if table.relation != .table, table.relation != .partitioned { return "" }
    return table.columns.isEmpty ? ": it has no columns" : nil
  }

  func forEachPage(of table: PlainTable, _ take: (RowPage) throws -> Void) throws {
    guard let found = found[table.name.exactKey] else { return }
    let columns = found.columns.map(\.copied).joined(by: ", ")
    var pages = ServerRowReader.Pages(
      columnCount: found.columns.count, expecting: RowPage.fullCount, counter: nil)
    var cells: [ServerCell] = []
    let select: SQLFragment = "SELECT \(columns) FROM \(found.place)"
    try connection.stream([PostgreSQLStatement(select)]) { result in
      if cells.isEmpty {
        cells = (0..<result.columnCount).map { ServerCell(result.type(ofColumn: $0)) }
      }
      for number in 0..<result.rowCount {
        let page = try pages.next()
        let row = page.appendRow(key: RowKey(0))
        for column in cells.indices {
          guard let bytes = result.field(number, column) else { continue }
          cells[column].set(bytes, page, row: row, column: column)
          // SQLite has no NaN, and would store NULL.
          if cells[column] == .real, bytes.networkReal.isNaN {
            page.setValue(.text("NaN"), row: row, column: column)
          }
        }
      }
      for page in pages.takeFull() { try take(page) }
    }
    for page in pages.finish() { try take(page) }
  }
}

// The declared columns, keys and indexes.
extension ServerTables {
  private mutating func plain(_ table: ServerTable) throws -> PlainTable {
    var plain = PlainTable(table)
    for (place, column) in table.columns.enumerated() {
      switch column.kind {
      case .real: plain.columns[place].type = .double
      case .decimal, .uuid, .instant, .localTime: plain.columns[place].type = .string
      default: break
      }
      if let text = column.defaultLiteral { plain.columns[place].fallback = .text(text) }
    }
    var count: SQLFragment = "SELECT count(*)"
    if let key = plain.integerKey, let column = table.column(key) {
      plain.countsKeys =
        !column.identity.isEmpty || column.defaultText?.begins(with: "nextval(") ?? false
      count += """
        , greatest(max(\(name: key)), (SELECT CASE WHEN has_sequence_privilege(number, 'SELECT, USAGE') \
        THEN pg_sequence_last_value(number) END FROM CAST(pg_get_serial_sequence(\
        \(literal: Quoting.sqlName(table.schema, table.storedName)), \(literal: key)) AS regclass) AS number))::int8
        """
      if plain.countsKeys, let place = plain.columns.firstIndex(where: { $0.name.isExactly(key) }) {
        plain.columns[place].declaredFallback = nil
      }
    }
    let result = try connection.run(PostgreSQLStatement(count + " FROM \(table.place)"))
    rowCount += Int(result.integer(0, 0) ?? 0)
    if result.columnCount > 1 { plain.lastKey = result.integer(0, 1) ?? 0 }
    return plain
  }

  private mutating func note(_ table: ServerTable) {
    losses += table.checks.map { "The check \($0) of \(table.name) is left out." }
    for column in table.columns {
      let name = "\(table.name).\(column.name)"
      if column.isGenerated {
        losses.append("\(name) is a plain column with the values that were computed.")
      }
      if !column.identity.isEmpty, !table.primaryKey.isExactly([column.name]) {
        losses.append("\(name) is not counted up: it is not the primary key.")
      }
      switch column.kind {
      case .decimal, .uuid, .instant, .localTime, .other:
        losses.append("\(name) is text; it was \(column.declaredType).")
      default: break
      }
    }
  }

  /// Objects of the tables that are not copied.
  private func undeclared(_ tables: [ServerTable]) throws -> [String] {
    let names = Dictionary(
      tables.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
    let results = try connection.run([
      PostgreSQLStatement(ServerCatalog.triggers), PostgreSQLStatement(ServerCatalog.otherIndexes),
    ])
    let ends = ["", ": it is one of expressions, or of some rows only"]
    return zip(["trigger", "index"], zip(results, ends)).flatMap { kind, found in
      (0..<found.0.rowCount).compactMap { row in
        names[found.0.integer(row, 0) ?? 0].map {
          "The \(kind) \(found.0.text(row, 1) ?? "") of \($0) is left out\(found.1)."
        }
      }
    }
  }
}

extension ServerTable {
  /// Without the rows of tables that inherit from it, which are copied themselves; partitions are not.
  fileprivate var place: SQLFragment {
    "\(relation == .partitioned ? "" : "ONLY " as SQLFragment)\(name: schema).\(name: storedName)"
  }
}

extension ServerTable.Column {
  /// The text of its default, which the catalogue shows as `'it''s new'::text`; nil for anything else.
  fileprivate var defaultLiteral: String? {
    guard let shown = defaultText, type == .text || type == .varchar else { return nil }
    for end in ["'::text", "'::character varying"] where shown.begins(with: "'") {
      guard shown.ends(with: end), shown.utf8.count > end.utf8.count else { continue }
      let text = shown.utf8.dropFirst().dropLast(end.utf8.count)
      return Quoting.substituting("''", with: "'", in: String(decoding: text, as: UTF8.self))
    }
    return nil
  }

  /// The expression that selects it.
  fileprivate var copied: SQLFragment {
    switch kind {
    case .boolean, .integer, .real, .bytes: "\(name: name)"
    // SQLite's functions read a zone as a letter, or with minutes.
    case .instant: "replace(\(name: name)::text, '+00', 'Z')"
    default: "\(name: name)::text"
    }
  }
}

extension PostgreSQLStore {
  /// Runs `body` with the tables of a database of any program, as they are at one moment.
  ///
  /// - Parameter schema: nil for all schemas except native stores.
  /// - Throws: the errors of `body`; `StoreError`; `CancellationError`.
  package static func withPlainTables<Result>(
    of address: PostgreSQLAddress, schema: String?, _ body: (any PlainTableSource) throws -> Result
  ) throws -> Result {
    var address = address
    address.isReadOnly = true
    return try onConnection(to: address) { connection in
      _ = try connection.run([
        PostgreSQLStatement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
        // An error is better than a part of the rows.
        PostgreSQLStatement("SET LOCAL row_security = off"),
      ])
      let result = try body(ServerTables(connection, schema: schema))
      _ = try connection.run(PostgreSQLStatement("COMMIT"))
      return result
    }
  }

  /// Runs `body` with a connection of its own, whose statements end with the task.
  static func onConnection<Result>(
    to address: PostgreSQLAddress, _ body: (PostgreSQLConnection) throws -> Result
  ) throws -> Result {
    let connection = try ServerSession(address, without: []).connection
    connection.stopSignal = StopSignal()
    connection.isUnwanted = { Task.isCancelled }
    do {
      return try body(connection)
    } catch let failure as PostgreSQLFailure {
      throw StoreError(failure, server: connection.server)
    }
  }
}
#endif
