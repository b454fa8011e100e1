import DatastoreCore
import TerminalUI

extension CommandTable {
  /// Finding rows.
  static let jumpCommands: [Command] = [
    Command(
      "search", titled: "Search text", synonyms: ["find"], keys: ["/"], label: "search",
      help:
        "Search all columns that are shown for a text, from here on; tab searches the whole file, "
        + "then one column. Upper case and accents count where they are typed. ctrl-t searches for "
        + "words, the best matches first.",
      in: [.table], hintRank: 81,
      unless: .notSearchable
    ) { $0.openSearch() },
    Command(
      "find-entity", synonyms: ["table", "jump"], keys: ["/"], label: "find",
      help: "Find an entity by a part of its name.",
      in: [.entities], hintRank: 2, unless: .noEntities
    ) { state in
      state.open(EntityPicker(in: state))
    },
    Command(
      "search-file", titled: "Search whole file",
      synonyms: ["find", "grep", "everywhere", "database"], keys: ["g/"], label: "search the file",
      help: "Search all texts and numbers of the whole file.", in: CommandScope.panels,
      unless: .noEntities,
      taking: Command.Argument("TEXT") { $0.openFileSearch(for: $1) }
    ) { $0.openFileSearch(for: "") },
    Command(
      "search-next", titled: "Next match", synonyms: ["find", "again"], keys: ["n", "f3"],
      label: "next",
      help: "Go to the next match of the search.",
      in: [.table], unless: .noSearch
    ) { $0.searchAgain(.forward) },
    Command(
      "search-previous", titled: "Previous match", synonyms: ["find", "again"],
      keys: ["N", "shift-f3"],
      label: "previous",
      help: "Go to the previous match of the search.", in: [.table], unless: .noSearch
    ) { $0.searchAgain(.backward) },
    Command(
      "go-to-row", synonyms: ["jump", "line", "number"], keys: ["#"], label: "row number",
      help: "Go to a row by its number.",
      in: [.table], unless: .noRow
    ) { $0.open(RowNumberPrompt()) },
  ]

  /// What can be done in the lines of these.
  static let jumpLineCommands: [Command] =
    [
      Command(
        "accept-search", keys: ["enter"], label: "stay here",
        help: "Stay at this match; n and N go to others.", in: [.search], hintRank: 1
      ) { $0.acceptSearch() },
      Command(
        "next-while-searching", keys: ["down", "ctrl-n"], label: "next",
        help: "Go to the next match.", in: [.search], hintRank: 3
      ) { $0.searchAgain(.forward) },
      Command(
        "previous-while-searching", keys: ["up", "ctrl-p"], label: "previous",
        help: "Go to the previous match.", in: [.search], hintRank: 4
      ) { $0.searchAgain(.backward) },
      Command(
        "cancel-search", keys: ["esc", "ctrl-c"], label: "cancel",
        help: "Cancel the search and go back to where it began.", in: [.search], hintRank: 2
      ) { $0.cancelSearch() },
      Command(
        "widen-search", keys: ["tab"], label: "search more",
        help: "Search more: after one column the whole table, then the whole file, then one column "
          + "again.", in: [.search, .fileSearch], hintRank: 5
      ) { $0.widenSearch() },
      Command(
        "search-words", keys: ["ctrl-t"], label: "words or parts",
        help:
          "Search for words, in any order, and go through the matches from the best to the worst, as far "
          + "as an index of words knows that; again, for any part of what is shown.",
        in: [.search], hintRank: 6
      ) { $0.toggleWordSearch() },
      Command(
        "accept-row-number", keys: ["enter"], label: "go", help: "Go to the row of this number.",
        in: [.rowNumber], hintRank: 1
      ) { $0.acceptRowNumber() },
      closing(
        "cancel-row-number", "Stay where you are.", in: [.rowNumber], label: "cancel", hintRank: 2),
    ]
}

extension DisabledReason {
  static let noSearch = DisabledReason {
    $0.table?.search == nil ? "Nothing has been searched for. Press / to search this table." : nil
  }

  /// There is nothing that could be searched.
  static let notSearchable = DisabledReason {
    guard let table = $0.table else { return "There is no table here." }
    return table.list.keys.isEmpty ? "There are no rows to search." : nil
  }
}
