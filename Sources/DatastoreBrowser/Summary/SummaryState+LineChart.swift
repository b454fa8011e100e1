import Basics
import DatastoreCore
import TerminalUI

/// A chart by parts of dates as a line over time.
extension SummaryState {
  /// More points are not drawn.
  private static let mostPoints = 10_000
  /// The rows of the line, with the one of its ends.
  private static let height = 9

  /// The part of dates that makes the groups, where they follow on each other.
  private var timePart: DatePart? {
    guard request.kind == .chart,
      let part = (request.groupPath ?? request.column.groupPath).last.flatMap(DatePart.init(step:)),
      part.isChronological
    else { return nil }
    return part
  }

  /// The groups from the first to the last, those without rows, too; nil where there is no line to draw.
  private var series: (first: Value, last: Value, values: [Double?])? {
    guard let part = timePart else { return nil }
    let points = chart.compactMap { entry in
      part.ordinal(of: entry.group).map {
        (ordinal: $0, group: entry.group, value: isDate ? Double(entry.count) : entry.sum)
      }
    }.sorted { $0.ordinal < $1.ordinal }
    guard let first = points.first, let last = points.last, points.count > 2,
      last.ordinal - first.ordinal < Self.mostPoints
    else { return nil }
    var values = [Double?](repeating: 0, count: last.ordinal - first.ordinal + 1)
    for point in points { values[point.ordinal - first.ordinal] = point.value }
    return (first.group, last.group, values)
  }

  /// The rows that the line takes of an area: none on small screens.
  func lineChartRows(of area: Rectangle) -> Int {
    area.rows >= Self.height + 6 && series != nil ? Self.height : 0
  }

  /// Draws the line, its greatest and least number, and the groups at its ends.
  func drawLineChart(into buffer: inout ScreenBuffer, in area: Rectangle) {
    guard area.rows > 2, let (first, last, values) = series,
      let range = LineChart.range(of: values)
    else { return }
    let labels = [range.upperBound, range.lowerBound].map {
      isDate ? CountText.grouped(Int($0)) : number($0)
    }
    let labelWidth = labels.map { $0.displayWidth() }.max() ?? 0
    let plot = Rectangle(
      column: area.left + labelWidth + 1, row: area.top,
      columns: max(1, area.columns - labelWidth - 1),
      rows: area.rows - 1)
    let rows = LineChart.rows(
      values, columns: plot.columns, rows: plot.rows, glyphs: buffer.glyphs)
    for (row, text) in rows.enumerated() {
      buffer.draw(
        text, at: Position(column: plot.left, row: plot.top + row), width: plot.columns,
        role: .progress)
    }
    for (label, row) in zip(labels, [plot.top, plot.bottom - 1]) {
      buffer.draw(
        label, at: Position(column: area.left, row: row), width: labelWidth, role: .number,
        alignment: .trailing)
    }
    let format = ValueFormat(type: .undefined)
    let ends = [first, last].map { format.cell($0).text }
    let foot = Position(column: plot.left, row: plot.bottom)
    buffer.draw(ends[0], at: foot, width: plot.columns, role: .dim)
    let width = min(plot.columns, ends[1].displayWidth())
    buffer.draw(
      ends[1], at: Position(column: plot.right - width, row: foot.row), width: width, role: .dim)
  }
}
