import Basics
import DatastoreCore

/// The statements that create plain tables, in a dialect.
package struct PlainTableStatements {
  private let dialect: any SQLDialect
  /// The schema of the tables; nil without one.
  private let namespace: String?

  package init(_ dialect: any SQLDialect, in namespace: String? = nil) {
    self.dialect = dialect
    self.namespace = namespace
  }

  /// The name of a table in statements.
  package func place(of table: String) -> SQLFragment {
    namespace.map { "\(name: $0).\(name: table)" } ?? "\(name: table)"
  }

  /// Creates a table with everything that is declared in it. If references are declared afterwards, they are
  /// left to `following(_:)`.
  package func table(_ table: PlainTable) -> SQLFragment {
    var lines = table.columns.map { column -> SQLFragment in
      let isKey = table.primaryKey.isExactly([column.name])
      var line = typed(column)
      if isKey {
        if !column.isOptional, !column.type.isInteger { line += " NOT NULL" }
        line += " PRIMARY KEY"
        if table.countsKeys { line += dialect.plainCounter }
      } else if !column.isOptional {
        line += " NOT NULL"
      }
      if table.unique.contains(where: { $0.isExactly([column.name]) }) { line += " UNIQUE" }
      return line + fallback(of: column)
    }
    if table.primaryKey.count > 1 { lines.append("PRIMARY KEY \(list(table.primaryKey))") }
    lines += table.unique.filter { $0.count > 1 }.map { "UNIQUE \(list($0))" }
    if !dialect.referencesFollow { lines += table.foreignKeys.map(reference) }
    return "CREATE TABLE \(place(of: table.name)) (\(lines.joined(by: ", ")))"
  }

  /// Creates a table without the declarations that are faster to add once it has its rows.
  package func bareTable(_ table: PlainTable) -> SQLFragment {
    let lines = table.columns.map { column in
      typed(column) + (column.isOptional ? "" : " NOT NULL") + fallback(of: column)
    }
    return "CREATE TABLE \(place(of: table.name)) (\(lines.joined(by: ", ")))"
  }

  /// The declarations after a bare table, except its references, which need the keys of all tables.
  package func keys(_ table: PlainTable) -> [SQLFragment] {
    let change: SQLFragment = "ALTER TABLE \(place(of: table.name))"
    var statements: [SQLFragment] = []
    if !table.primaryKey.isEmpty {
      statements.append("\(change) ADD PRIMARY KEY \(list(table.primaryKey))")
    }
    if table.countsKeys, let key = table.integerKey {
      // Names of sequences that the engine makes are free only once all tables exist.
      let next = max(table.lastKey, 0).addingReportingOverflow(1)
      statements.append(
        """
        \(change) ALTER COLUMN \(name: key) ADD\(dialect.plainCounter) \
        (START WITH \(number: next.overflow ? Int(Int64.max) : Int(next.partialValue)))
        """)
    }
    statements += table.unique.map { "\(change) ADD UNIQUE \(list($0))" }
    return statements
  }

  package func references(_ table: PlainTable) -> [SQLFragment] {
    table.foreignKeys.map { "ALTER TABLE \(place(of: table.name)) ADD \(reference($0))" }
  }

  /// - Parameter names: chooses the name of an index, for engines that do not.
  package func indexes(
    _ table: PlainTable, named names: (([String]) -> String)? = nil
  ) -> [SQLFragment] {
    table.indexes.map { columns in
      let name: SQLFragment = names.map { "\(name: $0(columns)) " } ?? ""
      return "CREATE INDEX \(name)ON \(place(of: table.name)) \(list(columns))"
    }
  }

  /// Whether the dialect can express the default of a column.
  package func declaresFallback(of column: PlainTable.Column) -> Bool {
    column.declaredFallback == nil || !fallback(of: column).isEmpty
  }

  private func typed(_ column: PlainTable.Column) -> SQLFragment {
    "\(name: column.name)\(dialect.plainDeclaration(of: column.type))"
  }

  private func fallback(of column: PlainTable.Column) -> SQLFragment {
    // A text may be any date, or none.
    if column.fallback.isNull || column.type == .calendarDate { return "" }
    return dialect.defaultLiteral(column.fallback, for: column.type).map { " DEFAULT \($0)" } ?? ""
  }

  private func reference(_ key: DescribedReference) -> SQLFragment {
    """
    FOREIGN KEY \(list(key.columns)) REFERENCES \(place(of: key.table)) \
    \(list(key.referenced))\(action(" ON DELETE", key.onDelete))\(action(" ON UPDATE", key.onUpdate))\
    \(key.isDeferred ? dialect.referenceTiming : "")
    """
  }

  private func action(_ event: SQLFragment, _ action: String) -> SQLFragment {
    switch action.uppercased() {
    case "CASCADE": event + " CASCADE"
    case "SET NULL": event + " SET NULL"
    case "SET DEFAULT": event + " SET DEFAULT"
    case "RESTRICT": event + " RESTRICT"
    default: ""
    }
  }

  private func list(_ names: [String]) -> SQLFragment {
    "(\(names.map { "\(name: $0)" as SQLFragment }.joined(by: ", ")))"
  }
}
