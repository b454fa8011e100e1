/// The values that a row had before someone changed it.
package struct FormerRow: Sendable {
  package let key: RowKey
  private let page: RowPage
  private let row: Int

  package init(key: RowKey, page: RowPage, row: Int) {
    self.key = key
    self.page = page
    self.row = row
  }

  package func value(at slot: Slot) -> Value { page.value(row: row, slot: slot) }

  var reference: RowReference { RowReference(page, row) }
}
