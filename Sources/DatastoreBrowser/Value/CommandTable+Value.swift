import TerminalUI

extension CommandTable {
  static let valueCommands: [Command] = [
    Command(
      "show-value", titled: "Show whole value",
      synonyms: ["json", "hex", "blob", "bytes", "text", "view"], keys: ["V"], label: "value",
      help:
        "Show this value in full: long text, indented JSON, what an archive (a binary property list) holds as a "
        + "tree, bytes as a hex dump.",
      in: [.table, .detail], hintRank: 86, unless: .noValue
    ) { $0.openValue() },
    inValue("toggle-wrapping", ["w"], "wrap", "Wrap long lines, or not.", 3) { screen, _ in
      screen.toggleWrapping()
    },
  ]

  private static func inValue(
    _ name: String, _ keys: [KeySequence], _ label: String, _ help: String, _ rank: Int? = nil,
    _ change: @escaping @Sendable (inout ValueScreen, Size) -> Void
  ) -> Command {
    Command(name, keys: keys, label: label, help: help, in: [ValueScreen.scope], hintRank: rank) {
      state in
      state.changeValue(change)
    }
  }
}

extension DisabledReason {
  static let noValue = DisabledReason { $0.reasonNotToShowValue }
}
