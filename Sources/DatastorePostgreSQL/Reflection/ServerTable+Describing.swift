#if PostgreSQL
import Basics
package import DatastoreCore
package import DatastoreSQL

/// The properties of a table that `Reflector` reads.
extension ServerTable: DescribedTable {
  package var namespace: String? { schema }

  package var kind: EntityInformation.Kind {
    switch relation {
    case .table: .table
    case .partitioned: .partitionedTable
    case .foreign: .foreignTable
    case .view: .view
    case .materializedView: .materializedView
    }
  }

  /// PostgreSQL keeps no declaration of tables, so it is put together from the catalogue.
  package var declaration: String? {
    switch relation {
    case .view: return definition.map { "CREATE VIEW \(quotedName) AS\n\($0)" }
    case .materializedView:
      return definition.map { "CREATE MATERIALIZED VIEW \(quotedName) AS\n\($0)" }
    case .table, .partitioned, .foreign: break
    }
    var lines = columns.map { column in
      var line = "\(Quoting.sqlName(column.name)) \(column.declaredType)"
      if column.isNotNull { line += " NOT NULL" }
      if !column.identity.isEmpty {
        line += " GENERATED \(column.identity == "a" ? "ALWAYS" : "BY DEFAULT") AS IDENTITY"
      }
      if let text = column.defaultText {
        line += column.isGenerated ? " GENERATED ALWAYS AS (\(text)) STORED" : " DEFAULT \(text)"
      }
      return line
    }
    if !primaryKey.isEmpty { lines.append("PRIMARY KEY (\(Self.list(primaryKey)))") }
    for index in indexes where index.isUnique && !index.isPrimaryKey {
      lines.append("UNIQUE (\(Self.list(index.columns)))")
    }
    for key in foreignKeys {
      lines.append(
        "FOREIGN KEY (\(Self.list(key.columns))) REFERENCES \(Quoting.sqlName(key.table)) "
          + "(\(Self.list(key.referenced))) ON DELETE \(key.onDelete)")
    }
    lines += checks.map { "CHECK \($0)" }
    let kind = relation == .foreign ? "FOREIGN TABLE" : "TABLE"
    return "CREATE \(kind) \(quotedName) (\n  " + lines.joined(separator: ",\n  ") + "\n)"
  }

  private var quotedName: String { Quoting.sqlName(schema, storedName) }

  private static func list(_ names: [String]) -> String {
    names.map(Quoting.sqlName).joined(separator: ", ")
  }

  package var unreadableReason: String? {
    isReadable ? nil : "this user may not read it (SELECT is not granted)"
  }

  /// A primary key, or equivalent columns: unique, and never NULL.
  package var key: KeyMapping {
    var candidates = primaryKey.isEmpty ? [] : [primaryKey]
    candidates += indexes.filter { index in
      index.isUnique
        && index.columns.allSatisfy { name in
          columns.contains { $0.name.isExactly(name) && $0.isNotNull }
        }
    }.map(\.columns)
    guard let first = candidates.first, kind.isTable else { return .wholeRow }
    return isInteger(first) ? .rowid(first[0]) : .columns(first)
  }

  private func isInteger(_ names: [String]) -> Bool {
    names.count == 1 && column(names[0])?.kind == .integer
  }

  package var rowidColumn: String? {
    if case .rowid(let name) = key { name } else { nil }
  }

  /// Sequences never return a number twice.
  package var isAutoincrement: Bool { rowidColumn != nil }

  package var isReadOnly: Bool { !isUpdatable }

  package static func distinguished(_ name: String) -> String { name.exactKey }

  package func mapped(_ column: Column) -> DatastoreSQL.Column {
    var mapped = DatastoreSQL.Column(
      name: column.name, affinity: column.kind.affinity, isGenerated: column.isGenerated,
      // An order of bytes is requested by name wherever it matters.
      isBinary: false, isStrict: true,
      hasComputedDefault: !column.identity.isEmpty
        || column.defaultText != nil && fallback(of: column).isNull,
      isNullable: !column.isNotNull,
      type: SQLType(
        column.kind, mayBeNull: !column.isNotNull,
        name: column.typeName,
        mayBeNaN: column.kind == .real || column.kind == .decimal))
    mapped.cases = column.labels
    return mapped
  }

  package func attributeType(of column: Column) -> AttributeType {
    switch column.type {
    case .bool: .boolean
    case .int2: .integer16
    case .int4: .integer32
    case .int8: .integer64
    case .float4: .float
    case .float8: .double
    case .numeric: .decimal
    case .uuid: .uuid
    case .bytea: .data
    case .timestamptz, .timestamp: .date
    case .date: .calendarDate
    default: .string
    }
  }

  package func fallback(of column: Column) -> Value {
    guard let text = column.defaultText, !column.isGenerated else { return .null }
    switch column.kind {
    case .boolean: return text == "true" ? 1 : text == "false" ? 0 : .null
    case .integer: return Int64(text).map { .integer($0) } ?? .null
    default: return .null
    }
  }

  /// Foreign keys compare as the columns they refer to do; keys are interned by their values.
  package func refersExactly(
    _ column: Column, to referenced: Column, of target: ServerTable
  ) -> Bool {
    column.kind == referenced.kind
  }

  /// A comparison of types that the server does not compare would end the transaction.
  package func isComparable(
    _ column: Column, to referenced: Column, of target: ServerTable
  ) -> Bool {
    column.kind == .other
      ? column.typeName == referenced.typeName : column.kind == referenced.kind
  }

  package func isFound(by columns: [String]) -> Bool { rowidColumn != nil }
}

extension ServerTable.Column: DescribedColumn {
  package var shownType: String { declaredType }

  var kind: SQLType.Kind {
    switch type {
    case .bool: .boolean
    case .int2, .int4, .int8: .integer
    case .float4, .float8: .real
    case .numeric: .decimal
    case .text, .varchar: .text
    case .uuid: .uuid
    case .bytea: .bytes
    case .timestamptz: .instant
    case .timestamp: .localTime
    case .date: .day
    default: .other
    }
  }
}
#endif
