import DatastoreCore
import TerminalUI

/// Changing the column settings of the table. Every change takes effect at once and is saved.
extension BrowserState {
  /// Changes the column settings of the shown entity.
  mutating func arrange(_ change: (inout ColumnSettings, TableState) -> Void) {
    guard var table, let entity else { return }
    var settings = table.settings
    change(&settings, table)
    let before = table.settings
    guard settings != before else { return }
    table.settings = settings
    self.table = table
    tableSettings.columns[entity.name] = settings.isDefault ? nil : settings
    // Rows that are being read lack the values of other columns.
    let isDefined = settings.derived != before.derived
    request(.keepColumns(entity: entity.name, settings))
    if isDefined { refetch(isKeepingPlace: true) }
  }

  /// Shows a column, or hides it unless it is the last one.
  mutating func setShown(_ isShown: Bool, column: Int) {
    guard let table, table.columns.indices.contains(column) else { return }
    if !isShown, table.arrangement.shown == [column] {
      return tell("At least one column must stay visible.", .warning)
    }
    arrange { settings, table in
      settings.shown[table.columns[column].name] = isShown
    }
  }

  mutating func hideColumn(_ column: Int) {
    let name = table?.columns[column].name ?? ""
    let before = table?.settings
    setShown(false, column: column)
    if table?.settings != before {
      tell("\(name) is hidden. Press + to show it again.", .information)
    }
  }

  /// Puts the table's cursor on a column, and shows the column if it is hidden.
  mutating func goToColumn(_ column: Int) {
    focus = .table
    let isHidden = table?.arrangement.position(of: column) == nil
    if isHidden { setShown(true, column: column) }
    table?.column = column
  }

  /// Moves a column by some places among the shown ones.
  mutating func moveColumn(_ column: Int, by step: Int) {
    arrange { settings, table in
      let shown = table.arrangement.shown
      guard let place = shown.firstIndex(of: column), shown.indices.contains(place + step) else {
        return
      }
      settings.order = Self.order(table, moving: column, toPlaceOf: shown[place + step])
    }
  }

  /// The names of all columns after moving one to the place of another.
  static func order(_ table: TableState, moving column: Int, toPlaceOf other: Int) -> [String] {
    var order = table.arrangement.all
    guard let from = order.firstIndex(of: column), let to = order.firstIndex(of: other) else {
      return order.map { table.columns[$0].name }
    }
    order.remove(at: from)
    order.insert(column, at: to)
    // The default order is stored as no order.
    let names = order.map { table.columns[$0].name }
    return names == table.columnDefaults.order(table.columns) ? [] : names
  }

  /// Widens a column by some cells; a negative number narrows it.
  mutating func resizeColumn(_ column: Int, by cells: Int) {
    setWidth(currentWidth(of: column) + cells, column: column)
  }

  /// Sets the width of a column in cells; nil lets the table decide.
  mutating func setWidth(_ width: Int?, column: Int) {
    arrange { settings, table in
      let range = ColumnSettings.widths
      settings.widths[table.columns[column].name] = width.map {
        min(max(range.lowerBound, $0), range.upperBound)
      }
    }
  }

  /// Fits the width of a column to its visible content, at most to the table's. If it is fitted already, lets
  /// the table decide again.
  mutating func fitColumn(_ column: Int) {
    guard let table else { return }
    let width = min(fittingWidth(of: column), max(3, tableLayout.tableBody.columns))
    let isFitted = table.settings.widths[table.columns[column].name] == width
    setWidth(isFitted ? nil : width, column: column)
  }

  /// Freezes the columns up to this one; if it is the last frozen one, unfreezes all. If there is no room for
  /// all of these, the column itself moves after the frozen ones and is frozen with them.
  mutating func freezeColumn(_ column: Int) {
    guard let table else { return }
    let name = table.columns[column].name
    var settings = table.settings
    settings.frozenThrough = settings.frozenThrough == name ? nil : name
    if areAllStaying(table, settings) { return arrange { present, _ in present = settings } }
    let shown = table.arrangement.shown
    let place = table.arrangement.position(of: column) ?? 0
    settings.order = Self.order(
      table, moving: column, toPlaceOf: shown[min(table.arrangement.frozen, place)])
    guard areAllStaying(table, settings) else {
      return tell(
        "There is no room for \(name) to stay beside the others that do. Press ! on the last of these "
          + "to release them.", .warning)
    }
    tell(
      "There is no room for \(place + 1) columns to stay, so \(name) went to the left.",
      .information)
    arrange { present, _ in present = settings }
  }

  /// Whether all frozen columns would have room.
  private func areAllStaying(_ table: TableState, _ settings: ColumnSettings) -> Bool {
    var table = table
    table.settings = settings
    return table.stayingCount(available: tableLayout.tableBody.columns) == table.arrangement.frozen
  }

  func currentWidth(of column: Int) -> Int {
    guard let table, let place = table.arrangement.position(of: column) else { return 10 }
    return table.columnWidths(available: tableLayout.tableBody.columns)[place]
  }

  /// The width of the widest visible content of a column, including its name.
  private func fittingWidth(of column: Int) -> Int {
    guard let table else { return 0 }
    let marks = Marks(.unicode)
    let described = table.columns[column]
    let mark = table.sortMark(of: described, marks).map { $0.displayWidth() + 1 } ?? 0
    var widest = table.title(of: described).displayWidth() + mark
    let surroundings = tableSurroundings(table, marks)
    for line in table.scroll.visible(count: table.lines.count, height: tableHeight) {
      guard case .row(let index) = table.lines[line], let key = table.list.keys.readKey(at: index),
        let row = table.rows[key]
      else { continue }
      let cell = table.shown(
        row.cells[column], of: row.key, column: described, marks: marks, surroundings)
      widest = max(widest, cell.text.displayWidth(upTo: ColumnSettings.widths.upperBound))
    }
    return widest
  }
}
