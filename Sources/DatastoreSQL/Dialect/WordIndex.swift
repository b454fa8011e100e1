/// A full-text index of a column, in which `SEARCH` finds the rows that have its words.
package struct WordIndex: Sendable, Hashable {
  /// The table that is the index. Its rows have the keys of the indexed rows.
  package let table: String
  /// The name of the column in it.
  package let column: String
  /// The column of the indexed table with the keys.
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
  /// The condition that a row of it has the words, and belongs to the row with a key.
  package let condition: SQLFragment
  /// The sort term, best matches first; rows of equal rank come by ascending keys if it is the whole order.
  package let order: SQLFragment

  package init(source: SQLFragment, condition: SQLFragment, order: SQLFragment) {
    self.source = source
    self.condition = condition
    self.order = order
  }
}

/// The index of words of a native table: all its searchable texts, by the keys of their rows.
package struct NativeWordTable: Sendable, Hashable {
  /// The suffixes of the tables that SQLite's FTS5 creates besides the table itself.
  package static let parts = ["data", "idx", "docsize", "config"]

  package let name: String
  package let table: String
  /// The column with its keys.
  package let key: String
  /// By their names.
  package let columns: [String]
}
