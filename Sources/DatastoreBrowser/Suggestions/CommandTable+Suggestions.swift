import DatastoreCore
import TerminalUI

extension CommandTable {
  /// Relationships that the file does not declare.
  static let suggestionCommands: [Command] = [
    Command(
      "suggest-relationships", synonyms: ["foreign", "joins", "guess", "undeclared"], keys: ["&"],
      label: "relationships",
      help: "List relationships that no foreign key declares, but names and values suggest.",
      in: CommandScope.panels.union([.schema]), unless: .declaresRelationships
    ) { $0.openSuggestions() },
    Command(
      "refuse-relationship", keys: ["x"], label: "refuse",
      help: "Reject it, so that it is not suggested again; press again to undo.",
      in: [.suggestions], hintRank: 2, unless: .noSuggestion
    ) { state in
      state.changeOverlay(as: SuggestionsScreen.self) { $0.decide(.refused) }
    },
  ]
}

extension DisabledReason {
  /// Stores of ours say everything themselves, but for copies of files that say nothing.
  static let declaresRelationships = DisabledReason { state in
    if state.editing.copiedFile != nil { return nil }
    let isForeign = state.schema.entities.contains { entity in
      entity.properties.contains { $0.attribute?.declaredType != nil }
    }
    return isForeign ? nil : "This store declares how its entities are related."
  }

  static let noSuggestion = DisabledReason {
    let list = $0.overlay(as: SuggestionsScreen.self)
    return list?.decisions.isEmpty ?? true ? "There is no relationship here." : nil
  }
}
