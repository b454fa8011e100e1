import TerminalUI

/// Where the panels lie: a pure function of the size of the screen and what is shown.
struct ScreenLayout: Hashable, Sendable {
  /// Empty when the list of entities is hidden.
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
  /// Whether the details are beside the table and not below it.
  var isDetailBeside: Bool

  /// The smallest screen that everything fits on.
  static let smallest = Size(columns: 80, rows: 24)
  /// From this width on the details are beside the table.
  private static let wide = 120
  /// No panel becomes smaller than this, borders included.
  private static let narrowest = Size(columns: 14, rows: 5)
  /// The table keeps this much of the screen.
  private static let narrowestTable = Size(columns: 28, rows: 6)

  /// Lays out a screen.
  ///
  /// - Parameters:
  ///   - entityWidth: the cells that the list of entities would like, borders included.
  ///   - zoomed: the panel that has the whole screen, if one has.
  init(_ size: Size, entityWidth: Int, panes: Panes = Panes(), zoomed: Focus? = nil) {
    isTooSmall = size.columns < Self.smallest.columns || size.rows < Self.smallest.rows
    isDetailBeside = size.columns >= Self.wide
    let (main, foot) = Rectangle(size).split(bottom: 3)
    let (first, rows) = foot.split(top: 1)
    toolbar = first
    (status, footer) = rows.split(top: 1)
    let nothing = Rectangle(column: main.right, row: main.top, columns: 0, rows: 0)
    (entities, table, detail) = (nothing, nothing, nothing)
    switch zoomed {
    case .entities: entities = main
    case .table: table = main
    case .detail: detail = main
    case nil: divide(main, entityWidth: entityWidth, panes: panes)
    }
  }

  private mutating func divide(_ main: Rectangle, entityWidth: Int, panes: Panes) {
    var rest = main
    if panes.showsEntities {
      let most = isDetailBeside ? 36 : 24
      let wanted = min(max(16, entityWidth), most) + panes.entityColumns
      let besides =
        Self.narrowestTable.columns
        + (isDetailBeside && panes.showsDetail ? Self.narrowest.columns : 0)
      let width = max(Self.narrowest.columns, min(wanted, main.columns - besides))
      (entities, rest) = main.split(left: width)
    }
    guard panes.showsDetail else {
      table = rest
      return
    }
    if isDetailBeside {
      let wanted = min(max(44, rest.columns * 2 / 5), 72) + panes.detailColumns
      let most = rest.columns - Self.narrowestTable.columns
      (table, detail) = rest.split(right: max(Self.narrowest.columns, min(wanted, most)))
    } else {
      let wanted = min(max(9, rest.rows * 2 / 5), 20) + panes.detailRows
      let most = rest.rows - Self.narrowestTable.rows
      (table, detail) = rest.split(bottom: max(Self.narrowest.rows, min(wanted, most)))
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
