import DatastoreCore
import TerminalUI

extension DetailState {
  /// Draws the marks of a line: `*` before a changed value, `!` before a missing value or one that someone
  /// else has changed, too; all lines of a deleted object are underlined.
  func mark(
    _ line: DetailLines.Line, of lines: DetailLines, _ staged: StagingMarks.Mark?,
    into buffer: inout ScreenBuffer, in area: Rectangle
  ) {
    let column = area.left + lines.nameWidth + lines.typeWidth + 4
    guard column < area.right else { return }
    let value = Rectangle(column: column, row: area.top, columns: area.right - column, rows: 1)
    let before = Position(column: column - 1, row: area.top)
    if line.isMissing {
      buffer.draw("!", at: before, width: 1, role: .error)
      return
    }
    guard let staged else { return }
    switch staged.kind {
    case .deleted: buffer.restyle(area, role: .deleted)
    case .inserted: break
    case .updated:
      guard let slot = line.slot, staged.slots.contains(slot) else { return }
      buffer.restyle(value, role: .changed)
      buffer.draw(staged.sign(at: slot), at: before, width: 1, role: staged.role(at: slot))
    }
  }
}
