import DatastoreCore
import DatastoreExport
import TerminalUI

/// Pivots on the way to a file or the clipboard: values as they are stored, in their order on the screen.
extension PivotScreen: CopyableOverlay {
  func copyableCell(in state: BrowserState) -> CopyRequest? {
    guard let table else { return nil }
    return .plain(table.value(row: scroll.cursor, column: column), as: cell(named: ""))
  }

  func copyableRow(in state: BrowserState) -> ExportSource? {
    rows.map { .values($0.only(min(scroll.cursor, $0.rows.count - 1))) }
  }

  var exportedRows: (source: ExportSource, name: String)? {
    rows.map { (.values($0), $0.name) }
  }

  var reasonNotToExport: String? {
    switch result {
    case nil: "The pivot is still being computed."
    case .failure(let failure): failure.message
    case .success: nil
    }
  }

  private func cell(named name: String) -> ExportColumn {
    let format = request.measure.aggregate == .sum ? nil : request.measure.column?.format
    let isMean = request.measure.aggregate == .average && format?.dates == nil
    return ExportColumn(
      name: name,
      type: isMean && format?.type != .date ? .undefined : format?.type ?? .undefined,
      dates: format?.dates)
  }

  /// The lines with the names of their groups, and the totals last.
  private var rows: ValueRows? {
    guard let table else { return nil }
    var names: Set<String> = [request.rows.title]
    func free(_ name: String) -> String {
      var candidate = name
      var number = 2
      while !names.insert(candidate).inserted {
        candidate = "\(name) \(number)"
        number += 1
      }
      return candidate
    }
    let columns =
      [ExportColumn(name: request.rows.title, type: .string)]
      + (table.columns.map(\.name) + ["all"]).map { cell(named: free($0)) }
    let lines = (0...table.rows.count).map { row in
      [Value.text(table.rows.indices.contains(row) ? table.rows[row].name : "all")]
        + (0...table.columns.count).map { table.value(row: row, column: $0) }
    }
    return ValueRows(
      name: "\(request.rows.title)-by-\(request.columns.title)", columns: columns, rows: lines)
  }
}
