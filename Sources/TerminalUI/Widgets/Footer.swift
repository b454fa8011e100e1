/// The line of keys at the foot of a screen.
package struct Footer: Hashable, Sendable {
  /// A key and what it does.
  package struct Hint: Hashable, Sendable {
    /// The key as shown.
    package var key: String
    /// What it does, in a word or two.
    package var label: String

    /// Makes a hint.
    package init(key: String, label: String) {
      self.key = key
      self.label = label
    }
  }

  /// The hints, the most important first.
  package var hints: [Hint]

  /// Makes a footer.
  package init(_ hints: [Hint]) {
    self.hints = hints
  }

  /// Draws the hints that fit whole, in order; one that does not fit is left out and the shorter
  /// ones after it may still appear. Returns the number drawn.
  @discardableResult
  package func draw(into buffer: inout ScreenBuffer, in area: Rectangle) -> Int {
    let line = area.intersection(buffer.bounds)
    guard !line.isEmpty else { return 0 }
    buffer.draw(
      "", at: line.origin, width: line.columns, role: .keyLabel)
    var column = line.left
    var drawn = 0
    for hint in hints {
      let room = line.right - column
      let lead = drawn == 0 ? 0 : 2
      let keyWidth = hint.key.displayWidth(upTo: room)
      let labelWidth = hint.label.displayWidth(upTo: room)
      guard lead + keyWidth + 1 + labelWidth <= room else { continue }
      column += lead
      buffer.draw(hint.key, at: Position(column: column, row: line.top), role: .key)
      column += keyWidth + 1
      buffer.draw(
        hint.label, at: Position(column: column, row: line.top), role: .keyLabel)
      column += labelWidth
      drawn += 1
    }
    return drawn
  }
}
