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
