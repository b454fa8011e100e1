extension RowPage {
  /// One sealed row: an old one with the slots of an update laid over it.
  package convenience init(merging update: RowUpdate, into old: RowPage, row oldRow: Int) {
    self.init(slotCount: old.slotCount, rowCapacity: 1)
    let row = appendRow(key: update.key)
    for slot in 0..<slotCount {
      if update.slots.contains(slot) {
        copyCell(from: update.page, row: update.row, to: row, slot: slot)
      } else {
        copyCell(from: old, row: oldRow, to: row, slot: slot)
      }
    }
    seal()
  }
}
