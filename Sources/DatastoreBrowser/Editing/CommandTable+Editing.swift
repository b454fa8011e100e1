import DatastoreCore
import TerminalUI

extension CommandTable {
  /// What can be done with changes, in every panel.
  static let stagingCommands: [Command] = [
    Command(
      "save", or: ["w"], titled: "Save changes", synonyms: ["write", "commit", "store"],
      keys: ["ctrl-s"], label: "Save",
      help: "Write all unsaved changes in one transaction; of a CSV file, after a look at them.",
      in: CommandScope.panels,
      unless: .cannotSave
    ) { $0.saveOrReview() },
    Command(
      "revert", titled: "Revert all changes",
      synonyms: ["discard", "rollback", "reset", "abandon"], onlyByWholeName: true,
      keys: ["ctrl-r"], label: "Revert",
      help: "Revert all unsaved changes, after a question.", in: CommandScope.panels,
      unless: .nothingStaged
    ) { $0.askToRevert() },
    Command(
      "undo", titled: "Undo change", keys: ["u"], label: "Undo",
      help: "Undo the last change; if it was saved since, its opposite is staged.",
      in: CommandScope.panels, unless: .nothingToUndo
    ) { $0.request(.stage(.undo)) },
    Command(
      "redo", titled: "Redo change", keys: ["U"], label: "Redo",
      help: "Redo the change that was undone last.",
      in: CommandScope.panels, unless: .nothingToRedo
    ) { $0.request(.stage(.redo)) },
  ]

  /// What can be done with objects and their values.
  static let editingCommands: [Command] = [
    Command(
      "edit", titled: "Edit value", synonyms: ["change", "set", "update", "modify"],
      keys: ["e", "f2"],
      label: "edit",
      help: "Edit this value: text, numbers and dates in place, others from a list.",
      in: [.table, .detail], hintRank: 4, unless: .cannotEdit
    ) { $0.beginEdit() },
    Command(
      "create", titled: "New object", synonyms: ["add", "insert", "row", "record"],
      keys: ["a", "insert"],
      label: "new",
      help: "Create an object; the details mark properties that need a value.", in: [.table],
      hintRank: 7, unless: .cannotCreate
    ) { $0.createObject() },
    Command(
      "duplicate", titled: "Duplicate object", synonyms: ["copy", "clone", "row"], keys: ["A"],
      label: "duplicate",
      help: "Create a copy of this object, without its keys and unique values.", in: [.table],
      unless: .cannotDuplicate
    ) { state in
      guard let object = state.currentObject else { return }
      state.awaitAnswer(.object(isCreated: false))
      state.request(.stage(.duplicate([object])))
    },
    Command(
      "delete", titled: "Delete object", synonyms: ["remove", "row", "record"],
      keys: ["D", "dd", "delete"],
      label: "delete",
      help: "Delete this object; what else is deleted or changed is shown first.", in: [.table],
      hintRank: 45, unless: .cannotDelete
    ) { state in
      guard let object = state.currentObject else { return }
      state.awaitAnswer(.deletion([object]))
      state.request(.planDeletion([object]))
    },
  ]

  /// What can be done while a value is edited, and with questions.
  static let editorCommands: [Command] = [
    Command(
      "accept-edit", keys: ["enter"], label: "accept", help: "Stage the value as it is typed.",
      in: [.cellEditor], hintRank: 1
    ) { $0.acceptEdit() },
    closing(
      "cancel-edit", "Leave the value as it was.", in: [.cellEditor], label: "cancel", hintRank: 2),
    Command(
      "set-null", keys: ["ctrl-n"], label: "NULL", help: "Make the value NULL.",
      in: [.cellEditor], hintRank: 3
    ) { state in
      state.changeOverlay(as: CellEditor.self) { $0.setNull() }
    },
    Command(
      "list-values", keys: ["ctrl-o", "alt-down"], label: "values",
      help: "List the values of this column, if they are few, to pick one.",
      in: [.cellEditor], hintRank: 5, unless: .noOccurringValues
    ) { $0.listOccurringValues() },
    Command(
      "edit-next", keys: ["tab"], label: "next",
      help: "Stage this value and edit the next property: of the columns, or of the details.",
      in: [.cellEditor, .valuePicker, .objectPicker], hintRank: 4
    ) { $0.acceptAndEdit(by: 1) },
    Command(
      "edit-previous", keys: ["shift-tab"], label: "previous",
      help: "Stage this value and edit the previous property.",
      in: [.cellEditor, .valuePicker, .objectPicker]
    ) { $0.acceptAndEdit(by: -1) },
    Command(
      "accept-edit-and-save", keys: ["ctrl-s"], label: "accept, save",
      help: "Stage the value as it is typed, and write all unsaved changes.", in: [.cellEditor],
      hintRank: 6
    ) { state in
      let isBulk = state.overlay(as: CellEditor.self)?.subject.bulk != nil
      let isChanged = state.acceptEdit()
      // What many objects would become is shown first.
      if isBulk { return }
      guard state.overlay(as: CellEditor.self) == nil else { return }
      if !isChanged, let reason = DisabledReason.cannotSave.reason(state) {
        state.message = BrowserState.Message(text: reason, severity: .warning)
        return
      }
      state.save()
    },
    Command(
      "dismiss-question", keys: ["esc", "ctrl-c"], label: "cancel",
      help: "Answer a question with no.", in: [.question], hintRank: 1
    ) { Question.dismiss(&$0) },
  ]
}
