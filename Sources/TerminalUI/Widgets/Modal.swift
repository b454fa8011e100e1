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
    /// The keys of each row of the foot.
    var footers: [Footer]

    /// The rows of the foot that have room, from above.
    var footerRows: [(footer: Footer, line: Rectangle)] {
      zip(footers, foot.top..<foot.bottom).map { footer, row in
        (
          footer: footer,
          line: Rectangle(column: foot.left, row: row, columns: foot.columns, rows: 1)
        )
      }
    }
  }

  private func layout(in area: Rectangle, maximum: Int) -> Layout {
    let room = min(maximum, area.columns) - 4
    let footers = footers(in: room)
    // Above the keys there is at least one line of the message.
    if area.columns < 28 || area.rows < max(6, footers.count + 3) {
      let footers = self.footers(in: area.columns)
      let (text, foot) = area.split(bottom: min(footers.count, area.rows - 1))
      return Layout(
        box: area, hasBorder: false, text: text, foot: foot,
        lines: message.wrapped(to: max(1, text.columns)), footers: footers)
    }
    let lines = message.wrapped(to: room)
    let hintWidth =
      footers.map { footer in
        footer.hints.reduce(-2) { $0 + $1.key.displayWidth() + $1.label.displayWidth() + 3 }
      }.max() ?? 0
    let widest = lines.map { $0.displayWidth() }.max() ?? 0
    let width = min(room, max(widest, min(title.displayWidth() + 2, room), hintWidth))
    let footerRows = hints.isEmpty ? 0 : footers.count + 1
    let box = area.centred(Size(columns: width + 4, rows: lines.count + footerRows + 2))
    let inside = box.inset(horizontal: 2, vertical: 1)
    let (text, foot) = inside.split(
      bottom: inside.rows > footerRows ? footerRows : footers.count)
    return Layout(
      box: box, hasBorder: true, text: text, foot: foot.split(bottom: footers.count).bottom,
      lines: lines, footers: footers)
  }

  /// The keys in rows of some columns: all in one if they fit into it, or else one below the other.
  private func footers(in columns: Int) -> [Footer] {
    guard !hints.isEmpty else { return [] }
    let whole = Footer(hints)
    let line = Rectangle(column: 0, row: 0, columns: max(0, columns), rows: 1)
    return whole.places(in: line).count == hints.count ? [whole] : hints.map { Footer([$0]) }
  }

  /// The hint at a position of the screen, if the box is drawn in this area.
  package func hint(at position: Position, in area: Rectangle, maximum: Int = 64) -> Int? {
    var first = 0
    for (footer, line) in layout(in: area, maximum: maximum).footerRows {
      if let hint = footer.hint(at: position, in: line) { return first + hint }
      first += footer.hints.count
    }
    return nil
  }

  /// Draws the box in the middle of `area`, as small as the text allows and at most `maximum` columns wide,
  /// and returns the rectangle it covers. Lines that do not fit are cut at the end, which `…` marks; keys
  /// that do not fit into one row stand one below the other.
  @discardableResult
  package func draw(
    into buffer: inout ScreenBuffer, in area: Rectangle, maximum: Int = 64
  ) -> Rectangle {
    let layout = layout(in: area, maximum: maximum)
    buffer.fill(layout.box)
    if layout.hasBorder { Box(title: title, isFocused: true).draw(into: &buffer, in: layout.box) }
    buffer.draw(lines: layout.lines, in: layout.text, role: role)
    for (footer, line) in layout.footerRows { footer.draw(into: &buffer, in: line) }
    return layout.box
  }
}
