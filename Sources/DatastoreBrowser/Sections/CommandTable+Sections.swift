import TerminalUI

extension CommandTable {
  /// The commands that find sections.
  static let sectionListCommands: [Command] = [
    Command(
      "go-to-section", synonyms: ["jump", "group", "list"], keys: ["'"], label: "sections",
      help: "Show a table of all sections with their number of rows; enter goes to one.",
      in: [.table],
      hintRank: 22, unless: .noSections
    ) { $0.openSections() },
    Command(
      "sparkline", titled: "Sparklines", synonyms: ["trend", "sections"], keys: ["gh"],
      label: "sparkline",
      help: "Show a sparkline of this column in each section header; press again to hide it.",
      in: [.table], hintRank: 23, unless: .noSparkline
    ) { $0.toggleSparkline() },
  ]
}
