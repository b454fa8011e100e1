import DatastoreCore
import TerminalUI

extension CommandTable {
  /// The commands for relationships that the file does not declare.
  static let suggestionCommands: [Command] = [
    Command(
      "suggest-relationships", synonyms: ["foreign", "joins", "guess", "undeclared"], keys: ["&"],
      label: "relationships",
      help:
        "Show a table of relationships that no foreign key declares, but names and values suggest; enter accepts "
        + "the selected ones, D refuses them, the same again undoes that.",
      in: CommandScope.panels.union([SchemaScreen.scope]), unless: .declaresRelationships
    ) { $0.openSuggestions() }
  ]
}

extension DisabledReason {
  /// A native store declares its relationships, unless it is a copy of files that do not.
  static let declaresRelationships = DisabledReason { state in
    if state.editing.copiedFile != nil { return nil }
    let isForeign = state.schema.entities.contains { entity in
      entity.properties.contains { $0.attribute?.declaredType != nil }
    }
    return isForeign ? nil : "This store declares how its entities are related."
  }
}
