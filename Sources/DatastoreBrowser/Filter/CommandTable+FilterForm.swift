import DatastoreCore
import TerminalUI

extension CommandTable {
  static let filterFormCommands: [Command] = [
    Command(
      "edit-field", keys: ["enter", "e"], label: "change",
      help: "Change the field under the cursor: type a value, or pick from a list.",
      in: [.filterForm], hintRank: 1
    ) { $0.editFormField() },
    formCommand("next-field", ["tab", "right", "l"], "field", "Go to the next field.") {
      $0.moveField(by: 1)
    },
    formCommand(
      "previous-field", ["shift-tab", "left", "h"], "previous field", "Go to the previous field."
    ) { $0.moveField(by: -1) },
    formCommand("add-row", ["a"], "add", "Add a condition below.", hintRank: 2) { $0.addRow() },
    formCommand(
      "add-group", ["A"], "group", "Add a group below, whose conditions are joined on their own.",
      hintRank: 8
    ) { $0.addGroup() },
    formCommand(
      "remove-row", ["d", "delete"], "remove", "Remove the condition or the group.", hintRank: 7
    ) { $0.remove() },
    formCommand(
      "remove-value", ["backspace"], "remove value", "Remove a value from the list after IN."
    ) { $0.removeValue() },
    formCommand(
      "indent", ["]"], "indent",
      "Put the condition into the group above it, or into a new group.", hintRank: 12
    ) { $0.indent() },
    formCommand("outdent", ["["], "outdent", "Move the condition out of its group.") {
      $0.outdent()
    },
    formCommand(
      "move-row-up", ["alt-up", "shift-up", "K"], "up",
      "Move the condition or the group up among those that it is joined with.", hintRank: 13
    ) { $0.moveRow(by: -1) },
    formCommand(
      "move-row-down", ["alt-down", "shift-down", "J"], "down",
      "Move the condition or the group down among those that it is joined with."
    ) { $0.moveRow(by: 1) },
    formCommand(
      "next-choice", ["space"], "next choice",
      "Go to the next choice: ALL, ANY or NONE of a group, the operator, TRUE or FALSE.",
      hintRank: 9
    ) { $0.cycle() },
    formCommand(
      "negate", ["n"], "not", "Turn the condition into its opposite, and back.", hintRank: 10
    ) { $0.toggleNegation() },
    formCommand("ignore-case", ["c"], "case", "Make upper and lower case the same, or different.") {
      $0.toggle(.caseInsensitive)
    },
    formCommand(
      "ignore-accents", ["i"], "accents", "Make letters with accents the same as those without."
    ) { $0.toggle(.diacriticInsensitive) },
    formCommand("null-value", ["N"], "NULL", "Compare with NULL: no value.") { $0.setNull() },
    Command(
      "apply-form", keys: ["w"], label: "show rows",
      help: "Show only the rows that meet the conditions; without any, all rows.",
      in: [.filterForm], hintRank: 2
    ) { $0.applyFilter() },
  ]

  private static func formCommand(
    _ name: String, _ keys: [KeySequence], _ label: String, _ help: String, hintRank: Int? = nil,
    change: @escaping @Sendable (inout FilterForm) -> Void
  ) -> Command {
    Command(name, keys: keys, label: label, help: help, in: [.filterForm], hintRank: hintRank) {
      $0.changeForm(change)
    }
  }

  static let filterListCommands: [Command] = [
    Command(
      "this-file-only", keys: ["ctrl-t"], label: "this file only",
      help: "Save the filter for this file only, or for every file.", in: [.filterName],
      hintRank: 2
    ) { state in
      state.changeOverlay(as: SavedFilterList.self) { $0.toggleFile() }
    }
  ]
}
