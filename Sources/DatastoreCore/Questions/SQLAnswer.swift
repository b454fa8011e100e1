/// The answer to one statement in SQL.
package struct SQLAnswer: Sendable {
  package let columns: [String]
  package let rows: [[Value]]

  package init(columns: [String], rows: [[Value]]) {
    self.columns = columns
    self.rows = rows
  }
}

/// What a statement that writes has done.
package struct SQLExecution: Sendable, Hashable {
  /// Rows that it has changed itself.
  package let rows: Int
  /// Whether tables, views, indexes or triggers are others now.
  package let changesSchema: Bool

  package init(rows: Int, changesSchema: Bool) {
    self.rows = rows
    self.changesSchema = changesSchema
  }
}
