package import DatastoreCore

/// Copies rows of one old table as rows of one new table.
package struct RowCopy: Sendable {
  /// The entity to show meanwhile.
  package let entity: String
  /// The old table, by its temporary name.
  package let source: String
  /// A column of whole numbers, for copying by ranges.
  package let rangeColumn: String
  /// The columns of the new table to fill.
  package let columns: [String]
  /// Their values, from a row of the old table under the alias `s`.
  package let values: [SQLFragment]
  /// The condition on the rows to copy; nil for all.
  package let condition: SQLFragment?
  /// Whether rows that exist already are left out.
  package var skipsPresent = false

  /// A query for the number of rows to copy.
  package var count: SQLFragment {
    "SELECT count(*) FROM \(name: source) AS s" + (condition.map { " WHERE " + $0 } ?? "")
  }

  /// The end of the range that begins after a number, or NULL if no row is left.
  package func end(behind start: Int64, _ size: Int) -> SQLFragment {
    """
    SELECT max(k) FROM (SELECT s.\(name: rangeColumn) AS k FROM \(name: source) AS s \
    WHERE s.\(name: rangeColumn) > \(.integer(start)) ORDER BY s.\(name: rangeColumn) \
    LIMIT \(number: size)) AS q
    """
  }

  /// Copies the rows of a range.
  ///
  /// - Parameters:
  ///   - table: the name under which the new table is filled.
  ///   - range: after the first number, up to and including the last; nil for all rows.
  package func statement(into table: String, _ range: (Int64, Int64)?) -> SQLFragment {
    var conditions: [SQLFragment] = condition.map { [$0] } ?? []
    if let (start, end) = range {
      conditions.append(
        "s.\(name: rangeColumn) > \(.integer(start)) AND s.\(name: rangeColumn) <= \(.integer(end))"
      )
    }
    // Without a condition, SQLite would take ON for that of a join.
    if skipsPresent, conditions.isEmpty { conditions = ["1 = 1"] }
    let filter: SQLFragment =
      conditions.isEmpty ? "" : " WHERE " + conditions.joined(by: " AND ")
    return """
      INSERT INTO \(name: table) \
      (\(columns.map { "\(name: $0)" as SQLFragment }.joined(by: ", "))) \
      SELECT \(values.joined(by: ", ")) FROM \(name: source) AS s\(filter)\
      \(skipsPresent ? " ON CONFLICT DO NOTHING" : "" as SQLFragment)
      """
  }
}

/// The offsets to keys of old tables whose rows are merged with others into one table.
package struct KeyOffsets: Sendable {
  /// By the roots of the old and of the new family.
  private var offsets: [EntityIndex: [EntityIndex: Int64]] = [:]

  package init() {}

  package subscript(oldRoot: EntityIndex, newRoot: EntityIndex) -> Int64 {
    get { offsets[oldRoot]?[newRoot] ?? 0 }
    set { offsets[oldRoot, default: [:]][newRoot] = newValue }
  }
}
