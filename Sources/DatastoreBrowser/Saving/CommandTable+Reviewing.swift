import DatastoreCore
import TerminalUI

extension CommandTable {
  /// The commands for reviewing changes, and for settling what keeps them from being saved.
  static let reviewCommands: [Command] = [
    Command(
      "review", titled: "Review changes", synonyms: ["diff", "unsaved", "staged", "pending"],
      keys: ["c"], label: "Review",
      help:
        "List every unsaved change, with its old and new value; of a changed schema, show the steps, "
        + "values that would be lost, and what is in the way.", wherever: [.stages],
      unless: .staging(.review, else: .nothingStaged)
    ) { $0.perform(.review) { $0.open(ReviewScreen()) } },
    Command(
      "revert-one", keys: ["u", "d"], label: "revert",
      help: "Revert the change under the cursor; on an object, all of its changes.",
      in: [ReviewScreen.scope], hintRank: 1
    ) { state in
      guard let (object, slot) = state.overlay(as: ReviewScreen.self)?.current else { return }
      state.stage(.revert(object.object, slot: object.mark.kind == .deleted ? nil : slot))
    },
  ]

  /// The commands that choose between the staged values and those of someone else.
  static let conflictCommands: [Command] = [
    choice("choose-mine", ["m"], "mine", .mine, "Keep your value; on an object, all of them."),
    choice(
      "choose-theirs", ["t"], "theirs", .theirs,
      "Take the value that is stored; on an object, all of them."),
    Command(
      "choose-all-mine", keys: ["M"], label: "all mine", help: "Keep all of your values.",
      in: [ConflictScreen.scope], hintRank: 3
    ) { state in
      state.changeOverlay(as: ConflictScreen.self) { $0.chooseAll(.mine) }
    },
    Command(
      "choose-all-theirs", keys: ["T"], label: "all theirs",
      help: "Keep all stored values.", in: [ConflictScreen.scope], hintRank: 4
    ) { state in
      state.changeOverlay(as: ConflictScreen.self) { $0.chooseAll(.theirs) }
    },
  ]

  private static func choice(
    _ name: String, _ keys: [KeySequence], _ label: String, _ choice: ConflictScreen.Choice,
    _ help: String
  ) -> Command {
    Command(name, keys: keys, label: label, help: help, in: [ConflictScreen.scope], hintRank: 1) {
      state in
      let current = state
      state.changeOverlay(as: ConflictScreen.self) { $0.choose(choice, in: current) }
    }
  }
}
