import DatastoreCore
import TerminalUI

/// What another process has done to the rows of the table.
struct ExternalChange: Hashable, Sendable {
  let fetch: Int
  var inserted = 0
  var deleted = 0
  /// Rows on the screen whose values are others now.
  var changed: Set<Int64> = []

  /// nil while no row is known to have changed.
  var sentence: String? {
    let count = inserted + deleted + changed.count
    guard count > 0 else { return nil }
    let parts = [(inserted, "new"), (deleted, "gone"), (changed.count, "changed")]
      .filter { $0.0 > 0 }.map { "\(CountText.grouped($0.0)) \($0.1)" }
    return "Changed by another process: \(CountText.counted(count, "row")) "
      + "(\(parts.joined(separator: ", ")))."
  }
}

extension BrowserState {
  /// Takes that rows came or went because another process has written the file.
  mutating func takeExternalChange(fetch: Int, inserted: Int, deleted: Int) {
    guard table?.fetch == fetch else { return }
    var change =
      externalChange.flatMap { $0.fetch == fetch && isTold($0) ? $0 : nil }
      ?? ExternalChange(fetch: fetch)
    change.inserted += inserted
    change.deleted += deleted
    tell(change)
  }

  /// Counts rows that were read again because of it and have other values now.
  mutating func noteExternalChange(of rows: [RowSnapshot]) {
    guard var change = externalChange, let table, change.fetch == table.fetch else { return }
    for row in rows {
      guard let old = table.rows[row.key], old != row else { continue }
      change.changed.insert(row.key)
    }
    guard change != externalChange else { return }
    tell(change)
  }

  /// Whether the status line says it, so that more of the same is added to it.
  private func isTold(_ change: ExternalChange) -> Bool {
    change.sentence == nil || message?.text == change.sentence
  }

  private mutating func tell(_ change: ExternalChange) {
    // What the user is being told otherwise stays.
    if message == nil || message?.text == externalChange?.sentence, let sentence = change.sentence {
      message = Message(text: sentence, role: .warning)
    }
    externalChange = change
  }

  /// Has everything read again that is kept of the store besides the table's rows.
  mutating func takeChangeOfEverything() -> [Effect] {
    names.invalidateAll()
    table?.invalidateCounts()
    detail.invalidateAllMembers()
    changeOverlay(as: ValueScreen.self) { $0.invalidate() }
    let counts: [Effect] = schema.entities.indices.filter { entities.beginCounting($0) }
      .map { .count(entity: $0) }
    return editing.selection.seen.isEmpty
      ? counts : counts + [.findSelection(editing.selection.references)]
  }

  /// Has the selection go on with the rows that were selected, wherever they are now.
  mutating func take(selection entity: Int, _ found: [Int64: ObjectReference?]) {
    guard editing.selection.entity == entity else { return }
    let before = editing.selection.keys.count
    editing.selection.follow(found)
    let lost = before - editing.selection.keys.count
    guard lost > 0 else { return }
    message = Message(
      text: "\(CountText.counted(lost, "selected row")) \(lost == 1 ? "was" : "were") changed or "
        + "deleted by someone else, and \(lost == 1 ? "is" : "are") no longer selected.",
      role: .warning)
  }
}
