extension RowPage {
  /// One sealed row: an old one with the slots of an update laid over it.
  package convenience init(merging update: RowUpdate, into old: RowPage, row oldRow: Int) {
    self.init(columnCount: old.columnCount, rowCapacity: 1)
    let row = appendRow(key: update.key)
    for column in 0..<columnCount {
      if update.slots.contains(Slot(column)) {
        copyCell(from: update.page, row: update.row, to: row, column: column)
      } else {
        copyCell(from: old, row: oldRow, to: row, column: column)
      }
    }
    seal()
  }
}
