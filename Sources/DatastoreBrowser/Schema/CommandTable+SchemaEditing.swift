import TerminalUI

extension CommandTable {
  /// The commands that change the schema of the file.
  static let schemaEditingCommands: [Command] = [
    Command(
      "add-property", keys: ["a"], label: "add property",
      help:
        "Add a property to the entity under the cursor: “phone text”, “age integer required default 0”, "
        + "“company Company”, “tags Tag many”. It is staged until the schema is saved.",
      in: [SchemaScreen.scope], hintRank: 7, unless: .noSchemaPlace
    ) { $0.addPropertyToSchema() },
    Command(
      "add-entity", keys: ["A"], label: "add entity", help: "Add an entity to the schema.",
      in: [SchemaScreen.scope], unless: .cannotEditSchema
    ) { $0.open(SchemaPrompt(.addEntity)) },
    Command(
      "rename-in-schema", keys: ["r"], label: "rename",
      help:
        "Rename the property under the cursor, or the entity on its title; its values are kept.",
      in: [SchemaScreen.scope], hintRank: 8, unless: .noSchemaPlace
    ) { $0.renameInSchema() },
    Command(
      "remove-from-schema", keys: ["d"], label: "remove",
      help:
        "Remove the property under the cursor, or the entity on its title. What would be lost with it is "
        + "counted before it is saved.",
      in: [SchemaScreen.scope], hintRank: 9, unless: .noSchemaPlace
    ) { $0.removeFromSchema() },
  ]
}
