import Basics
package import DatastoreCore

/// Finds undeclared relationships of a third-party database.
package struct RelationshipSearch<Session: SQLSession, Table: DescribedTable> {
  private let session: Session
  private let tables: [Table]
  private let annotations: SchemaAnnotations

  /// - Parameters:
  ///   - tables: the tables whose columns may refer to rows, and be referred to.
  ///   - annotations: the annotations of the database.
  package init(_ session: Session, _ tables: [Table], _ annotations: SchemaAnnotations) {
    self.session = session
    self.tables = tables
    self.annotations = annotations
  }

  /// The number of rows to check from each end of a table.
  private static var rows: Int { 5_000 }
  /// The percentage of values that must be found to suggest a relationship.
  private static var leastFound: Int { 80 }

  /// - Throws: the errors of the engine; `CancellationError`.
  package func suggestions() throws -> [RelationshipSuggestion] {
    let names = RelationshipNames(tables)
    var found: [RelationshipSuggestion] = []
    for (index, table) in tables.enumerated() where table.mayRefer {
      let declared = Set(table.foreignKeys.flatMap(\.columns).map(Table.distinguished))
      for column in table.columns where !declared.contains(Table.distinguished(column.name)) {
        try Task.checkCancellation()
        if let (reference, decision) = annotations.relationship(of: column.name, in: table.name) {
          if let target = tables.first(where: { $0.name.isExactly(reference.table) }) {
            let suggestion = try weigh(
              column, of: table, reference, target, decision: decision)
            if let suggestion { found.append(suggestion) }
          }
          continue
        }
        guard column.name != table.rowidColumn, !column.isGenerated else { continue }
        for guess in names.guesses(for: column.name, in: index) {
          let target = tables[guess.table]
          guard let key = target.key(for: column.name, guess.key),
            target.name != table.name || key != column.name
          else { continue }
          let reference = SchemaAnnotations.Reference(table: target.name, column: key)
          let suggestion = try weigh(column, of: table, reference, target)
          guard let suggestion, suggestion.valueCount > 0,
            suggestion.foundCount * 100 >= suggestion.valueCount * Self.leastFound
          else { continue }
          found.append(suggestion)
          break
        }
      }
    }
    return found
  }

  /// Counts the values of a column that exist in the referenced column; nil if that is not possible.
  private func weigh(
    _ column: Table.Column, of table: Table, _ reference: SchemaAnnotations.Reference,
    _ target: Table, decision: SchemaAnnotations.Decision? = nil
  ) throws -> RelationshipSuggestion? {
    guard let key = target.column(reference.column), target.isUnique([key.name]),
      table.isComparable(column, to: key, of: target)
    else { return nil }
    let select: SQLFragment = "SELECT \(name: column.name) AS value FROM \(table.place)"
    let limit: SQLFragment = " LIMIT \(number: Self.rows)"
    var rows: SQLFragment = "SELECT * FROM (\(select + limit)) AS first"
    var most = Self.rows
    if case .rowid(let rowid) = table.key {
      // Those of the last rows that are not among the first ones.
      rows = """
        \(rows) UNION ALL SELECT * FROM (\(select) WHERE \(name: rowid) > \
        coalesce((SELECT \(name: rowid) FROM \(table.place) ORDER BY \(name: rowid) \
        LIMIT 1 OFFSET \(number: Self.rows - 1)), 9223372036854775807) \
        ORDER BY \(name: rowid) DESC\(limit)) AS last
        """
      most *= 2
    }
    let counts = try session.rows(
      """
      SELECT count(*), count(value), count(CASE WHEN EXISTS (SELECT 1 FROM \(target.place) AS target \
      WHERE target.\(name: key.name) = value) THEN 1 END) FROM (\(rows)) AS seen
      """
    ).first?.map(\.wholeNumber)
    return counts.map { counts in
      RelationshipSuggestion(
        table: table.name, column: column.name, reference: reference, valueCount: counts[1],
        foundCount: counts[2], isComplete: counts[0] < most, decision: decision)
    }
  }
}

extension DescribedTable {
  /// Its name in statements.
  fileprivate var place: SQLFragment {
    namespace.map { "\(name: $0).\(name: storedName)" } ?? "\(name: storedName)"
  }

  /// Whether its columns may refer to rows elsewhere, and can be read without a computation.
  fileprivate var mayRefer: Bool {
    kind.isTable && key != .wholeRow && unreadableReason == nil
  }

  /// The column of this table that another column refers to: the unique one of the same name, the one that
  /// its name ends with, or the primary key.
  fileprivate func key(for column: String, _ ending: String) -> String? {
    let named = [column, ending].compactMap { $0.isEmpty ? nil : self.column($0) }
    if let own = named.first(where: { isUnique([$0.name]) }) { return own.name }
    return primaryKey.count == 1 ? primaryKey[0] : nil
  }
}
