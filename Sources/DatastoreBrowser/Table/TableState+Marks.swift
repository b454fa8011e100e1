import DatastoreCore
import TerminalUI

struct RowMarks: Hashable {
  /// The staged changes of the object.
  var staged: StagingMarks.Mark?
  var isSelected = false
}

extension TableState {
  /// Draws the marks of a row: a sign on the border before it, and a star before each changed cell (`!` if
  /// someone else has changed it, too), so that changes are visible without colour; deleted rows are
  /// underlined throughout. A dot marks cells that only someone else has changed.
  func drawMarks(
    _ marks: RowMarks, of key: RowKey, into buffer: inout ScreenBuffer, in area: Rectangle,
    _ placements: [ColumnLayout.Placement]
  ) {
    if let others = changedByOthers[key] {
      for placement in placements where others.contains(placement.index) {
        mark(
          placement, buffer.glyphs == .unicode ? "•" : "o", .warning, into: &buffer, in: area)
      }
    }
    let border = Position(column: area.left - 1, row: area.top)
    if marks.isSelected {
      buffer.draw(buffer.glyphs == .unicode ? "✓" : "x", at: border, width: 1, role: .key)
      buffer.highlight(area, as: .selectionInactive)
    }
    guard let staged = marks.staged else { return }
    buffer.draw(staged.sign, at: border, width: 1, role: staged.role)
    switch staged.kind {
    case .deleted: buffer.restyle(area, role: .deleted)
    case .inserted: break
    case .updated:
      for placement in placements {
        guard let slot = columns[placement.index].slot, staged.slots.contains(slot) else {
          continue
        }
        mark(
          placement, staged.sign(at: slot), staged.role(at: slot), restyling: .changed,
          into: &buffer, in: area)
      }
    }
  }

  /// Draws a sign before the text of a cell.
  private func mark(
    _ placement: ColumnLayout.Placement, _ sign: String, _ role: StyleRole,
    restyling cellRole: StyleRole? = nil, into buffer: inout ScreenBuffer, in area: Rectangle
  ) {
    let cell = Rectangle(
      column: area.left + placement.offset, row: area.top, columns: placement.width, rows: 1
    ).intersection(area)
    if let cellRole { buffer.restyle(cell, role: cellRole) }
    // Directly before the text, which is right-aligned in columns of numbers.
    var column = cell.left
    while column < cell.right - 1, buffer[Position(column: column, row: cell.top)].text == " " {
      column += 1
    }
    guard column - 1 >= area.left else { return }
    buffer.draw(sign, at: Position(column: column - 1, row: cell.top), width: 1, role: role)
  }

  /// Forgets the changes by others in the row under the cursor: the user has seen them.
  mutating func markSeen() {
    if !changedByOthers.isEmpty, let currentKey { changedByOthers[currentKey] = nil }
  }

  /// Follows rows whose keys have changed.
  mutating func rename(_ keys: [RowKey: RowKey]) {
    guard case .row(let key) = anchor, let renamed = keys[key] else { return }
    want(renamed)
  }
}
