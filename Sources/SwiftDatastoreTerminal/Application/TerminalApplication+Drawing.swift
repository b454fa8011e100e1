import TerminalUI

extension TerminalApplication {
  /// Draws the view, the footer below it, and the open question over both.
  func draw(_ size: Size, _ glyphs: GlyphSet) -> Drawing {
    let drawing = Drawing(
      ScreenBuffer(size: size, glyphs: glyphs), focused: focused, followed: followed
    ) { [weak self] in self?.redraw() }
    let (body, foot) = drawing.buffer.bounds.split(bottom: size.rows > 1 ? 1 : 0)
    drawing.draw {
      Stack(view.body).draw(in: Canvas(drawing, body))
      drawFoot(into: drawing, in: foot)
      if question != nil { drawing.cursor = question?.draw(into: &drawing.buffer, in: body) }
    }
    lists = drawing.lists
    if focused != nil, focusedList == nil {
      // The focused list has left the screen, so the first list gets the keys. It looks different with the
      // focus: draw again.
      focused = nil
      return draw(size, glyphs)
    }
    focused = focused ?? lists.first.map { ObjectIdentifier($0.list) }
    return drawing
  }

  private func drawFoot(into drawing: Drawing, in line: Rectangle) {
    let hints = Footer(
      question?.hints
        ?? view.commands.filter { $0.isEnabled && !$0.label.isEmpty }.map {
          Footer.Hint(key: $0.keys.first ?? "", label: $0.label)
        })
    footer = (hints, line)
    if let message, question == nil {
      Canvas(drawing, line).draw(message.text, width: line.columns, role: message.role)
    } else {
      hints.draw(into: &drawing.buffer, in: line)
    }
  }
}
