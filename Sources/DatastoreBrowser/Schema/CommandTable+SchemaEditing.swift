import TerminalUI

extension CommandTable {
  /// Changing the schema of the file.
  static let schemaEditingCommands: [Command] = [
    Command(
      "add-property", keys: ["a"], label: "add property",
      help:
        "Add a property to the entity under the cursor: “phone text”, “age integer required default 0”, "
        + "“company Company”, “tags Tag many”. It is staged until the schema is saved.",
      in: [.schema], hintRank: 7, unless: .noSchemaPlace
    ) { $0.addPropertyToSchema() },
    Command(
      "add-entity", keys: ["A"], label: "add entity", help: "Add an entity to the schema.",
      in: [.schema], unless: .cannotEditSchema
    ) { $0.open(SchemaPrompt(.addEntity)) },
    Command(
      "rename-in-schema", keys: ["r"], label: "rename",
      help:
        "Rename the property under the cursor, or the entity on its title; its values are kept.",
      in: [.schema], hintRank: 8, unless: .noSchemaPlace
    ) { $0.renameInSchema() },
    Command(
      "remove-from-schema", keys: ["d"], label: "remove",
      help:
        "Remove the property under the cursor, or the entity on its title. What would be lost with it is "
        + "counted before it is saved.",
      in: [.schema], hintRank: 9, unless: .noSchemaPlace
    ) { $0.removeFromSchema() },
    Command(
      "undo-schema", keys: ["u"], label: "undo",
      help: "Undo the last staged change of the schema.", in: [.schema], hintRank: 5,
      unless: .noSchemaEdits
    ) { $0.changeSchemaEditing("Undone; ctrl-r brings it back.") { $0.undo() } },
    Command(
      "redo-schema", keys: ["ctrl-r"], label: "redo",
      help: "Bring back the change of the schema that was undone last.", in: [.schema],
      unless: .noUndoneSchemaEdits
    ) { $0.changeSchemaEditing("Staged again.") { $0.redo() } },
    Command(
      "revert-schema", keys: ["R"], label: "revert all",
      help: "Undo all staged changes of the schema.", in: [.schema], unless: .noSchemaEdits
    ) { $0.changeSchemaEditing("All changes of the schema were undone.") { $0.revert() } },
    Command(
      "review-schema", keys: ["s", "c", "ctrl-s"], label: "review and save",
      help:
        "Show what the staged changes of the schema would do: rows to be written, values that would be lost, "
        + "what is in the way, or the statements for a file of another program. They are saved from there.",
      in: [.schema], hintRank: 4, unless: .noSchemaEdits
    ) { state in
      state.open(SchemaReview())
      state.request(.reviewSchema(state.schemaEditing.edits))
    },
    Command(
      "save-schema", keys: ["ctrl-s"], label: "save",
      help:
        "Make the reviewed changes of the schema, in one transaction. Where values are lost, the old file is "
        + "copied beside it first.",
      in: [.schemaReview], hintRank: 1, unless: .cannotSaveSchema
    ) { $0.saveSchema() },
    Command(
      "close-schema-review", keys: ["esc", "q", "ctrl-c"], label: "close",
      help:
        "Close the review of the schema; cancels a save that runs, and nothing is changed then.",
      in: [.schemaReview], hintRank: 2
    ) { $0.closeSchemaReview() },
    Command(
      "accept-schema-line", keys: ["enter"], label: "stage",
      help: "Stage what was typed as a change of the schema.", in: [.schemaPrompt], hintRank: 1
    ) { $0.acceptSchemaPrompt() },
    closing(
      "cancel-schema-line", "Stage nothing.", in: [.schemaPrompt], label: "cancel", hintRank: 2),
  ]
}
