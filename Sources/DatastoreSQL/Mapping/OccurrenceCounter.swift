package import DatastoreCore

/// Tells equal rows of a view apart by counting them.
package struct OccurrenceCounter {
  private let table: KeyTable
  private var counts: [RowKey: Int] = [:]

  package init(_ table: KeyTable) {
    self.table = table
  }

  /// The key of one more row whose content has this number.
  ///
  /// - Throws: `TooManyRows`.
  package mutating func key(_ number: RowKey) throws(TooManyRows) -> RowKey {
    let occurrence = counts[number, default: 0]
    counts[number] = occurrence + 1
    return try table.number(ofOccurrence: occurrence, of: number)
  }
}
