import DatastoreCore
import TerminalUI

/// Drawing the state. Nothing here changes it.
extension BrowserState {
  /// Draws the whole screen and returns the position of the terminal's cursor; nil hides it.
  func draw(into buffer: inout ScreenBuffer) -> Position? {
    let layout = layout
    let marks = Marks(buffer.glyphs)
    entities.draw(
      into: &buffer, layout, title: storeName, shown: table?.query.entity,
      isFocused: scope == .entities)
    if let table {
      table.draw(
        into: &buffer, layout: layout, surroundings: tableSurroundings(table, marks))
    } else {
      _ = layout.drawFrame(Box(title: ""), into: &buffer, in: layout.table)
      buffer.draw(
        "This file has no tables.",
        at: Position(column: layout.tableBody.left + 2, row: layout.tableBody.top),
        width: max(0, layout.tableBody.columns - 4), role: .dim, alignment: .centre)
    }
    detail.draw(
      into: &buffer, layout, title: detailTitle, isFocused: scope == .detail,
      name: { names[$0, $1] }, marks: detail.object.flatMap { editing.marks[$0] })
    return drawFoot(into: &buffer, layout, marks)
  }

  private func drawFoot(
    into buffer: inout ScreenBuffer, _ layout: ScreenLayout, _ marks: Marks
  ) -> Position? {
    Toolbar(self, width: layout.toolbar.columns, isUnicode: buffer.glyphs == .unicode)
      .draw(into: &buffer, in: layout.toolbar)
    Footer(hints.map(\.hint)).draw(into: &buffer, in: layout.footer)
    drawStatus(into: &buffer, layout, marks)
    var cursor: Position?
    for overlay in overlays { cursor = overlay.draw(into: &buffer, in: self) }
    // A line without room is not drawn, and has no cursor.
    return cursor.flatMap { buffer.bounds.contains($0) ? $0 : nil }
  }

  private func drawStatus(
    into buffer: inout ScreenBuffer, _ layout: ScreenLayout, _ marks: Marks
  ) {
    let area = layout.status
    if message == nil, importing.isRunning, let run = importing.run {
      return run.draw(into: &buffer, in: area)
    }
    let role = message?.role ?? .statusBar
    var text = " " + (message?.text ?? statusText(marks))
    // Without a toolbar, the status shows the unsaved changes; for a read-only store only if there is nothing
    // else to show.
    let isOfChanges = editing.access.note == nil || (message == nil && derivedTable == nil)
    if layout.toolbar.isEmpty, isOfChanges, let note = unsavedNote {
      let lamp = editing.marks.isEmpty ? "" : "\(marks.unsaved) "
      text = " \(lamp)\(note)\(marks.separator)\(text.dropFirst())"
    }
    buffer.draw(text, in: area, role: role)
    let note = placeNote(beside: text, layout, marks)
    let place = area.split(right: note.displayWidth()).right
    buffer.draw(note, in: place, role: role)
  }

  /// The notes of the table's lower border, as far as they fit, for a table without that border.
  private func placeNote(beside text: String, _ layout: ScreenLayout, _ marks: Marks) -> String {
    guard !layout.hasLowerBorders, !layout.table.isEmpty, let table else { return "" }
    var notes = table.notes(table.placements(available: layout.tableBody.columns))
    let room = layout.status.columns - text.displayWidth()
    func line() -> String { "  \(notes.joined(separator: marks.separator)) " }
    while !notes.isEmpty, line().displayWidth() > room { notes.removeFirst() }
    return notes.isEmpty ? "" : line()
  }

  private var detailTitle: String {
    guard let object = detail.object else { return "Details" }
    return titledName(of: object, in: detail.snapshot?.entityName)
  }

  /// The keys that work in the current scope, the most telling ones first, with their labels.
  private var hints: [(hint: Footer.Hint, command: Command)] {
    // Without a toolbar, the commands for staged changes come first.
    let first =
      CommandScope.panels.contains(scope) && layout.toolbar.isEmpty && !editing.marks.isEmpty
      ? ["save", "undo"].compactMap { keymap.commands.named($0) } : []
    return (first + keymap.commands.hinted(in: scope))
      .filter { $0.reasonIfDisabled(self) == nil }
      .compactMap { command in
        keymap.hint(of: command).map {
          (Footer.Hint(key: $0, label: scope.label(of: command)), command)
        }
      }
  }

  /// The command whose key is at a position of the footer.
  func footerCommand(at position: Position) -> Command? {
    let hints = hints
    return Footer(hints.map(\.hint)).hint(at: position, in: layout.footer)
      .map { hints[$0].command }
  }
}
