/// A box in the middle of the screen, over everything else: a message or a question.
package struct Modal: Hashable, Sendable {
  /// The text in the border.
  package var title: String
  /// The message; wrapped to fit, newlines start a new line.
  package var message: String
  /// The keys that answer the message, shown under it.
  package var hints: [Footer.Hint]
  /// The style of the message: `text`, `warning` or `error`.
  package var role: StyleRole

  package init(
    title: String, message: String, hints: [Footer.Hint] = [], role: StyleRole = .text
  ) {
    self.title = title
    self.message = message
    self.hints = hints
    self.role = role
  }

  /// The areas of the parts of a box.
  private struct Layout {
    var box: Rectangle
    /// Without room for a border, the message and the keys take the whole area.
    var hasBorder: Bool
    var text: Rectangle
    var foot: Rectangle
    var lines: [String]
  }

  private func layout(in area: Rectangle, maximum: Int) -> Layout {
    let room = min(maximum, area.columns) - 4
    if area.columns < 28 || area.rows < 6 {
      let (text, foot) = area.split(bottom: hints.isEmpty || area.rows < 2 ? 0 : 1)
      return Layout(
        box: area, hasBorder: false, text: text, foot: foot,
        lines: message.wrapped(to: max(1, text.columns)))
    }
    let lines = message.wrapped(to: room)
    let hintWidth = hints.reduce(0) {
      $0 + $1.key.displayWidth() + $1.label.displayWidth() + 3
    }
    let widest = lines.map { $0.displayWidth() }.max() ?? 0
    let width = min(room, max(widest, min(title.displayWidth() + 2, room), hintWidth - 2))
    let footerRows = hints.isEmpty ? 0 : 2
    let box = area.centred(Size(columns: width + 4, rows: lines.count + footerRows + 2))
    let inside = box.inset(horizontal: 2, vertical: 1)
    let (text, foot) = inside.split(bottom: inside.rows > footerRows ? footerRows : 0)
    return Layout(
      box: box, hasBorder: true, text: text, foot: foot.split(bottom: foot.isEmpty ? 0 : 1).bottom,
      lines: lines)
  }

  /// The hint at a position of the screen, if the box is drawn in this area.
  package func hint(at position: Position, in area: Rectangle, maximum: Int = 64) -> Int? {
    Footer(hints).hint(at: position, in: layout(in: area, maximum: maximum).foot)
  }

  /// Draws the box in the middle of `area`, as small as the text allows and at most `maximum` columns wide,
  /// and returns the rectangle it covers. Lines that do not fit are cut at the end, which `…` marks.
  @discardableResult
  package func draw(
    into buffer: inout ScreenBuffer, in area: Rectangle, maximum: Int = 64
  ) -> Rectangle {
    let layout = layout(in: area, maximum: maximum)
    buffer.fill(layout.box)
    if layout.hasBorder { Box(title: title, isFocused: true).draw(into: &buffer, in: layout.box) }
    buffer.draw(lines: layout.lines, in: layout.text, role: role)
    if !layout.foot.isEmpty { Footer(hints).draw(into: &buffer, in: layout.foot) }
    return layout.box
  }
}
