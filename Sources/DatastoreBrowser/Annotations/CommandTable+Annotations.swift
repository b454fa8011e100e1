import TerminalUI

extension CommandTable {
  /// The commands for what a file does not declare.
  static let meaningCommands: [Command] =
    [
      Command(
        "column-meaning",
        synonyms: [
          "type", "kind", "boolean", "dates", "format", "time", "timestamp", "unix", "unit",
          "measure", "declare", "relationship", "foreign", "reference", "refers", "join", "label",
          "names", "caption", "display",
        ], keys: ["%"], label: "meaning",
        help:
          "Set what this column means: its type, how it stores dates, its unit, the column that it refers to, "
          + "what names its objects, and whether it is shown; “:column-meaning unit kg” sets one of these.",
        in: [.table], unless: .noColumn,
        taking: Command.Argument("LINE TEXT") { $0.setMeaning($1) }
      ) { $0.openMeaning() },
      Command(
        "hide-entity", synonyms: ["table"], keys: ["-"], label: "hide",
        help: "Hide this entity in the list; + shows it again.", in: [.entities],
        unless: .noEntities
      ) { $0.hideEntity() },
      Command(
        "hidden-entities", synonyms: ["unhide", "tables"], keys: ["+"], label: "hidden",
        help: "List the hidden entities, and show one again.", in: [.entities], unless: .noEntities
      ) { state in
        state.open(HiddenEntityPicker(state))
      },
      Command(
        "meanings", titled: "Annotations", synonyms: ["meaning", "declared"], keys: ["gm"],
        label: "said",
        help:
          "List what the browser remembers about the file (names, relationships, dates, types, units, hidden "
          + "entities), and take it back.", unless: .noEntities
      ) { state in
        state.open(MeaningList(state.annotations))
      },
    ]
}
