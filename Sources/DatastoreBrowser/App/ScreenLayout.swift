import TerminalUI

/// Where the panels lie: a pure function of the size of the screen and what is shown.
struct ScreenLayout: Hashable, Sendable {
  var entities: Rectangle
  var table: Rectangle
  /// Empty when the details are hidden.
  var detail: Rectangle
  /// What is unsaved, and the buttons for it.
  var toolbar: Rectangle
  var status: Rectangle
  var footer: Rectangle
  /// Whether the screen is too small for all this.
  var isTooSmall: Bool

  /// The smallest screen that everything fits on.
  static let smallest = Size(columns: 80, rows: 24)
  /// From this width on the details stand beside the table.
  private static let wide = 120

  /// Lays out a screen.
  ///
  /// - Parameter entityWidth: the cells that the list of entities would like, borders included.
  init(_ size: Size, entityWidth: Int, showsDetail: Bool) {
    isTooSmall = size.columns < Self.smallest.columns || size.rows < Self.smallest.rows
    let (main, foot) = Rectangle(size).split(bottom: 3)
    let (first, rows) = foot.split(top: 1)
    toolbar = first
    (status, footer) = rows.split(top: 1)
    let mostForEntities = size.columns < Self.wide ? 24 : 36
    let (left, rest) = main.split(left: min(max(16, entityWidth), mostForEntities))
    entities = left
    guard showsDetail else {
      table = rest
      detail = Rectangle(column: rest.right, row: rest.top, columns: 0, rows: 0)
      return
    }
    if size.columns >= Self.wide {
      (table, detail) = rest.split(right: min(max(44, rest.columns * 2 / 5), 72))
    } else {
      (table, detail) = rest.split(bottom: min(max(9, rest.rows * 2 / 5), 20))
    }
  }

  /// Rows of the table's body: inside the border, below the column headers.
  var tableBody: Rectangle {
    table.inset(horizontal: 1, vertical: 1).split(top: 1).rest
  }

  /// The row of the column headers.
  var tableHeader: Rectangle {
    table.inset(horizontal: 1, vertical: 1).split(top: 1).top
  }

  /// The rows inside the border of the list of entities.
  var entityBody: Rectangle { entities.inset(horizontal: 1, vertical: 1) }

  /// The rows inside the border of the details.
  var detailBody: Rectangle { detail.inset(horizontal: 1, vertical: 1) }
}
