import Basics
package import DatastoreCore

/// The tables of one state of a database, with their rows: the source of a copy.
package protocol PlainTableSource {
  /// In the order for creating them.
  var tables: [PlainTable] { get }
  /// The differences of a copy from the original, as sentences.
  var losses: [String] { get }
  var rowCount: Int { get }
  /// Its name for people.
  var place: String { get }

  /// Reads all rows of a table, page by page. The cells are those of its columns, of the kinds of their
  /// types: dates are seconds since 2001, days are texts.
  ///
  /// - Throws: also the errors of `take`, which end reading.
  func forEachPage(of table: PlainTable, _ take: (RowPage) throws -> Void) throws
}

/// The result, or the forecast, of creating tables.
package struct MadeTables: Sendable {
  package var rowCount = 0
  package let tableCount: Int
  /// The names of the source and of the destination for people.
  package let origin: String
  package let place: String
  /// The statements that create them, if only these were requested.
  package var statements: [String] = []
  /// Their differences from the original, as sentences.
  package let losses: [String]

  package init(
    of source: any PlainTableSource, _ tables: [PlainTable], at place: String, losses: [String]
  ) {
    origin = source.place
    self.place = place
    tableCount = tables.count
    self.losses = source.losses + losses
  }
}

extension [PlainTable] {
  /// Leaves out declarations that a dialect does not support, and reports them.
  ///
  /// - Throws: `PlainTableFault` for names that are not possible.
  package func declared(in dialect: any SQLDialect) throws -> (tables: Self, losses: [String]) {
    try checkNames(in: dialect)
    var losses: [String] = []
    let statements = PlainTableStatements(dialect)
    let tables = map { table in
      var table = table
      for column in table.columns where !statements.declaresFallback(of: column) {
        losses.append(
          "\(Self.shown(table, column.name)) has no default; it was \(column.declaredFallback ?? "")."
        )
      }
      table.foreignKeys = table.foreignKeys.compactMap { key in
        if let resolved = self.resolved(key, of: table, in: dialect) { return resolved }
        losses.append(
          """
          \(Self.shown(table, key.columns.joined(separator: ", "))) is no foreign key: what it refers to in \
          \(key.table) is not there, not unique, or of another type.
          """)
        return nil
      }
      return table
    }
    return (tables, losses)
  }

  /// `orders.amount`.
  package static func shown(_ table: PlainTable, _ column: String) -> String {
    "\(table.name).\(column)"
  }

  /// The key with its referenced columns; nil if no engine could follow it.
  private func resolved(
    _ key: DescribedReference, of table: PlainTable, in dialect: any SQLDialect
  ) -> DescribedReference? {
    guard let target = first(where: { $0.name.isExactly(key.table) }) else { return nil }
    let referenced = key.referenced.isEmpty ? target.primaryKey : key.referenced
    guard referenced.count == key.columns.count, target.isUnique(referenced) else { return nil }
    let isOfOneType = zip(key.columns, referenced).allSatisfy { own, other in
      guard let own = table.column(own)?.type, let other = target.column(other)?.type else {
        return false
      }
      return own.isInteger && other.isInteger
        || dialect.plainDeclaration(of: own) == dialect.plainDeclaration(of: other)
    }
    guard isOfOneType else { return nil }
    return DescribedReference(
      table: target.name, columns: key.columns, referenced: referenced, onDelete: key.onDelete,
      onUpdate: key.onUpdate, isDeferred: key.isDeferred)
  }

  private func checkNames(in dialect: any SQLDialect) throws {
    try Self.check(map(\.name), "the database", in: dialect)
    for table in self {
      if table.name.lowercased().hasPrefix(dialect.reservedPrefix) {
        throw PlainTableFault(
          """
          The table “\(table.name)” cannot be copied: names that begin with \
          \(dialect.reservedPrefix) are the engine's own there. Rename it first.
          """)
      }
      try Self.check(
        table.columns.map(\.name), "the table “\(table.name)”", in: dialect)
    }
  }

  private static func check(
    _ names: [String], _ place: String, in dialect: any SQLDialect
  ) throws {
    var seen: [String: String] = [:]
    for name in names {
      let shown = "The name “\(name)” in \(place)"
      if name.isEmpty {
        throw PlainTableFault("In \(place) is something without a name. Give it one first.")
      }
      if let most = dialect.mostBytesOfNames, name.utf8.count > most {
        throw PlainTableFault(
          "\(shown) is too long: names have at most \(most) bytes there. Rename it first.")
      }
      let key = dialect.distinguishesCapitals ? name.exactKey : name.caselessKey
      if let other = seen.updateValue(name, forKey: key) {
        throw PlainTableFault(
          "\(shown) is the same there as “\(other)”. Rename one of them first.")
      }
    }
  }
}
