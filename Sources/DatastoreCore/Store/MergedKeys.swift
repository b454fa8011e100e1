/// Rows that other contexts have saved, by entity index.
package struct MergedKeys: Sendable {
  package var inserted: [EntityIndex: [RowKey]] = [:]
  package var updated: [EntityIndex: [RowKey: SlotSet]] = [:]
  package var deleted: [EntityIndex: [RowKey]] = [:]
  /// Objects that were saved under another key than they were created with: root entity, old and new.
  package var rekeyed: [EntityIndex: [RowKey: RowKey]] = [:]
  /// The former values of rows in `updated`, if they are known and few: they tell the rows' places in a
  /// sorted list.
  package var former: [EntityIndex: [RowKey: FormerRow]] = [:]
  /// Whether any row may have been inserted, changed or deleted, because another process has written the
  /// store.
  package var isEverything = false

  package init() {}

  /// Any row may have changed.
  package static var everything: MergedKeys {
    var keys = MergedKeys()
    keys.isEverything = true
    return keys
  }

  package var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && deleted.isEmpty && rekeyed.isEmpty && !isEverything
  }
}

/// The values of a row before someone changed it.
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

  package var reference: RowReference { RowReference(page, row) }
}
