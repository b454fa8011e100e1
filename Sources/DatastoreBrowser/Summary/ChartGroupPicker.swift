import DatastoreCore
import TerminalUI

/// The columns by which a chart may put rows into groups, where the table has no sections.
struct ChartGroupPicker: PickListOverlay {
  var scope: CommandScope { .chartGroups }
  var list: PickList<Int>
  /// The column whose numbers are added up.
  private let column: TableColumn

  init(_ column: TableColumn, in state: BrowserState) {
    self.column = column
    let columns = state.table?.columns ?? []
    list = PickList(
      columns.indices.filter { !columns[$0].isToMany && columns[$0].slot != column.slot }
        .map { index in
          let destination = columns[index].destination.map { state.schema.entities[$0].name }
          return PickList.Item(
            index, text: columns[index].name, note: destination ?? "",
            role: destination == nil ? .text : .relationship)
        })
    // Rows are put together by what they belong to more often than by values of their own.
    if let first = columns.indices.first(where: {
      columns[$0].destination != nil && !columns[$0].isToMany && columns[$0].slot != column.slot
    }) {
      list.select(first)
    }
  }

  func area(in size: Size) -> Rectangle {
    size.box(columns: 50, rows: list.count + 3)
  }

  func pick(in state: inout BrowserState) -> [Effect] {
    guard let table = state.table, let picked = list.current?.id,
      table.columns.indices.contains(picked)
    else { return [] }
    state.closeOverlay()
    return state.summarize(.chart, groupedBy: table.columns[picked].groupPath)
  }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let area = area(in: state.size)
    buffer.fill(area)
    Box(title: "Chart of \(column.name) by", isFocused: true).draw(into: &buffer, in: area)
    return list.draw(into: &buffer, in: body(in: state.size))
  }
}

extension BrowserState {
  /// Shows the numbers of a column by the sections of the table; without sections asks what makes the
  /// groups. A column without numbers has no chart, and the summary says so.
  mutating func beginChart() -> [Effect] {
    let present = overlay(as: SummaryState.self)?.request
    guard let column = present?.column ?? table?.currentColumn else { return [] }
    let hasNumbers =
      column.format.map { $0.isNumeric || $0.type == .undefined && $0.isTrailing && !$0.isDate }
      ?? false
    guard (present?.query ?? table?.query)?.groupBy == nil, hasNumbers else {
      return summarize(.chart)
    }
    open(ChartGroupPicker(column, in: self))
    return []
  }
}

extension CommandScope {
  static let chartGroups = CommandScope(
    "chart-groups", title: "In the list of columns to group a chart by")
}
