import DatastoreCore
import TerminalUI

extension CommandTable {
  /// The commands that find rows.
  static let jumpCommands: [Command] = [
    Command(
      "search", titled: "Search text", synonyms: ["find"], keys: ["/"], label: "search",
      help:
        "Search all columns that are shown for a text, from here on; tab searches the whole file, "
        + "then one column. Upper case and accents count where they are typed. ctrl-t searches for "
        + "words, the best matches first. In the list of entities it finds one by a part of its name, in "
        + "other lines and in the help a text.",
      in: CommandScope.panels.subtracting([.detail]).union([HelpState.scope]),
      wherever: [.searchesLines],
      hintRank: 81, unless: .notSearchable
    ) { $0.openSearch() },
    Command(
      "search-file", titled: "Search whole file",
      synonyms: ["find", "grep", "everywhere", "database"], keys: ["g/"], label: "search the file",
      help:
        "Search all texts and numbers of the whole file; a table has a row for each match, and enter goes there.",
      unless: .noEntities,
      taking: Command.Argument("TEXT") { $0.openFileSearch(for: $1) }
    ) { $0.openFileSearch(for: "") },
    Command(
      "search-next", titled: "Next match", synonyms: ["find", "again"], keys: ["n", "f3"],
      label: "next",
      help: "Go to the next match of the search.",
      in: [.table], wherever: [.searchesLines], unless: .noSearch
    ) { $0.searchAgain(.forward) },
    Command(
      "search-previous", titled: "Previous match", synonyms: ["find", "again"],
      keys: ["N", "shift-f3"],
      label: "previous",
      help: "Go to the previous match of the search.", in: [.table],
      wherever: [.searchesLines], unless: .noSearch
    ) { $0.searchAgain(.backward) },
    Command(
      "matches-only", titled: "Matches only", synonyms: ["found", "hits"], keys: ["gf"],
      label: "matches only",
      help:
        "Show only rows that match the search, as a filter that can be edited: a part of texts, or a "
        + "number as a whole. Again, the others, too.",
      in: [.table], unless: .noSearch
    ) { $0.toggleFoundFilter() },
    Command(
      "go-to-row", synonyms: ["jump", "line", "number"], keys: ["#"], label: "row number",
      help: "Go to a row by its number.",
      in: [.table], unless: .noRow
    ) { $0.open(RowNumberPrompt()) },
  ]

  /// The commands of their lines.
  static let jumpLineCommands: [Command] =
    [
      Command(
        "search-words", keys: ["ctrl-t"], label: "words or parts",
        help:
          "Search for words, in any order, and go through the matches from the best to the worst, where "
          + "an index of words ranks them; again, for any part of what is shown.",
        in: [SearchPrompt.scope], hintRank: 6
      ) { $0.change(SearchPrompt.self) { $0.toggleWords(in: &$1) } }
    ]
}

extension DisabledReason {
  static let noSearch = DisabledReason {
    $0.overlays.isEmpty && $0.table?.search == nil
      ? "Nothing has been searched for. Press / to search this table." : nil
  }

  /// There is nothing to search.
  static let notSearchable = DisabledReason {
    guard $0.overlays.isEmpty else { return nil }
    if $0.focus == .entities { return noEntities.reason($0) }
    guard let table = $0.table else { return "There is no table here." }
    return table.list.keys.isEmpty ? "There are no rows to search." : nil
  }
}
