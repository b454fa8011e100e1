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
          onDelete: key.onDelete, onUpdate: key.onUpdate, isDeferred: key.isDeferred)
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
    var pages = FilledPages(columnCount: found.columns.count, expecting: RowPage.fullCount)
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
          if cells[column] == .real {
            page.setValue(Self.copied(real: bytes), row: row, column: column)
          } else {
            cells[column].set(bytes, page, row: row, column: column)
          }
        }
      }
      for page in pages.takeFull() { try take(page) }
    }
    for page in pages.finish() { try take(page) }
  }

  /// A number with the digits that the server shows: a short one that is made longer has more of them.
  /// SQLite has no NaN, and would store NULL.
  private static func copied(real bytes: UnsafeRawBufferPointer) -> Value {
    let real = bytes.networkReal
    if real.isNaN { return .text("NaN") }
    return .real(bytes.count == 4 ? Double("\(Float(real))") ?? real : real)
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
    }
    try setFallbacks(of: table, in: &plain)
    var count: SQLFragment = "SELECT count(*)"
    if let key = plain.integerKey, let column = table.column(key) {
      plain.countsKeys =
        !column.identity.isEmpty || column.defaultText?.begins(with: "nextval(") ?? false
      count += ", greatest(max(\(name: key)), (\(try lastNumber(of: key, in: table))))::int8"
      if plain.countsKeys, let place = plain.columns.firstIndex(where: { $0.name.isExactly(key) }) {
        plain.columns[place].declaredFallback = nil
      }
    }
    let result = try connection.run(PostgreSQLStatement(count + " FROM \(table.place)"))
    rowCount += Int(result.integer(0, 0) ?? 0)
    if result.columnCount > 1 { plain.lastKey = result.integer(0, 1) ?? 0 }
    return plain
  }

  /// The greatest number that the sequence of a key has given; one that begins at 101 has given 100. NULL if
  /// there is no sequence, or this user may not read it.
  private func lastNumber(of key: String, in table: ServerTable) throws -> SQLFragment {
    let result = try connection.run(
      PostgreSQLStatement(
        """
        SELECT n.nspname::text, c.relname::text FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace \
        WHERE c.oid = CAST(pg_get_serial_sequence(\(literal: Quoting.sqlName(table.schema, table.storedName)), \
        \(literal: key)) AS regclass) AND has_sequence_privilege(c.oid, 'SELECT')
        """))
    guard result.rowCount > 0, let schema = result.text(0, 0), let name = result.text(0, 1) else {
      return "NULL"
    }
    return """
      SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END FROM \(name: schema).\(name: name)
      """
  }

  /// Defaults that are literals, as a new row would have them.
  private func setFallbacks(of table: ServerTable, in plain: inout PlainTable) throws {
    let places = table.columns.indices.filter { table.columns[$0].hasLiteralDefault }
    guard !places.isEmpty else { return }
    let values = places.map { table.columns[$0].copiedDefault }.joined(by: ", ")
    let select: SQLFragment = "SELECT \(values)"
    let result = try connection.run(PostgreSQLStatement(select))
    for (number, place) in places.enumerated() {
      guard let bytes = result.field(0, number) else { continue }
      plain.columns[place].fallback = ServerCell(result.type(ofColumn: number)).value(bytes)
    }
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

  /// Objects of the tables that are not copied, or not as they are.
  private func undeclared(_ tables: [ServerTable]) throws -> [String] {
    let names = Dictionary(
      tables.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
    let found = try connection.run(PostgreSQLStatement(ServerCatalog.undeclared))
    return (0..<found.rowCount).compactMap { row in
      names[found.integer(row, 0) ?? 0].map { table in
        let words = (1...3).map { found.text(row, $0) ?? "" }
        return "The \(words[0]) \(words[1]) of \(table) \(words[2])."
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
  /// Whether its default is one literal, which the catalogue shows as `1.5`, `true` or `'it''s new'::text`.
  fileprivate var hasLiteralDefault: Bool {
    guard let defaultText, !isGenerated else { return false }
    return defaultText.wholeMatch(of: Self.literal) != nil
  }

  /// A number, a truth value, or a text with one cast.
  private static var literal: Regex<Substring> {
    /-?[0-9]+(?:\.[0-9]+)?|true|false|'(?:[^']|'')*'::[A-Za-z0-9_ .",()\[\]]+/
  }

  /// The expression that selects its default as a row would have it.
  fileprivate var copiedDefault: SQLFragment {
    let value = SQLFragment(stringLiteral: "(\(defaultText ?? "NULL"))")
    return kind == .real ? value + "::float8" : copied(value)
  }

  /// The expression that selects it.
  fileprivate var copied: SQLFragment { copied("\(name: name)") }

  private func copied(_ value: SQLFragment) -> SQLFragment {
    switch kind {
    case .boolean, .integer, .real, .bytes: value
    // SQLite's functions read a zone as a letter, or with minutes.
    case .instant: "replace(\(value)::text, '+00', 'Z')"
    default: "\(value)::text"
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
