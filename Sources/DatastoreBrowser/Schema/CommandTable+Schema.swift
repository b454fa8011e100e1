import TerminalUI

extension CommandTable {
  static let schemaCommands: [Command] = [
    Command(
      "show-schema",
      synonyms: [
        "structure", "tables", "indexes", "diagram", "graph", "erd", "alter", "rename", "drop",
        "columns",
      ],
      keys: ["gs"], label: "schema",
      help: "Show entities, attributes, relationships and indexes of the file, and their graph.",
      hintRank: 87
    ) { $0.openSchema() }
  ]
}
