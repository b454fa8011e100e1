/// Rows that no store has: they are read when they are asked for.
package protocol RowSource: AnyObject, Sendable {
  /// Begins with the first row.
  ///
  /// - Throws: what reading throws.
  func makePages() throws -> any RowPages
}

/// One reading of the rows of a source. For one thread.
package protocol RowPages: AnyObject {
  /// The next rows, with rising keys; nil behind the last ones.
  ///
  /// - Returns: a sealed page with a column for each slot.
  /// - Throws: what reading throws.
  func next() throws -> RowPage?

  /// Ends the reading. Once.
  func close()
}
