import DatastoreCore
import TerminalUI

/// Reporting the changes of other processes.
extension BrowserState {
  /// Records that rows were inserted or deleted by another process.
  mutating func applyExternalChange(fetch: Int, inserted: Int, deleted: Int) {
    guard table?.fetch == fetch else { return }
    var change =
      externalChange.flatMap { $0.fetch == fetch && isReported($0) ? $0 : nil }
      ?? ExternalChange(fetch: fetch)
    change.inserted += inserted
    change.deleted += deleted
    report(change)
  }

  /// Counts and marks the rows whose values have changed when they were read again after such a change.
  mutating func markExternalChange(of rows: [RowSnapshot]) {
    guard var change = externalChange, let table, change.fetch == table.fetch else { return }
    for row in rows {
      guard let old = table.rows[row.key], old != row else { continue }
      change.changed.insert(row.key)
      let cells = zip(old.cells, row.cells).enumerated().lazy.filter { $1.0 != $1.1 }.map(\.offset)
      self.table?.changedByOthers[row.key, default: []].formUnion(cells)
    }
    guard change != externalChange else { return }
    report(change)
  }

  /// Whether the status line shows the change, so that later changes are added to it.
  private func isReported(_ change: ExternalChange) -> Bool {
    change.sentence == nil || message?.text == change.sentence
  }

  private mutating func report(_ change: ExternalChange) {
    // A message about something else stays.
    if message == nil || message?.text == externalChange?.sentence, let sentence = change.sentence {
      tell(sentence, .warning)
    }
    externalChange = change
  }
}
