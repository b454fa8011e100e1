import TerminalUI

extension CommandTable {
  /// The commands for named views and tabs.
  static let viewCommands: [Command] =
    [
      Command(
        "save-view", synonyms: ["bookmark", "store"], keys: ["gw"], label: "save view",
        help:
          "Save what the table shows (columns, filter, order, groups; the statement of an SQL answer) as a "
          + "view: “:save-view NAME”.", unless: .noView,
        taking: Command.Argument("NAME") { state, name in
          state.saveView(as: name)
        }
      ) { $0.open(ViewNamePrompt()) },
      Command(
        "view", titled: "Saved views", synonyms: ["bookmarks"], keys: ["gv"], label: "views",
        help: "List the saved views, and show one; “:view NAME” shows one at once.",
        unless: .noEntities,
        taking: Command.Argument("NAME") { $0.openView($1) }
      ) { state in
        state.open(ViewList(state.viewMemory))
      },
    ]
    + TabsState.all.map { number in
      Command(
        "tab-\(number)", keys: [KeySequence([Key(.character(Character("\(number)")))])],
        label: "tab \(number)",
        help: "Go to tab \(number); a new one begins with the view that is shown.", unless: .noTable
      ) { $0.goToTab(number) }
    } + [
      Command(
        "next-tab", keys: ["gt"], label: "next tab",
        help:
          "Go to the next tab; in a summary, to the next of the column's counts, statistics, histogram, sums; in "
          + "the history, to the changes or the saves.",
        hintRank: 8, unless: .noTabToGoTo
      ) { $0.goToTab(by: 1) },
      Command(
        "previous-tab", keys: ["gT"], label: "previous tab",
        help: "Go to the previous tab, or the previous summary of the column.",
        unless: .noTabToGoTo
      ) { $0.goToTab(by: -1) },
      Command(
        "close-tab", keys: ["gc"], label: "close tab", help: "Close this tab.", unless: .oneTab
      ) { $0.closeTab() },
    ]
}

extension DisabledReason {
  /// The shown table has no view of its own.
  static let noView = DisabledReason { state in
    guard let table = state.table else { return "There is no table here." }
    switch state.derivedTable?.origin {
    case .sql(_, _, isOfAnswer: true)?, .rows?:
      return
        "These rows were derived from others, and are gone the next time; views can be saved of the file's "
        + "tables, and of answers to statements about them."
    case .sql?, nil: break
    }
    return table.query.scope == nil
      ? nil
      : "The members of a relationship are found by going there; they cannot be saved as a view."
  }
}
