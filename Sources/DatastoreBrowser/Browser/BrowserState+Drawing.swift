import DatastoreCore
import TerminalUI

/// Showing the state. Nothing here changes it.
extension BrowserState {
  /// Draws the whole screen and returns where the terminal's cursor belongs; nil hides it.
  func draw(into buffer: inout ScreenBuffer) -> Position? {
    let layout = layout
    guard !layout.isTooSmall else {
      drawTooSmall(into: &buffer)
      return nil
    }
    let marks = Marks(buffer.glyphs)
    entities.draw(
      into: &buffer, in: layout.entities, title: storeName, shown: table?.query.entity,
      isFocused: scope == .entities)
    if let table {
      table.draw(
        into: &buffer, layout: layout, surroundings: tableSurroundings(table, marks))
    } else {
      Box(title: "").draw(into: &buffer, in: layout.table)
      buffer.draw(
        "This file has no tables.",
        at: Position(column: layout.tableBody.left + 2, row: layout.tableBody.top),
        width: max(0, layout.tableBody.columns - 4), role: .dim, alignment: .centre)
    }
    detail.draw(
      into: &buffer, in: layout.detail, title: detailTitle, isFocused: scope == .detail,
      name: { names[$0, $1] }, marks: detail.object.flatMap { editing.marks[$0] })
    return drawFoot(into: &buffer, layout, marks)
  }

  private func drawTooSmall(into buffer: inout ScreenBuffer) {
    let sentence =
      overlays.compactMap { $0 as? Question }.last?.sentence
      ?? "The browser needs \(ScreenLayout.smallest) characters; this terminal has \(size)."
    let lines = sentence.wrapped(to: max(1, size.columns))
    let top = max(0, (size.rows - lines.count) / 2)
    for (row, line) in lines.enumerated() {
      buffer.draw(
        line, at: Position(column: 0, row: top + row), width: size.columns, role: .warning,
        alignment: .centre)
    }
  }

  private func drawFoot(
    into buffer: inout ScreenBuffer, _ layout: ScreenLayout, _ marks: Marks
  ) -> Position? {
    Toolbar(self, width: layout.toolbar.columns, isUnicode: buffer.glyphs == .unicode)
      .draw(into: &buffer, in: layout.toolbar)
    Footer(hints).draw(into: &buffer, in: layout.footer)
    drawStatus(into: &buffer, in: layout.status, marks)
    var cursor: Position?
    for overlay in overlays { cursor = overlay.draw(into: &buffer, in: self) }
    return cursor
  }

  private func drawStatus(
    into buffer: inout ScreenBuffer, in area: Rectangle, _ marks: Marks
  ) {
    if message == nil, importing.isRunning, let run = importing.run {
      return run.draw(into: &buffer, in: area)
    }
    let role = message?.role ?? .statusBar
    let text = message?.text ?? statusText(marks)
    buffer.draw(" " + text, at: area.origin, width: area.columns, role: role)
  }

  private var detailTitle: String {
    guard let object = detail.object else { return "Details" }
    let name = currentName(of: object)
    let entity = detail.snapshot?.entityName ?? schema.entities[object.entity].name
    return name.hasPrefix(entity) ? name : "\(entity) \(name)"
  }

  /// The keys that work here, the most telling ones first.
  private var hints: [Footer.Hint] {
    keymap.commands.hinted(in: scope)
      .filter { $0.reasonIfDisabled(self) == nil }
      .compactMap { command in
        keymap.hint(of: command).map { Footer.Hint(key: $0, label: command.label) }
      }
  }
}
