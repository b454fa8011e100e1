import DatastoreCore
import TerminalUI

extension CommandTable {
  /// Saying which rows the table shows.
  static let filterCommands: [Command] = [
    Command(
      "filter", keys: ["w"], label: "filter",
      help: "Show only rows that meet a condition, such as age >= 30 AND name BEGINSWITH \"T\".",
      in: [.table, .entities, .detail], hintRank: 12,
      unless: .noTable
    ) { state in
      state.open(FilterState(text: state.table?.query.filterText ?? ""))
      return []
    },
    Command(
      "clear-filter", keys: ["x"], label: "all rows", help: "Show all rows again.",
      in: CommandScope.panels, unless: .noFilter
    ) { $0.setFilter(nil) },
  ]

  /// What can be done in the filter line.
  static let filterLineCommands: [Command] = [
    Command(
      "apply-filter", keys: ["enter"], label: "apply",
      help: "Show only the rows that meet the condition; an empty line shows all rows.",
      in: [.filter], hintRank: 1
    ) { $0.applyFilter() },
    Command(
      "cancel-filter", keys: ["esc", "ctrl-c"], label: "cancel",
      help: "Leave the filter as it was.", in: [.filter], hintRank: 2
    ) { state in
      state.closeOverlay()
      return []
    },
  ]
}

extension BrowserState {
  /// Reads the filter line and shows the rows that meet it; a fault leaves the line open.
  mutating func applyFilter() -> [Effect] {
    guard var filter = overlay(as: FilterState.self), let entity else { return [] }
    guard let predicate = filter.parse(entity: entity, in: schema) else {
      changeOverlay(as: FilterState.self) { $0 = filter }
      return []
    }
    closeOverlay()
    focus = .table
    return setFilter(predicate, text: filter.field.text)
  }

  /// Shows the rows that meet a condition, or all.
  ///
  /// - Parameter text: the condition as it was typed; without it, it is written anew.
  mutating func setFilter(_ predicate: Predicate?, text: String? = nil) -> [Effect] {
    guard let entity, predicate != table?.query.filter else { return [] }
    table?.query.filter = predicate
    table?.query.filterText =
      predicate.map { text ?? $0.formatted(entity: entity, in: schema) } ?? ""
    return refetch(isKeepingPlace: false)
  }
}
