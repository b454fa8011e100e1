import DatastoreCore
import TerminalUI

/// A list of the columns to group a chart by, for a table without sections.
struct ChartGroupPicker: PickListOverlay {
  static let scope = CommandScope(
    "chart-groups", title: "In the list of columns to group a chart by", traits: .picks)
  /// The identifiers are the paths of group keys.
  var list: PickList<[String]>
  /// The column whose numbers are added up.
  private let column: TableColumn

  init(_ column: TableColumn, in state: BrowserState) {
    self.column = column
    let columns = state.table?.columns ?? []
    let usable = columns.filter { $0.name != column.name }.map(\.measured)
    list = PickList(TableColumn.groupings(by: usable, in: state.schema) { $0 })
    // Rows are more often grouped by a related object than by their own values.
    if let first = usable.first(where: { $0.destination != nil }) { list.select(first.groupPath) }
  }

  func picked(_ path: [String], in state: inout BrowserState) { state.chart(by: path) }

  var title: String { "Chart of \(column.name) by" }
}
