import DatastoreCore
import TerminalUI

extension CommandTable {
  /// The commands for selecting rows, and for changing many at once.
  static let bulkCommands: [Command] = [
    Command(
      "select-row", synonyms: ["mark"], keys: ["space"], label: "select",
      help: "Select or deselect this row; on a section header, hide or show its rows.",
      in: [.table], hintRank: 47, unless: .noRow
    ) { state in
      if case .header = state.table?.currentLine {
        state.changeTable { $0.toggleSection(height: $1) }
        return
      }
      state.selectRow()
    },
    Command(
      "extend-down", titled: "Extend selection down", synonyms: ["mark", "rows"],
      keys: ["shift-down"], label: "select on",
      help: "Extend the selection down; moving back up shrinks it.", in: [.table],
      unless: .noRow
    ) { $0.extendSelection(by: 1) },
    Command(
      "extend-up", titled: "Extend selection up", synonyms: ["mark", "rows"], keys: ["shift-up"],
      label: "select back",
      help: "Extend the selection up; moving back down shrinks it.", in: [.table],
      unless: .noRow
    ) { $0.extendSelection(by: -1) },
    Command(
      "select-all", titled: "Select all rows", synonyms: ["mark"], keys: ["ctrl-a"],
      label: "select all",
      help: "Select all rows of this table; press again to select none.", in: [.table],
      unless: .noRow
    ) { state in
      guard let query = state.table?.query else { return }
      state.editing.selection.toggleAll(query)
    },
    Command(
      "bulk-update", titled: "Change many rows", synonyms: ["set", "replace", "edit"], keys: ["B"],
      label: "change many",
      help: "Give this column one value in the selected rows, or in all rows of this table when "
        + "none is selected; the changes are shown first. “= salary * 1.03” computes it for each, "
        + "“s/old/new/g” replaces in texts.",
      in: [.table], unless: .cannotBulkEdit
    ) { $0.beginBulkUpdate() },
    Command(
      "fill-down", synonyms: ["copy", "repeat"], keys: ["gd"], label: "fill down",
      help: "Give this column the value of the first selected row in all of them; the changes are "
        + "shown first.", in: [.table], unless: .cannotBulkEdit
    ) { $0.fillDown() },
    Command(
      "bulk-delete", titled: "Delete many rows", synonyms: ["remove", "selected"],
      keys: ["X", "da"], label: "delete many",
      help:
        "Delete the selected rows, or all rows of this table when none is selected; how many is "
        + "shown before.",
      in: [.table], unless: .cannotBulkDelete
    ) { $0.beginBulkDeletion() },
  ]
}
