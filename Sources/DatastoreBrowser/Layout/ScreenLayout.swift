import TerminalUI

/// Where the panels lie: a pure function of the size of the screen and what is shown. `ScreenPart` says what
/// gives way on small screens.
struct ScreenLayout: Hashable, Sendable {
  /// Empty when the list of entities is hidden.
  var entities: Rectangle
  var table: Rectangle
  /// Empty when the details are hidden.
  var detail: Rectangle
  /// What is unsaved, and the buttons for it; empty where the table has a small screen to itself, whose
  /// status line says that.
  var toolbar: Rectangle
  var status: Rectangle
  var footer: Rectangle
  /// Whether the details are beside the table and not below it.
  var isDetailBeside: Bool
  /// Whether panels have borders.
  var hasFrames: Bool
  /// Whether the names of the columns are above them.
  private let hasColumnNames: Bool
  /// Whether there is a line of totals below the rows.
  private let hasTotals: Bool

  /// No panel becomes smaller than this, borders included.
  private static let narrowest = Size(columns: 14, rows: 5)
  /// The table keeps this much of the screen, however large the user makes the other panels.
  private static let narrowestTable = Size(columns: 28, rows: 6)

  /// What the table has of the width of a screen as long as the user does not divide it otherwise: three
  /// fifths.
  static func tableShare(of columns: Int) -> Int { (columns * 3 + 4) / 5 }

  /// Lays out a screen.
  ///
  /// - Parameters:
  ///   - entityWidth: the cells that the list of entities would like, borders included.
  ///   - detailLines: the lines that the details have, for them to take no more below the table.
  ///   - focus: the panel that has the screen to itself where there is no room for it beside the table.
  ///   - zoomed: the panel that has the whole screen, if one has.
  ///   - hasTotals: whether the table has a line of totals.
  ///   - hasOneEntity: whether there is nothing to choose in the list of entities.
  init(
    _ size: Size, entityWidth: Int, detailLines: Int = .max, panes: Panes = Panes(),
    focus: Focus = .table, zoomed: Focus? = nil, hasTotals: Bool = false,
    hasOneEntity: Bool = false
  ) {
    self.hasTotals = hasTotals
    isDetailBeside = ScreenPart.detailsBeside.fits(size)
    hasFrames = ScreenPart.frames.fits(size)
    hasColumnNames = ScreenPart.columnNames.fits(size)
    var rest = Rectangle(size)
    (rest, footer) = rest.split(bottom: ScreenPart.footer.fits(size) ? 1 : 0)
    (rest, status) = rest.split(bottom: ScreenPart.status.fits(size) ? 1 : 0)
    let showsEntities = ScreenPart.entities.isShown(
      on: size, panes.entities ?? (hasOneEntity ? false : nil))
    let showsDetail = (isDetailBeside ? ScreenPart.detailsBeside : .details)
      .isShown(on: size, panes.detail)
    let hasToolbar = ScreenPart.toolbar.isShown(on: size, showsEntities || showsDetail ? true : nil)
    let (main, bar) = rest.split(bottom: hasToolbar ? 1 : 0)
    toolbar = bar
    let nothing = Rectangle(column: main.right, row: main.top, columns: 0, rows: 0)
    (entities, table, detail) = (nothing, nothing, nothing)
    var alone = zoomed
    if focus == .entities, !showsEntities { alone = .entities }
    if focus == .detail, !showsDetail { alone = .detail }
    switch alone {
    case .entities: entities = main
    case .table: table = main
    case .detail: detail = main
    case nil:
      divide(
        main, panes, entityWidth: showsEntities ? entityWidth : nil,
        detailLines: showsDetail ? detailLines : nil)
    }
  }

  /// - Parameters:
  ///   - entityWidth: nil where the list of entities is not shown.
  ///   - detailLines: nil where the details are not shown.
  private mutating func divide(
    _ main: Rectangle, _ panes: Panes, entityWidth: Int?, detailLines: Int?
  ) {
    var rest = main
    let share = Self.tableShare(of: main.columns)
    if let entityWidth {
      let most = main.columns >= 200 ? 36 : 24
      let wanted = min(max(16, entityWidth), most, main.columns - share) + panes.entityColumns
      let besides =
        Self.narrowestTable.columns
        + (isDetailBeside && detailLines != nil ? Self.narrowest.columns : 0)
      let width = max(Self.narrowest.columns, min(wanted, main.columns - besides))
      (entities, rest) = main.split(left: width)
    }
    guard let detailLines else {
      table = rest
      return
    }
    if isDetailBeside {
      let spare = max(Self.narrowest.columns, rest.columns - share)
      let wanted = min(max(44, rest.columns * 2 / 5), 72, spare) + panes.detailColumns
      let most = rest.columns - Self.narrowestTable.columns
      (table, detail) = rest.split(right: max(Self.narrowest.columns, min(wanted, most)))
    } else {
      let needed = max(9, min(detailLines, 20) + 2)
      let wanted = min(max(9, rest.rows * 2 / 5), 20, needed) + panes.detailRows
      let most = rest.rows - Self.narrowestTable.rows
      (table, detail) = rest.split(bottom: max(Self.narrowest.rows, min(wanted, most)))
    }
  }

  /// What is inside the border of a panel. Without borders a column stays at each side: for marks of rows and
  /// for the scrollbar.
  func inside(_ panel: Rectangle) -> Rectangle {
    let room = panel.inset(horizontal: 1, vertical: 0).split(top: hasFrames ? 1 : 0).rest
    return room.split(bottom: hasLowerBorders ? 1 : 0).rest
  }

  /// Whether panels have a border below them, with a note of the place in it. On a small screen that the
  /// table has to itself the status line is its lower border.
  var hasLowerBorders: Bool { hasFrames && !toolbar.isEmpty }

  /// Draws the border of a panel, where panels have one, and returns the room inside it. The status line is
  /// drawn after it.
  func drawFrame(_ box: Box, into buffer: inout ScreenBuffer, in panel: Rectangle) -> Rectangle {
    var outline = panel
    if !hasLowerBorders { outline.size.rows += 1 }
    if hasFrames { box.draw(into: &buffer, in: outline) }
    return inside(panel)
  }

  /// Rows of the table's body: inside the border, below the column headers.
  var tableBody: Rectangle { tableRows.split(bottom: tableTotals.rows).rest }

  /// The line below the rows; empty without totals, and where few rows are seen anyway.
  var tableTotals: Rectangle {
    tableRows.split(bottom: hasTotals && tableRows.rows > 4 ? 1 : 0).bottom
  }

  private var tableRows: Rectangle { inside(table).split(top: hasColumnNames ? 1 : 0).rest }

  /// The row of the column headers; empty on a screen that has none to spare.
  var tableHeader: Rectangle { inside(table).split(top: hasColumnNames ? 1 : 0).top }

  /// The rows inside the border of the list of entities.
  var entityBody: Rectangle { inside(entities) }

  /// The rows inside the border of the details.
  var detailBody: Rectangle { inside(detail) }
}
