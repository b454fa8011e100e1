import Basics
package import DatastoreCore

/// The tables of one state of a database, and their rows: what a copy is made of.
package protocol PlainTableSource {
  /// In the order of their making.
  var tables: [PlainTable] { get }
  /// What a copy has otherwise than the original, or not at all, as sentences.
  var losses: [String] { get }
  /// How many rows there are.
  var rowCount: Int { get }
  /// What people call it.
  var place: String { get }

  /// Reads all rows of a table, page by page. The cells are those of its columns, of the kind that their
  /// types say: dates are seconds since 2001, days are texts.
  ///
  /// - Throws: also what `take` throws, which ends it.
  func forEachPage(of table: PlainTable, _ take: (RowPage) throws -> Void) throws
}

/// What was, or would be, made of tables.
package struct MadeTables: Sendable {
  package var rowCount = 0
  package let tableCount: Int
  /// What people call where the tables come from, and where they are made.
  package let origin: String
  package let place: String
  /// The statements that make them, where they were only asked for.
  package var statements: [String] = []
  /// What they have otherwise than the original, or not at all, as sentences.
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
  /// Leaves out what a dialect cannot declare, and says what that is.
  ///
  /// - Throws: `PlainTableFault` for names that cannot be there.
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

  /// With the columns that it leads to; nil where no engine could follow it.
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
      onUpdate: key.onUpdate)
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
