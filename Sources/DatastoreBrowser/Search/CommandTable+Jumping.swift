import DatastoreCore
import TerminalUI

extension CommandTable {
  /// Finding rows.
  static let jumpCommands: [Command] = [
    Command(
      "search", keys: ["/"], label: "search",
      help: "Search this column for a text, from here on.", in: [.table], hintRank: 81,
      unless: .notSearchable
    ) { state in
      state.openSearch()
      return []
    },
    Command(
      "search-next", keys: ["n"], label: "next", help: "Go to the next match of the search.",
      in: [.table], unless: .noSearch
    ) { $0.searchAgain(.forward) },
    Command(
      "search-previous", keys: ["N"], label: "previous",
      help: "Go to the previous match of the search.", in: [.table], unless: .noSearch
    ) { $0.searchAgain(.backward) },
    Command(
      "go-to-row", keys: ["#"], label: "row number", help: "Go to a row by its number.",
      in: [.table], unless: .noRow
    ) { state in
      state.open(RowNumberPrompt())
      return []
    },
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
        "accept-row-number", keys: ["enter"], label: "go", help: "Go to the row of this number.",
        in: [.rowNumber], hintRank: 1
      ) { $0.acceptRowNumber() },
      closing(
        "cancel-row-number", "Stay where you are.", in: [.rowNumber], label: "cancel", hintRank: 2),
    ]
}

extension DisabledReason {
  static let noSearch = DisabledReason {
    $0.table?.search == nil ? "Nothing has been searched for. Press / to search a column." : nil
  }

  /// The column under the cursor shows nothing that could be searched.
  static let notSearchable = DisabledReason {
    guard let table = $0.table, let column = table.currentColumn else {
      return "This table has no columns."
    }
    if table.list.keys.isEmpty { return "There are no rows to search." }
    if column.isToMany {
      return "\(column.name) shows numbers of members, which cannot be searched."
    }
    guard column.format?.type == .data else { return nil }
    return "\(column.name) holds binary data. Press V to look into one value."
  }
}
