import DatastoreCore
import TerminalUI

extension CommandScope {
  static let filter = CommandScope("filter", title: "In the filter line")
  static let filterForm = CommandScope(
    "filter-form", title: "In the filter form", traits: [.scrolls])
  static let filterValue = CommandScope("filter-value", title: "While typing a value in the form")
  static let filterChoice = CommandScope(
    "filter-choice", title: "In a list of the filter form", traits: [.picks])
  static let savedFilters = CommandScope(
    "saved-filters", title: "In the list of saved filters", traits: [.picks])
  static let filterName = CommandScope("filter-name", title: "While naming a filter")
}

extension CommandTable {
  /// Saying which rows the table shows.
  static let filterCommands: [Command] = [
    Command(
      "filter", titled: "Filter rows",
      synonyms: ["where", "condition", "predicate", "query", "find"], keys: ["w"], label: "filter",
      help: "Show only rows that meet a condition, such as age >= 30 AND name BEGINSWITH \"T\".",
      in: CommandScope.panels, hintRank: 12, unless: .noTable
    ) { $0.openFilter(.text) },
    Command(
      "filter-form", synonyms: ["where", "condition", "predicate", "builder"], keys: ["W"],
      label: "filter form",
      help: "Build the condition in a form, from lists of properties and operators.",
      in: CommandScope.panels, unless: .noTable
    ) { $0.openFilter(.form) },
    Command(
      "filter-value", titled: "Filter this value", synonyms: ["only", "same", "where", "equal"],
      keys: ["f"], label: "only this",
      help: "Show only rows that have the value under the cursor in its column.",
      in: [.table, .detail], unless: .nothingToFilterBy
    ) { $0.beginQuickFilter(isExcluded: false) },
    Command(
      "exclude-value", titled: "Exclude this value",
      synonyms: ["without", "filter", "where", "not"], keys: ["F"], label: "without this",
      help: "Show only rows that do not have the value under the cursor in its column.",
      in: [.table, .detail], unless: .nothingToFilterBy
    ) { $0.beginQuickFilter(isExcluded: true) },
    Command(
      "clear-filter", synonyms: ["all", "reset", "unfilter"], keys: ["x"], label: "all rows",
      help: "Show all rows again.",
      in: CommandScope.panels, unless: .noFilter
    ) { $0.setFilter(nil) },
  ]

  /// What can be done in the filter line.
  static let filterLineCommands: [Command] = [
    Command(
      "apply-filter", keys: ["enter"], label: "apply",
      help: "Insert the marked completion; with none marked, show only the rows that meet the "
        + "condition. An empty line shows all rows.",
      in: [.filter], hintRank: 1
    ) { state in
      guard state.overlay(as: FilterState.self)?.line.menu.current == nil else {
        return state.changeFilter { _ = $0.line.acceptCompletion() }
      }
      state.applyFilter()
    },
    Command(
      "complete", keys: ["tab"], label: "complete",
      help: "Insert the marked completion, or the first one.", in: [.filter], hintRank: 2
    ) { state in state.changeFilter { _ = $0.line.acceptCompletion() } },
    Command(
      "completion-down", keys: ["down"], label: "next",
      help: "Mark the next completion; among earlier conditions, go to the later one.",
      in: [.filter]
    ) { state in state.changeFilter { $0.line.down() } },
    Command(
      "completion-up", keys: ["up"], label: "earlier",
      help: "Mark the previous completion; with none marked, recall an earlier condition.",
      in: [.filter], hintRank: 7, hintKeys: "↑↓"
    ) { state in state.changeFilter { $0.line.up() } },
    Command(
      "change-face", keys: ["ctrl-t"], label: "form or text",
      help: "Show the same condition as a form, or as text.", in: [.filter, .filterForm],
      hintRank: 3
    ) { state in state.changeFilter { $0.changeFace() } },
    Command(
      "saved-filters", keys: ["ctrl-o"], label: "saved",
      help: "List the saved filters, and save the current one.", in: [.filter, .filterForm],
      hintRank: 4
    ) { $0.openSavedFilters() },
    Command(
      "cancel-filter", keys: ["esc", "ctrl-c"], label: "cancel",
      help: "Leave the filter as it was; while a completion is marked, only unmark it.",
      in: [.filter, .filterForm], hintRank: 6
    ) { state in
      guard let filter = state.overlay(as: FilterState.self) else { return }
      if filter.face == .text, filter.line.menu.current != nil {
        return state.changeFilter { $0.line.unmark() }
      }
      state.cancelFilter()
    },
  ]
}
