import TerminalUI

/// The areas of the panels, a pure function of the size of the screen and its content. `ScreenPart` decides
/// what gives way on small screens.
struct ScreenLayout: Hashable, Sendable {
  /// Empty if the list of entities is hidden.
  var entities: Rectangle
  var table: Rectangle
  /// Empty if the details are hidden.
  var detail: Rectangle
  /// The line with the unsaved changes and their buttons. Empty if the table has a small screen to itself;
  /// the status line then shows the changes.
  var toolbar: Rectangle
  var status: Rectangle
  var footer: Rectangle
  /// Whether the details are beside the table rather than below it.
  var isDetailBeside: Bool
  /// Whether panels have borders.
  var hasFrames: Bool
  /// Whether the columns have a header.
  private let hasColumnNames: Bool
  /// Whether there is a line of totals below the rows.
  private let hasTotals: Bool

  /// The smallest size of a panel, borders included.
  private static let narrowest = Size(columns: 14, rows: 5)
  /// The smallest size of the table, however large the user makes the other panels.
  private static let narrowestTable = Size(columns: 28, rows: 6)

  /// The default width of the table: three fifths of the screen.
  static func tableShare(of columns: Int) -> Int { (columns * 3 + 4) / 5 }

  /// Lays out a screen.
  ///
  /// - Parameters:
  ///   - entityWidth: the preferred width of the list of entities, borders included.
  ///   - detailLines: the number of lines in the details, which take no more rows than that below the table.
  ///   - focus: the panel that has the screen to itself if it has no room beside the table.
  ///   - zoomed: the panel that has the whole screen, if any.
  ///   - hasTotals: whether the table has a line of totals.
  ///   - hasOneEntity: whether the list of entities offers no choice.
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
  ///   - entityWidth: nil if the list of entities is hidden.
  ///   - detailLines: nil if the details are hidden.
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

  /// The area inside the border of a panel. Without borders, a column stays free at each side: for the marks
  /// of rows and for the scrollbar.
  func inside(_ panel: Rectangle) -> Rectangle {
    let room = panel.inset(horizontal: 1, vertical: 0).split(top: hasFrames ? 1 : 0).rest
    return room.split(bottom: hasLowerBorders ? 1 : 0).rest
  }

  /// Whether panels have a lower border, with a note about the position in it. On a small screen that the
  /// table has to itself, the status line is its lower border.
  var hasLowerBorders: Bool { hasFrames && !toolbar.isEmpty }

  /// Draws the border of a panel, if panels have borders, and returns the area inside it. The status line is
  /// drawn afterwards.
  func drawFrame(_ box: Box, into buffer: inout ScreenBuffer, in panel: Rectangle) -> Rectangle {
    var outline = panel
    if !hasLowerBorders { outline.size.rows += 1 }
    if hasFrames { box.draw(into: &buffer, in: outline) }
    return inside(panel)
  }

  /// The rows of the table: inside the border, below the column headers.
  var tableBody: Rectangle { tableRows.split(bottom: tableTotals.rows).rest }

  /// The line of totals below the rows; empty without totals, and if there are only few rows.
  var tableTotals: Rectangle {
    tableRows.split(bottom: hasTotals && tableRows.rows > 4 ? 1 : 0).bottom
  }

  private var tableRows: Rectangle { inside(table).split(top: hasColumnNames ? 1 : 0).rest }

  /// The row of the column headers; empty on a screen that is too small for it.
  var tableHeader: Rectangle { inside(table).split(top: hasColumnNames ? 1 : 0).top }

  /// The rows inside the border of the list of entities.
  var entityBody: Rectangle { inside(entities) }

  /// The rows inside the border of the details.
  var detailBody: Rectangle { inside(detail) }
}
