import DatastoreCore
import TerminalUI

/// Deciding about the columns of the table. Each decision holds at once and is kept for the next time.
extension BrowserState {
  /// Changes what is decided about the columns of the entity that is shown.
  mutating func arrange(_ change: (inout ColumnSettings, TableState) -> Void) {
    guard var table, let entity else { return }
    var settings = table.settings
    change(&settings, table)
    let before = table.settings
    guard settings != before else { return }
    table.settings = settings
    self.table = table
    tableSettings.columns[entity.name] = settings.isDefault ? nil : settings
    // Rows that are on their way have no values of other columns.
    let isDefined = settings.derived != before.derived
    request(.keepColumns(entity: entity.name, settings))
    if isDefined { refetch(isKeepingPlace: true) }
  }

  /// Shows a column, or hides it unless it is the last one.
  mutating func setShown(_ isShown: Bool, column: Int) {
    guard let table, table.columns.indices.contains(column) else { return }
    if !isShown, table.arrangement.shown == [column] {
      message = Message(text: "At least one column must stay visible.", severity: .warning)
      return
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
      message = Message(
        text: "\(name) is hidden. Press + to show it again.", severity: .information)
    }
  }

  /// Puts the table's cursor on a column, which is shown if it was hidden.
  mutating func goToColumn(_ column: Int) {
    focus = .table
    let isHidden = table?.arrangement.position(of: column) == nil
    if isHidden { setShown(true, column: column) }
    table?.column = column
  }

  /// Moves a column so many places among those that are shown.
  mutating func moveColumn(_ column: Int, by step: Int) {
    arrange { settings, table in
      let shown = table.arrangement.shown
      guard let place = shown.firstIndex(of: column), shown.indices.contains(place + step) else {
        return
      }
      settings.order = Self.order(table, moving: column, toPlaceOf: shown[place + step])
    }
  }

  /// The names of all columns with one of them put where another one is.
  static func order(_ table: TableState, moving column: Int, toPlaceOf other: Int) -> [String] {
    var order = table.arrangement.all
    guard let from = order.firstIndex(of: column), let to = order.firstIndex(of: other) else {
      return order.map { table.columns[$0].name }
    }
    order.remove(at: from)
    order.insert(column, at: to)
    // The order that there is anyway needs no mention.
    let names = order.map { table.columns[$0].name }
    return names == table.columnDefaults.order(table.columns) ? [] : names
  }

  /// Makes a column wider or, when negative, narrower.
  mutating func resizeColumn(_ column: Int, by cells: Int) {
    setWidth(currentWidth(of: column) + cells, column: column)
  }

  /// Gives a column a width in cells; nil lets the table decide.
  mutating func setWidth(_ width: Int?, column: Int) {
    arrange { settings, table in
      let range = ColumnSettings.widths
      settings.widths[table.columns[column].name] = width.map {
        min(max(range.lowerBound, $0), range.upperBound)
      }
    }
  }

  /// Makes a column as wide as what is visible of it, at most as the table; when it is that already, the
  /// table decides again.
  mutating func fitColumn(_ column: Int) {
    guard let table else { return }
    let width = min(fittingWidth(of: column), max(3, tableLayout.tableBody.columns))
    let isFitted = table.settings.widths[table.columns[column].name] == width
    setWidth(isFitted ? nil : width, column: column)
  }

  /// Keeps the columns up to this one in view; when it is the last of these already, none. Where there is no
  /// room for so many, the column itself goes behind those that stay already, and stays with them.
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
      message = Message(
        text:
          "There is no room for \(name) to stay beside the others that do. Press ! on the last of these "
          + "to release them.", severity: .warning)
      return
    }
    message = Message(
      text: "There is no room for \(place + 1) columns to stay, so \(name) went to the left.",
      severity: .information)
    arrange { present, _ in present = settings }
  }

  /// Whether every column that is to stay would have room to.
  private func areAllStaying(_ table: TableState, _ settings: ColumnSettings) -> Bool {
    var table = table
    table.settings = settings
    return table.stayingCount(available: tableLayout.tableBody.columns) == table.arrangement.frozen
  }

  /// The width that a column has now.
  func currentWidth(of column: Int) -> Int {
    guard let table, let place = table.arrangement.position(of: column) else { return 10 }
    return table.columnWidths(available: tableLayout.tableBody.columns)[place]
  }

  /// The width of the widest thing in a column that is visible now, its name included.
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
