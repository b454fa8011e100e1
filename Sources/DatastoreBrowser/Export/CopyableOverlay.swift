import DatastoreCore
import DatastoreImport
import TerminalUI

/// An overlay of which something can be put on the clipboard: `y` copies the cell under the cursor, `Y` its
/// line.
protocol CopyableOverlay: Overlay {
  /// The cell, or the text, under the cursor; nil where there is none.
  func copyableCell(in state: BrowserState) -> CopyRequest?
  /// The line under the cursor as fields; nil where lines have none.
  func copyableRow(in state: BrowserState) -> ExportSource?
}

extension CopyableOverlay {
  func copyableRow(in state: BrowserState) -> ExportSource? { nil }
}

extension ValueScreen: CopyableOverlay {
  func copyableCell(in state: BrowserState) -> CopyRequest? {
    switch subject {
    case .property(let object, let slot): .value(object, slot: slot)
    case .value(let value): .plain(value)
    }
  }
}

extension SQLConsole: CopyableOverlay {
  func copyableCell(in state: BrowserState) -> CopyRequest? {
    result.flatMap { $0.value(row: $0.scroll.cursor, column: $0.column) }.map { .plain($0) }
  }

  func copyableRow(in state: BrowserState) -> ExportSource? {
    guard let result, result.count > 0 else { return nil }
    var rows = result.rows
    rows.row = result.scroll.cursor
    return .answer(rows)
  }
}

extension ImportScreen: CopyableOverlay {
  /// The value at fault, or what is wrong where it is the whole record.
  func copyableCell(in state: BrowserState) -> CopyRequest? {
    guard let run = state.importing.run, let fault = state.currentFault else { return nil }
    return .text(fault.value ?? fault.sentence(in: run.fileName))
  }

  func copyableRow(in state: BrowserState) -> ExportSource? {
    guard let run = state.importing.run, state.currentFault != nil else { return nil }
    return .values(run.faultRows.only(scroll.cursor))
  }
}

extension SummaryState: CopyableOverlay {
  /// The value of a line; of statistics, what they have come to.
  func copyableCell(in state: BrowserState) -> CopyRequest? {
    let column = exportedColumn
    if let (_, value) = selectedValue {
      if let destination = Self.destination(of: request, in: state.schema),
        case .integer(let key) = value
      {
        let name = state.names[destination, key]?.shown(key: key).text
        return .text(name ?? DisplayName.placeholder(key: key))
      }
      return request.groupPath == nil ? .plain(value, as: column) : .plain(value)
    }
    if let interval = selectedInterval {
      return .text("\(number(interval.lower)) \(number(interval.upper))")
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

extension MessageLogState: CopyableOverlay {
  /// The whole message, however many lines it takes.
  func copyableCell(in state: BrowserState) -> CopyRequest? {
    message(in: state).map { .text($0.text) }
  }
}

extension ValueRows {
  /// One of the rows.
  fileprivate func only(_ row: Int) -> ValueRows {
    ValueRows(name: name, columns: columns, rows: [rows[row]])
  }
}
