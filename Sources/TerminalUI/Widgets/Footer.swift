/// The line of keys at the foot of a screen.
package struct Footer: Hashable, Sendable {
  /// A key and its label.
  package struct Hint: Hashable, Sendable {
    /// The key as shown.
    package var key: String
    /// The action of the key, in a word or two.
    package var label: String

    package init(key: String, label: String) {
      self.key = key
      self.label = label
    }
  }

  /// The hints, the most important first.
  package var hints: [Hint]

  package init(_ hints: [Hint]) {
    self.hints = hints
  }

  /// The hints that fit whole into a line, in order, with the columns of each. A hint that does not fit is
  /// left out; shorter ones after it may still appear. The only one is cut instead.
  package func places(in line: Rectangle) -> [(hint: Int, columns: Range<Int>)] {
    var column = line.left
    var places: [(hint: Int, columns: Range<Int>)] = []
    for (index, hint) in hints.enumerated() {
      let room = line.right - column
      let lead = places.isEmpty ? 0 : 2
      let whole = hint.key.displayWidth(upTo: room) + 1 + hint.label.displayWidth(upTo: room)
      let width = hints.count == 1 ? min(whole, room) : whole
      guard lead + width <= room else { continue }
      column += lead
      places.append((index, column..<column + width))
      column += width
    }
    return places
  }

  /// The hint at a position of the screen, if the footer is drawn in this line.
  package func hint(at position: Position, in line: Rectangle) -> Int? {
    guard line.contains(position) else { return nil }
    return places(in: line).first { $0.columns.contains(position.column) }?.hint
  }

  /// Draws the hints that fit. Returns the number drawn.
  @discardableResult
  package func draw(into buffer: inout ScreenBuffer, in area: Rectangle) -> Int {
    let line = area.intersection(buffer.bounds)
    guard !line.isEmpty else { return 0 }
    buffer.draw("", in: line, role: .keyLabel)
    let places = places(in: line)
    for place in places {
      let hint = hints[place.hint]
      let used = buffer.draw(
        hint.key, at: Position(column: place.columns.lowerBound, row: line.top), role: .key)
      let column = place.columns.lowerBound + used + 1
      buffer.draw(
        hint.label, at: Position(column: column, row: line.top),
        width: hints.count == 1 ? line.right - column : nil, role: .keyLabel)
    }
    return places.count
  }
}
