/// A full-text index of a column, in which `SEARCH` finds the rows that have its words.
package struct WordIndex: Sendable, Hashable {
  /// The table that is the index. Its rows have the keys of those whose texts it has.
  package let table: String
  /// What the column is called there.
  package let column: String
  /// The column of the indexed table that holds the keys.
  package let key: String

  package init(table: String, column: String, key: String) {
    self.table = table
    self.column = column
    self.key = key
  }
}

/// An index of words as a table of a statement, which finds rows and ranks them.
package struct WordRanking {
  /// The table with its alias.
  package let source: SQLFragment
  /// That a row of it has the words, and is about the row with a key.
  package let condition: SQLFragment
  /// What rows are sorted by, the best first; those of equal rank come by ascending keys where it is the
  /// whole order.
  package let order: SQLFragment

  package init(source: SQLFragment, condition: SQLFragment, order: SQLFragment) {
    self.source = source
    self.condition = condition
    self.order = order
  }
}

/// The index of words of a native table: all of its texts that are searchable, under the keys of their rows.
package struct NativeWordTable: Sendable, Hashable {
  /// What keeps the words, beside the table itself: SQLite's FTS5 makes these tables after the name.
  package static let parts = ["data", "idx", "docsize", "config"]

  package let name: String
  /// The table whose words it has.
  package let table: String
  /// The column with its keys.
  package let key: String
  /// By their names.
  package let columns: [String]
}
