/// Rows that are not in a store, but read on demand.
package protocol RowSource: AnyObject, Sendable {
  /// Starts with the first row.
  ///
  /// - Parameter wanted: the slots whose values are needed; others may be NULL.
  /// - Throws: the errors of reading.
  func makePages(of wanted: SlotSet) throws -> any RowPages
}

/// One pass over the rows of a source. For one thread.
package protocol RowPages: AnyObject {
  /// The next rows, with ascending keys; nil after the last ones.
  ///
  /// - Returns: a sealed page with a column for each slot.
  /// - Throws: the errors of reading.
  func next() throws -> RowPage?

  /// Ends the pass. Call it once.
  func close()
}
