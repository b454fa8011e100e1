import DatastoreCore
import TerminalUI

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

  var exportedRows: (source: ExportSource, name: String)? {
    result.map { (.answer($0.rows), "answer") }
  }

  var reasonNotToExport: String? {
    if isRunning { return "The answer is still being read; wait until it is read, or stop it." }
    return result?.count ?? 0 > 0 ? nil : "There are no rows here."
  }
}
