/// Rows that say something of some of their slots, packed on their way into a table.
///
/// A batch is filled row by row, and read once it is sealed. Values go from the record into the page at once:
/// kept as values, those of some thousand records are as many small pieces of memory.
package struct RowBatch {
  /// The values. Cells of slots that a row says nothing of are NULL, and the keys mean nothing.
  package let page: RowPage
  /// The slots that each row says something of.
  package private(set) var given: [SlotSet] = []

  /// An empty batch of an entity that has so many slots.
  package init(slotCount: Int) {
    page = RowPage(columnCount: slotCount, rowCapacity: RowPage.fullCount)
  }

  /// A batch of another process.
  ///
  /// - Parameter page: sealed.
  /// - Returns: nil where rows and what they say do not fit together.
  package init?(_ page: RowPage, given: [SlotSet]) {
    guard page.rowCount == given.count,
      given.allSatisfy({ slots in slots.allSatisfy { $0.rawValue < page.columnCount } })
    else { return nil }
    self.page = page
    self.given = given
  }

  package var count: Int { given.count }

  /// Starts the next row, which says nothing yet.
  package mutating func append() {
    page.appendRow(key: 0)
    given.append(SlotSet())
  }

  /// Says what a slot of a row is to hold; said again, the last counts.
  package mutating func set(_ value: Value, row: Int, slot: Slot) {
    page.setValue(value, row: row, slot: slot)
    given[row].insert(slot)
  }

  /// Forgets the last row.
  package mutating func removeLast() {
    page.removeLastRow()
    given.removeLast()
  }

  /// Those of the rows that are wanted, of a batch that is sealed.
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
