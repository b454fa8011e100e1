import DatastoreCore
import TerminalUI

/// The events of the table. Each has the number of its fetch; the events of an older fetch are ignored.
enum ListEvent: BrowserEvent {
  /// Rows of the list were read: the first ones, or all.
  case read(fetch: Int, KeyList, isComplete: Bool)
  /// The sections of a list were counted before the whole list was read.
  case sectionsCounted(fetch: Int, [KeyList.Section])
  case failed(fetch: Int, String)
  /// A change was merged: the new list, and the rows whose values may have changed; nil for all.
  case changed(fetch: Int, KeyList, changed: Set<RowKey>?)
  /// The requested rows were read, with cells for some columns; keys without a row are left out.
  case rowsLoaded(fetch: Int, asked: [RowKey], [RowSnapshot], of: [TableColumn])
  case rowsFailed(fetch: Int, String)
  /// Keys of a long list were read.
  case keysRead(fetch: Int, KeyList)
  /// The keys around the object that the cursor is to go to were read, if the list has it.
  case keySearched(fetch: Int, KeyList)
  /// The members of a to-many relationship were counted for some rows.
  case countsLoaded(fetch: Int, slot: Slot, [RowKey: Int])
  /// Another process has inserted or deleted rows, or may have changed values.
  case changedElsewhere(fetch: Int, inserted: Int, deleted: Int)

  private var fetch: Int {
    switch self {
    case .read(let fetch, _, _), .sectionsCounted(let fetch, _), .failed(let fetch, _),
      .changed(let fetch, _, _), .rowsLoaded(let fetch, _, _, _), .rowsFailed(let fetch, _),
      .keysRead(let fetch, _), .keySearched(let fetch, _), .countsLoaded(let fetch, _, _),
      .changedElsewhere(let fetch, _, _):
      fetch
    }
  }

  func apply(to state: inout BrowserState) {
    guard state.table?.fetch == fetch else { return }
    switch self {
    case .read(_, let list, let isComplete):
      state.changeTable { $0.apply(list, isComplete: isComplete, height: $1) }
      // Without room for rows, none are requested; neither are rows that are known.
      let isKnown = state.table?.currentKey.map { state.table?.rows[$0] != nil } ?? false
      if isKnown || list.keys.isEmpty && isComplete || state.tableHeight <= 0 {
        state.releaseKeysForRows()
      }
      state.releaseKeysForList(isComplete: isComplete)
      if let key = state.table?.wantedKey { state.request(.searchKey(key, fetch: fetch)) }
    case .sectionsCounted(_, let sections): state.table?.apply(counted: sections)
    case .failed(_, let reason):
      state.table?.phase = .failed(reason)
      state.releaseKeysForRows()
      state.releaseKeysForList(isComplete: true)
    case .changed(_, let list, let changed):
      state.changeTable { $0.apply(changed: list, keys: changed, height: $1) }
      if let key = state.table?.wantedKey { state.request(.searchKey(key, fetch: fetch)) }
    case .rowsLoaded(_, _, let rows, let columns):
      // The computed columns may have changed; the rows for the former columns are requested again.
      guard state.table?.columns == columns else { return }
      state.markExternalChange(of: rows)
      // In place: a copy of the table would copy all rows read so far.
      let height = state.tableHeight
      state.table?.apply(rows: rows, height: height)
      state.rememberSelected()
      state.releaseKeysForRows()
    case .rowsFailed(_, let reason):
      state.tellUnreadable(reason)
      state.releaseKeysForRows()
    case .keysRead(_, let list): state.table?.apply(readKeys: list)
    case .keySearched(_, let list):
      state.changeTable { $0.apply(searched: list, height: $1) }
    case .countsLoaded(_, let slot, let counts): state.table?.apply(counts: counts, slot: slot)
    case .changedElsewhere(let fetch, let inserted, let deleted):
      state.applyExternalChange(fetch: fetch, inserted: inserted, deleted: deleted)
    }
  }

  /// Rows that were read ahead are not on the screen.
  func isSeen(in state: BrowserState) -> Bool {
    guard case .rowsLoaded(_, _, let rows, _) = self else { return true }
    guard let table = state.table, table.fetch == fetch else { return false }
    return table.isAnyVisible(rows, height: state.tableHeight)
  }
}

extension BrowserState {
  /// Tells why shown data could not be read.
  mutating func tellUnreadable(_ reason: String) {
    // If the file is known to have other tables by now, that is the reason, and it was reported.
    if following == .none { tell(reason, .error) }
  }

  /// Applies the names of objects that were read.
  mutating func apply(_ found: [RowKey: NameCache.Entry], of entity: EntityIndex) {
    names.apply(found, entity: entity)
    guard var table else { return }
    let widest = found.keys.compactMap { key in
      names[entity, key]?.shown.text.displayWidth(upTo: TableState.widestColumn)
    }.max()
    for (index, column) in table.columns.enumerated()
    where column.destination == entity && !column.isToMany {
      table.contentWidths[index] = max(table.contentWidths[index], widest ?? 0)
    }
    self.table = table
  }

  /// Data was saved or staged, here or elsewhere.
  ///
  /// - Parameter changed: the changed objects, by entity.
  mutating func applyChange(_ changed: [EntityIndex: Set<RowKey>]) {
    for (entity, keys) in changed.sorted(by: { $0.key < $1.key }) {
      names.invalidate(entity: entity, keys: keys)
      if entities.beginCounting(entity) { request(.count(entity: entity)) }
    }
    detail.invalidateMembers(changed: changed)
    table?.invalidateCounts(changed: changed.keys)
    table?.invalidateDerived()
    table?.totals.invalidate()
  }

  /// Marks everything that is kept of the store, except for the table's rows, to be read again.
  mutating func applyChangeOfEverything() {
    names.invalidateAll()
    table?.invalidateCounts()
    table?.invalidateDerived()
    table?.totals.invalidate()
    detail.invalidateAllMembers()
    for index in overlays.indices { overlays[index].storeChanged() }
    countEntities()
  }

  /// Keeps the shown values of the selected rows.
  fileprivate mutating func rememberSelected() {
    guard let table, !editing.selection.keys.isEmpty,
      editing.selection.entity == table.query.entity
    else { return }
    editing.selection.remember(table.rows)
  }
}
