/// A box in the middle of the screen, over everything else: a message or a question.
package struct Modal: Hashable, Sendable {
  /// Shown in the border.
  package var title: String
  /// The message; wrapped to fit, newlines start a new line.
  package var message: String
  /// The keys that answer it, shown under the message.
  package var hints: [Footer.Hint]
  /// The look of the message: `text`, `warning` or `error`.
  package var role: StyleRole

  /// Makes a modal box.
  package init(
    title: String, message: String, hints: [Footer.Hint] = [], role: StyleRole = .text
  ) {
    self.title = title
    self.message = message
    self.hints = hints
    self.role = role
  }

  /// Draws the box in the middle of `area`, as small as the text allows and at most `maximum`
  /// columns wide, and returns the rectangle it covers. Lines that do not fit are cut at the
  /// foot, where `…` says so.
  @discardableResult
  package func draw(
    into buffer: inout ScreenBuffer, in area: Rectangle, maximum: Int = 64
  ) -> Rectangle {
    let room = min(maximum, area.columns) - 4
    guard room > 0, area.rows >= 3 else { return Rectangle(origin: area.origin, size: .zero) }
    let lines = message.wrapped(to: room)
    let hintWidth = hints.reduce(0) {
      $0 + $1.key.displayWidth() + $1.label.displayWidth() + 3
    }
    let widest = lines.map { $0.displayWidth() }.max() ?? 0
    let width = min(room, max(widest, min(title.displayWidth() + 2, room), hintWidth - 2))
    let footerRows = hints.isEmpty ? 0 : 2
    let box = area.centred(Size(columns: width + 4, rows: lines.count + footerRows + 2))
    buffer.fill(box)
    let inside = Box(title: title, isFocused: true).draw(into: &buffer, in: box)
      .inset(horizontal: 1)
    let (text, foot) = inside.split(bottom: inside.rows > footerRows ? footerRows : 0)
    for (index, line) in lines.prefix(text.rows).enumerated() {
      let isCut = index == text.rows - 1 && lines.count > text.rows
      buffer.draw(
        isCut ? line + " " + buffer.glyphs.ellipsis : line,
        at: Position(column: text.left, row: text.top + index), width: text.columns, role: role)
    }
    if !foot.isEmpty {
      Footer(hints).draw(into: &buffer, in: foot.split(bottom: 1).bottom)
    }
    return box
  }
}
