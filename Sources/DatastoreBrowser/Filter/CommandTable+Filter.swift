import DatastoreCore
import TerminalUI

extension CommandScope {
  static let filter = CommandScope(
    "filter", title: "In the filter line", traits: .picks.union([.completes]),
    labels: ["accept": "apply", "down": "completions"])
  static let filterForm = CommandScope(
    "filter-form", title: "In the filter form", traits: [.scrolls, .closes],
    labels: ["close": "cancel"])
  static let filterValue = CommandScope(
    "filter-value", title: "While typing a value in the form", traits: .picks.union([.completes]),
    labels: ["accept": "accept", "down": "values"])
  static let filterChoice = CommandScope(
    "filter-choice", title: "In a list of the filter form", traits: .picks.union([.completes]),
    labels: ["complete": "go on"])
  static let savedFilters = CommandScope(
    "saved-filters", title: "In the list of saved filters", traits: .picks.union([.deletesSaved]))
  static let filterName = CommandScope(
    "filter-name", title: "While naming a filter", traits: .line, labels: ["accept": "save"])
}

extension CommandTable {
  /// The commands that decide which rows the table shows.
  static let filterCommands: [Command] = [
    Command(
      "filter", titled: "Filter rows",
      synonyms: ["where", "condition", "predicate", "query", "find"], keys: ["w"], label: "filter",
      help: "Show only rows that meet a condition, such as age >= 30 AND name BEGINSWITH \"T\".",
      hintRank: 12, unless: .noTable
    ) { $0.openFilter(.text) },
    Command(
      "filter-form", synonyms: ["where", "condition", "predicate", "builder"], keys: ["W"],
      label: "filter form",
      help: "Build the condition in a form, from lists of properties and operators.",
      unless: .noTable
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
      help: "Show all rows again.", unless: .noFilter
    ) { $0.setFilter(nil) },
  ]

  static let filterLineCommands: [Command] = [
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
  ]
}
