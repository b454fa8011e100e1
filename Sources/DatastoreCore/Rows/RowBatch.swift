/// Rows with values for some of their slots, packed on their way into a table.
///
/// A batch is filled row by row, and read once it is sealed. Values are packed directly into the page: kept
/// as values, those of some thousand records would be as many small allocations.
package struct RowBatch {
  /// The values. Cells of slots without a value are NULL, and the keys have no meaning.
  package let page: RowPage
  /// The slots with a value, by row.
  package private(set) var given: [SlotSet] = []

  /// Creates an empty batch for an entity with `slotCount` slots.
  package init(slotCount: Int) {
    page = RowPage(columnCount: slotCount, rowCapacity: RowPage.fullCount)
  }

  /// Creates a batch received from another process.
  ///
  /// - Parameter page: sealed.
  /// - Returns: nil if rows and slots do not match.
  package init?(_ page: RowPage, given: [SlotSet]) {
    guard page.rowCount == given.count,
      given.allSatisfy({ slots in slots.allSatisfy { $0.rawValue < page.columnCount } })
    else { return nil }
    self.page = page
    self.given = given
  }

  package var count: Int { given.count }

  /// Starts the next row, without values.
  package mutating func append() {
    page.appendRow(key: 0)
    given.append(SlotSet())
  }

  /// Sets the value of a slot in a row; the last call counts.
  package mutating func set(_ value: Value, row: Int, slot: Slot) {
    page.setValue(value, row: row, slot: slot)
    given[row].insert(slot)
  }

  package mutating func removeLast() {
    page.removeLastRow()
    given.removeLast()
  }

  /// The rows of a sealed batch for which `isWanted` returns true.
  package func filtered(_ isWanted: (Int) -> Bool) -> RowBatch {
    var batch = RowBatch(slotCount: page.columnCount)
    for row in given.indices where isWanted(row) {
      batch.append()
      for slot in given[row] {
        batch.page.copyCell(from: page, row: row, to: batch.count - 1, slot: slot)
      }
      batch.given[batch.count - 1] = given[row]
    }
    return batch
  }
}
