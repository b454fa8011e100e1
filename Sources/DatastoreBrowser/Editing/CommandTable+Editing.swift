import DatastoreCore
import TerminalUI

extension CommandTable {
  /// The commands for staged changes, in every panel.
  static let stagingCommands: [Command] = [
    Command(
      "save", or: ["w"], titled: "Save changes", synonyms: ["write", "commit", "store"],
      keys: ["ctrl-s"], label: "Save",
      help:
        "Write all unsaved changes in one transaction; to a CSV file, after showing them. A value "
        + "that is being edited is staged first.", wherever: [.saves],
      unless: .staging(.save, else: .cannotSave)
    ) { $0.perform(.save) { $0.saveOrReview() } },
    Command(
      "revert", titled: "Revert all changes",
      synonyms: ["discard", "rollback", "reset", "abandon"], onlyByWholeName: true,
      keys: ["ctrl-r"], label: "Revert",
      help: "Revert all unsaved changes, after a question.", wherever: [.stages],
      unless: .staging(.revert, else: .nothingStaged)
    ) { $0.perform(.revert) { $0.askToRevert() } },
    Command(
      "undo", titled: "Undo change", keys: ["u"], label: "Undo",
      help: "Undo the last change; if it was saved since, its opposite is staged.",
      wherever: [.stages], unless: .staging(.undo, else: .nothingToUndo)
    ) { $0.perform(.undo) { $0.stage(.undo) } },
    Command(
      "redo", titled: "Redo change", keys: ["U"], label: "Redo",
      help: "Redo the change that was undone last.",
      wherever: [.stages], unless: .staging(.redo, else: .nothingToRedo)
    ) { $0.perform(.redo) { $0.stage(.redo) } },
  ]

  /// The commands for objects and their values.
  static let editingCommands: [Command] = [
    Command(
      "edit", titled: "Edit value", synonyms: ["change", "set", "update", "modify", "null"],
      keys: ["e", "f2"],
      label: "edit",
      help:
        "Edit this value: text, numbers and dates in place, others from a list; ctrl-n there makes it "
        + "NULL.",
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
      state.stage(.duplicate([object]))
    },
    Command(
      "delete", titled: "Delete object", synonyms: ["remove", "row", "record"],
      keys: ["D", "dd", "delete"],
      label: "delete",
      help:
        "Delete this object; everything else that this deletes or changes is shown first. In a table of suggestions, "
        + "refuse the selected ones.", in: [.table],
      hintRank: 45, unless: .cannotDelete
    ) { state in
      if state.followDerivedRows(isRemoving: true) { return }
      guard let object = state.currentObject else { return }
      state.awaitAnswer(.deletion([object]))
      state.request(.planDeletion([object]))
    },
  ]

  static let editorCommands: [Command] = [
    Command(
      "set-null", keys: ["ctrl-n"], label: "NULL", help: "Make the value NULL: no value.",
      in: [
        CellEditor.scope, ValuePicker.scope, ObjectPicker.scope, BlobEditor.scope, .filterValue,
      ], hintRank: 3
    ) { $0.setNull() },
    Command(
      "list-values", keys: ["ctrl-o", "alt-down"], label: "values",
      help: "List the values of this column, if they are few, to pick one.",
      in: [CellEditor.scope], hintRank: 5, unless: .noOccurringValues
    ) { $0.listOccurringValues() },
    Command(
      "edit-next", keys: ["tab"], label: "next",
      help: "Stage this value and edit the next property: of the columns, or of the details.",
      in: [CellEditor.scope, ValuePicker.scope, ObjectPicker.scope], hintRank: 4
    ) { $0.acceptAndEdit(by: 1) },
    Command(
      "edit-previous", keys: ["shift-tab"], label: "previous",
      help: "Stage this value and edit the previous property.",
      in: [CellEditor.scope, ValuePicker.scope, ObjectPicker.scope]
    ) { $0.acceptAndEdit(by: -1) },
    Command(
      "dismiss-question", keys: ["esc", "ctrl-c"], label: "cancel",
      help: "Answer a question with no.", in: [.question], hintRank: 1
    ) { Question.dismiss(&$0) },
  ]
}
