/// Rows that no store has: they are read when they are asked for.
package protocol RowSource: AnyObject, Sendable {
  /// Begins with the first row.
  ///
  /// - Parameter wanted: the slots whose values are asked for; others may be NULL.
  /// - Throws: what reading throws.
  func makePages(of wanted: SlotSet) throws -> any RowPages
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
