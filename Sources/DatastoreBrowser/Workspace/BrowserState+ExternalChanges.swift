import DatastoreCore
import TerminalUI

/// Reporting what another process has changed.
extension BrowserState {
  /// Records that rows came or went because another process has written the file.
  mutating func applyExternalChange(fetch: Int, inserted: Int, deleted: Int) {
    guard table?.fetch == fetch else { return }
    var change =
      externalChange.flatMap { $0.fetch == fetch && isReported($0) ? $0 : nil }
      ?? ExternalChange(fetch: fetch)
    change.inserted += inserted
    change.deleted += deleted
    report(change)
  }

  /// Counts rows that were read again because of it and have other values now, and marks these.
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

  /// Whether the status line says it, so that more of the same is added to it.
  private func isReported(_ change: ExternalChange) -> Bool {
    change.sentence == nil || message?.text == change.sentence
  }

  private mutating func report(_ change: ExternalChange) {
    // Another message to the user stays.
    if message == nil || message?.text == externalChange?.sentence, let sentence = change.sentence {
      message = Message(text: sentence, severity: .warning)
    }
    externalChange = change
  }
}
