import TerminalUI

extension CommandTable {
  /// Finding sections.
  static let sectionListCommands: [Command] = [
    Command(
      "go-to-section", synonyms: ["jump", "group", "list"], keys: ["'"], label: "sections",
      help: "List all sections with their number of rows, and go to one.", in: [.table],
      hintRank: 22, unless: .noSections
    ) { $0.openSections() },
    Command(
      "sparkline", titled: "Sparklines", synonyms: ["trend", "sections"], keys: ["gh"],
      label: "sparkline",
      help: "Show a sparkline of this column in each section header; press again to hide it.",
      in: [.table], hintRank: 23, unless: .noSparkline
    ) { $0.toggleSparkline() },
  ]

  /// What can be done in the list of sections.
  static let sectionLineCommands: [Command] =
    [
      picking("choose-section", label: "go", "Go to this section.", in: [.sections]),
      closing("close-sections", "Close the list of sections.", in: [.sections], hintRank: 2),
    ] + moving("section", "in the list of sections", in: [.sections])
}
