import Basics
import DatastoreCore
import Foundation

extension BrowserState {
  /// Opens a table of the changes saved in this session, the last save first.
  mutating func openSaves() {
    openDerivedTable(
      titled: "Saves of this session", "the saves of this session", entity: "saves",
      tabs: historyTabs(at: 1)
    ) { state in
      let entries = Array(state.timeline.entries.reversed())
      return { runner, _, _ in try await runner.rows(of: entries) }
    }
  }

  /// Stages the opposite of a save.
  mutating func undo(_ save: SaveTimeline.Entry) {
    if let reason = DisabledReason.cannotStage.reason(self) {
      return tell(reason, .warning)
    }
    request(.undo(save))
  }
}

extension EffectRunner {
  fileprivate func rows(of saves: [SaveTimeline.Entry]) async throws -> DerivedRows {
    var rows = ChangedRows()
    var entries: [SaveTimeline.Entry] = []
    for save in saves {
      let names = try await names(of: save.objects)
      for object in save.objects {
        rows.add(
          reviewed(object, names), [.integer(Int64(save.number)), .text(save.date.timeOfDay)])
      }
      entries += Array(repeating: save, count: rows.rows.count - entries.count)
    }
    return DerivedRows(
      columns: [.number("save"), .text("at")] + ChangedRows.columns, rows: rows.rows,
      enter: .undoSave
    ) { [entries] rows, _ in
      guard let first = rows.first else { return nil }
      return { $0.undo(entries[first]) }
    }
  }
}

extension DerivedTableState.Action {
  static let undoSave = Self("undo save", "enter undoes the save")
}
