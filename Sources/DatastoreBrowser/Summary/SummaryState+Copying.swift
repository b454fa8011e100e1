import DatastoreCore
import TerminalUI

extension SummaryState: CopyableOverlay {
  /// The value of a line; of statistics, what they have come to.
  func copyableCell(in state: BrowserState) -> CopyRequest? {
    let column = exportedColumn
    if let (_, value) = selectedValue {
      if let destination = Self.destination(of: request, in: state.schema),
        let key = value.key
      {
        let name = state.names[destination, key]?.shown.text
        return .text(name ?? DisplayName.placeholder(key: key))
      }
      return request.groupPath == nil ? .plain(value, as: column) : .plain(value)
    }
    if let interval = selectedInterval {
      // Without commas, so that programs read it.
      return .text("\(number(interval.lower)) \(number(interval.upper))".filter { $0 != "," })
    }
    guard let (name, value) = selectedStatistic else { return nil }
    let isOfColumn = ["least", "greatest", "mean", "median"].contains(name)
    let isDate = request.column.format?.isDate ?? false
    return isOfColumn && isDate ? .plain(value, as: column) : .plain(value)
  }

  func copyableRow(in state: BrowserState) -> ExportSource? {
    guard let rows = exportedRows(in: state) else { return nil }
    guard let (name, _) = selectedStatistic else {
      return rows.rows.indices.contains(scroll.cursor) ? .values(rows.only(scroll.cursor)) : nil
    }
    return rows.rows.firstIndex { $0.first == .text(name) }.map { .values(rows.only($0)) }
  }
}
