import DatastoreCore
import TerminalUI

/// What comes back from effects.
extension BrowserState {
  mutating func takeResult(_ event: BrowserEvent) -> [Effect] {
    switch event {
    case .input: return []
    case .listRead(let fetch, let list, let isComplete):
      guard table?.fetch == fetch else { return [] }
      changeTable { $0.take(list, isComplete: isComplete, height: $1) }
    case .sectionsCounted(let fetch, let sections):
      guard table?.fetch == fetch else { return [] }
      table?.take(counted: sections)
    case .listChanged(let fetch, let list, let changed):
      guard table?.fetch == fetch else { return [] }
      changeTable { $0.take(changed: list, keys: changed, height: $1) }
    case .listFailed(let fetch, let reason):
      guard table?.fetch == fetch else { return [] }
      table?.phase = .failed(reason)
    case .rowsLoaded(let fetch, _, let rows):
      guard table?.fetch == fetch else { return [] }
      noteExternalChange(of: rows)
      // In its place: a copy of the table would copy all rows that have been read.
      let height = tableHeight
      table?.take(rows: rows, height: height)
    case .rowsFailed(let fetch, _, let reason):
      guard table?.fetch == fetch else { return [] }
      tellOfRead(reason)
    case .namesLoaded(let entity, let names):
      take(names, entity: entity)
      continueSummaryExport()
    case .namesFailed(_, _, let reason), .readFailed(let reason), .countsFailed(let reason):
      tellOfRead(reason)
    case .settingsFailed(let reason): message = Message(text: reason, role: .error)
    case .counted(let entity, let count):
      if entities.take(count, of: entity), entities.beginCounting(entity) {
        return [.count(entity: entity)]
      }
    case .storeChanged(let changed): return takeChange(changed)
    case .detailRead(let object, let snapshot): detail.take(snapshot, of: object)
    case .detailFailed(let object, let reason): detail.fail(reason, of: object)
    case .membersRead(let object, let slot, let members):
      detail.take(.success(members), slot: slot, of: object)
    case .membersFailed(let object, let slot, let reason):
      detail.take(.failure(CountFailure(message: reason)), slot: slot, of: object)
    case .summaryRead(let number, let result):
      changeOverlay(as: SummaryState.self) { $0.take(result, of: number) }
    case .themesRead(let choices):
      let state = self
      changeOverlay(as: ThemePicker.self) { $0.take(choices, in: state) }
    case .membersChanged(let object, let slot):
      detail.invalidateMembers(slot: slot, of: object)
    case .countsLoaded(let fetch, let slot, let counts):
      guard table?.fetch == fetch else { return [] }
      table?.take(counts: counts, slot: slot)
    case .memberKeysRead(let object, let slot, let keys):
      return openMembers(of: object, slot: slot, keys: keys)
    case .searched(let request, let outcome): take(outcome, of: request)
    case .valueLaidOut(let request, let result):
      let size = size
      changeOverlay(as: ValueScreen.self) { $0.take(result, of: request, size: size) }
    case .sparksRead(let request, let result): take(result, of: request)
    case .schemaRead(let text): changeSchema { $0.take(text, size: $1) }
    case .staged(let marks):
      return take(marks)
    case .stagingRefused(let reason):
      // Keys that were meant for what is refused must not meet anything else.
      dropTypedAhead()
      message = Message(text: reason, role: .warning)
    case .editReady(let subject):
      guard editing.awaited == .editor(subject.target) else { return [] }
      return open(subject) + releaseTypedAhead()
    case .valuesFound(let target, let entries):
      changeOverlay(as: CellEditor.self) { $0.take(entries, of: target) }
    case .filter(let event): return takeResult(event)
    case .importing(let event): return takeResult(event)
    case .created(let object): take(created: object)
    case .deletionPlanned(let objects, let plan):
      guard editing.awaited == .deletion(objects) else { return [] }
      askToDelete(objects, plan)
      return releaseTypedAhead()
    case .saved(let report): return take(saved: report)
    case .saveFailed(let failure): take(failure)
    case .export(let event): return take(export: event)
    case .copied(let result): return take(copied: result)
    case .changedElsewhere(let fetch, let inserted, let deleted):
      takeExternalChange(fetch: fetch, inserted: inserted, deleted: deleted)
    case .sql(let event): return take(sql: event)
    case .everythingChanged: return takeChangeOfEverything()
    case .reviewRead, .objectsFound, .editedExternally, .file, .updatePlanned, .written,
      .recoveryFound, .restored, .keptForNextTime:
      return takeEditing(event)
    }
    return []
  }

  /// Whether an event can change what is on the screen: rows that were read ahead do not.
  func isSeen(_ event: BrowserEvent) -> Bool {
    guard case .rowsLoaded(let fetch, _, let rows) = event else { return true }
    guard let table, table.fetch == fetch else { return false }
    return table.isAnyVisible(rows, height: tableHeight)
  }

  private mutating func take(_ names: [Int64: String?], entity: Int) {
    self.names.take(names, entity: entity)
    guard var table else { return }
    let widest = names.keys.compactMap { key in
      self.names[entity, key]?.shown(key: key).text.displayWidth(upTo: TableState.widestColumn)
    }.max()
    for (index, column) in table.columns.enumerated()
    where column.destination == entity && !column.isToMany {
      table.contentWidths[index] = max(table.contentWidths[index], widest ?? 0)
    }
    self.table = table
  }

  private mutating func takeChange(_ changed: [Int: Set<Int64>]) -> [Effect] {
    var effects: [Effect] = []
    for (entity, keys) in changed.sorted(by: { $0.key < $1.key }) {
      names.invalidate(entity: entity, keys: keys)
      if entities.beginCounting(entity) { effects.append(.count(entity: entity)) }
    }
    detail.invalidateMembers(changed: changed)
    table?.invalidateCounts(changed: changed.keys)
    return effects
  }

  /// Says why something could not be read. Where other tables are known to be in the file, that is the reason, and
  /// was said.
  private mutating func tellOfRead(_ reason: String) {
    if following == .none { message = Message(text: reason, role: .error) }
  }
}
