package import TerminalUI

/// A run of cells in one row with the same style.
package struct StyleRun: Hashable, Sendable, CustomStringConvertible {
  /// The columns of the run.
  package var columns: Range<Int>
  package var text: String
  package var role: StyleRole
  /// The backdrop of the cells, if any.
  package var backdrop: StyleRole?

  /// Text and role names: `"Tilda" string+selection`.
  package var description: String {
    "\"\(text)\" \(role)" + (backdrop.map { "+\($0)" } ?? "")
  }
}

extension ScreenBuffer {
  /// The role of each cell of a row, left to right.
  ///
  /// Traps when the row lies outside the grid.
  package func roles(ofRow row: Int) -> [StyleRole] {
    self.row(row).map(\.role)
  }

  /// The runs of equal style in a row, left to right, without blank cells of role `text`.
  ///
  /// Traps when the row lies outside the grid.
  package func styleRuns(ofRow row: Int) -> [StyleRun] {
    var runs: [StyleRun] = []
    for (column, cell) in self.row(row).enumerated() {
      if let last = runs.last, last.role == cell.role, last.backdrop == cell.backdrop {
        runs[runs.count - 1].text += cell.text
        runs[runs.count - 1].columns = last.columns.lowerBound..<column + 1
      } else {
        runs.append(
          StyleRun(
            columns: column..<column + 1, text: cell.text, role: cell.role,
            backdrop: cell.backdrop))
      }
    }
    return runs.filter { run in
      run.role != .text || run.backdrop != nil || run.text.contains { $0 != " " }
    }
  }
}
