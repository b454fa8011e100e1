import DatastoreCore
import TerminalUI

extension CommandTable {
  /// The commands for totals of columns, and for the order of sections.
  static let totalCommands: [Command] = [
    Command(
      "total", titled: "Total of column", synonyms: ["sum", "subtotal", "aggregate", "footer"],
      keys: ["g+"],
      label: "total",
      help: "Show the sum of this column in a line below the table and in the headers of sections; "
        + "again for its mean, its least and its greatest value, and for none.",
      in: [.table], unless: .noTotals
    ) { $0.changeTotal() },
    Command(
      "order-sections", synonyms: ["sort", "groups"], keys: ["go"], label: "order sections",
      help:
        "Sort the sections by their number of rows, or by the total of this column where it has "
        + "one: greatest first, least first, by their values.",
      in: [.table], unless: .noSections
    ) { $0.orderSections() },
  ]
}

extension BrowserState {
  /// Shows the next aggregate of the column under the cursor, and after the last one none.
  mutating func changeTotal() {
    guard let column = table?.currentColumn, let present = table?.settings.totals[column.name]
    else {
      return setTotal(table?.currentColumn?.aggregates.first)
    }
    let rest = column.aggregates.drop { $0 != present }.dropFirst()
    setTotal(rest.first)
  }

  private mutating func setTotal(_ total: Predicate.Aggregate?) {
    guard let column = table?.currentColumn else { return }
    tell(
      total.map { "The \($0.word) of \(column.name)\(savedRowsNote)." }
        ?? "No total of \(column.name) any more.", .information)
    arrange { settings, _ in settings.totals[column.name] = total }
  }

  /// Sorts the sections by the total of the column under the cursor, or by their numbers of rows.
  mutating func orderSections() {
    guard let table, let column = table.currentColumn else { return }
    let name = table.settings.totals[column.name] == nil ? nil : column.name
    let present = table.query.sectionOrder
    let isSame = present.map { $0.column == name } ?? false
    if isSame, present?.ascending == true {
      self.table?.query.sectionOrder = nil
    } else {
      self.table?.query.sectionOrder = SectionOrder(column: name, ascending: isSame)
    }
    refetch(isKeepingPlace: false)
  }
}

extension DisabledReason {
  static let noTotals = DisabledReason { state in
    guard let column = state.table?.currentColumn else { return "This table has no columns." }
    return column.aggregates.isEmpty
      ? "\(column.name) holds no numbers or dates. Go to a column that does." : nil
  }
}
