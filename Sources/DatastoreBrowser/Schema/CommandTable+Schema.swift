import TerminalUI

extension CommandTable {
  /// Looking at the schema of the file.
  static let schemaCommands: [Command] = [
    Command(
      "show-schema", synonyms: ["structure", "tables", "indexes", "diagram", "graph", "erd"],
      keys: ["gs"], label: "schema",
      help: "Show entities, attributes, relationships and indexes of the file, and their graph.",
      in: CommandScope.panels, hintRank: 87
    ) { $0.openSchema() },
    picking(
      "open-schema-entity", label: "open", "Show the table of the entity under the cursor.",
      in: [.schema], unless: .noSchemaEntity),
    inSchema(
      "change-schema-form", ["tab", "f"], "graph", "Show it as an outline or as a graph.", 2
    ) {
      $0.changeForm(size: $1)
    },
    inSchema("next-schema-entity", ["]"], "entity", "Go to the next entity.", 6, hintKeys: "[ ]") {
      $0.moveEntity(by: 1, size: $1)
    },
    inSchema("previous-schema-entity", ["["], "previous entity", "Go to the previous entity.") {
      $0.moveEntity(by: -1, size: $1)
    },
    inSchema("schema-left", ["left", "h"], "left", "Scroll the schema to the left.") {
      $0.scrollSideways(by: -8, size: $1)
    },
    inSchema("schema-right", ["right", "l"], "right", "Scroll the schema to the right.") {
      $0.scrollSideways(by: 8, size: $1)
    },
  ]

  private static func inSchema(
    _ name: String, _ keys: [KeySequence], _ label: String, _ help: String, _ rank: Int? = nil,
    hintKeys: String? = nil, _ change: @escaping @Sendable (inout SchemaScreen, Size) -> Void
  ) -> Command {
    Command(
      name, keys: keys, label: label, help: help, in: [.schema], hintRank: rank,
      hintKeys: hintKeys
    ) { $0.changeSchema(change) }
  }
}

extension DisabledReason {
  static let noSchemaEntity = DisabledReason {
    $0.overlay(as: SchemaScreen.self)?.entity == nil ? "There is no entity here." : nil
  }
}
