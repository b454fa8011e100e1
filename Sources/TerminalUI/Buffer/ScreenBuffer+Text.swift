/// The position of a text in the width it is given.
package enum TextAlignment: Hashable, Sendable {
  case leading
  case centre
  case trailing
}

extension ScreenBuffer {
  /// Draws one line of text and returns the cells it took.
  ///
  /// The text is sanitised. With a `width`, the rest of that width is filled with blanks of the same role, so
  /// that a redrawn field never shows remains of an older text. Without one, the text may reach to the right
  /// edge and nothing is filled. Only the visible part of the text is read, except that `head`, `middle` and
  /// `number` also read the end. A text in the role of a number is cut like a number by default.
  @discardableResult
  package mutating func draw(
    _ text: some StringProtocol, at position: Position, width: Int? = nil,
    role: StyleRole = .text, alignment: TextAlignment = .leading, truncation: Truncation? = nil
  ) -> Int {
    let truncation = truncation ?? (role == .number ? .number : .tail)
    let room = min(width ?? .max, max(0, size.columns - position.column))
    guard room > 0, position.row >= 0, position.row < size.rows else { return 0 }
    if position.column >= 0 {
      let used = text.utf8.withContiguousStorageIfAvailable { bytes in
        drawPlain(
          bytes, at: position, room: room, fills: width != nil, role: role, alignment: alignment,
          truncation: truncation)
      }
      if let used = used ?? nil { return used }
    }
    let line = FittedText(text, width: room, truncation: truncation, glyphs: glyphs)
    let spare = width == nil ? 0 : room - line.width
    let before =
      switch alignment {
      case .leading: 0
      case .centre: spare / 2
      case .trailing: spare
      }
    var column = position.column
    func place(_ glyph: Glyph, _ buffer: inout ScreenBuffer) {
      buffer.put(glyph, at: Position(column: column, row: position.row), role: role)
      column += glyph.width
    }
    for _ in 0..<before { place(.space, &self) }
    for glyph in line.glyphs { place(glyph, &self) }
    for _ in 0..<(spare - before) { place(.space, &self) }
    return line.width
  }

  /// Draws one line of text in the first row of an area, and blanks behind it; returns the cells it took.
  @discardableResult
  package mutating func draw(
    _ text: some StringProtocol, in area: Rectangle, role: StyleRole = .text,
    alignment: TextAlignment = .leading, truncation: Truncation? = nil
  ) -> Int {
    draw(
      text, at: area.origin, width: area.columns, role: role, alignment: alignment,
      truncation: truncation)
  }

  /// Draws a text, broken at spaces, on the rows of an area; `…` marks a text that has more lines.
  package mutating func draw(wrapped text: String, in area: Rectangle, role: StyleRole) {
    draw(lines: text.wrapped(to: area.columns), in: area, role: role)
  }

  /// Draws lines of text on the rows of an area; `…` marks that there are more lines than rows.
  package mutating func draw(lines: [String], in area: Rectangle, role: StyleRole) {
    for (row, line) in lines.prefix(area.rows).enumerated() {
      let isCut = row == area.rows - 1 && lines.count > area.rows
      draw(isCut ? line + " " + glyphs.ellipsis : line, in: area.row(row), role: role)
    }
  }

  /// Draws visible ASCII, which nearly all text is, without making glyphs. Returns nil without drawing for
  /// other text and for truncations that need the end of the text.
  private mutating func drawPlain(
    _ bytes: UnsafeBufferPointer<UInt8>, at position: Position, room: Int, fills: Bool,
    role: StyleRole, alignment: TextAlignment, truncation: Truncation
  ) -> Int? {
    let isWhole = bytes.count <= room
    guard isWhole || truncation == .tail || truncation == .clip else { return nil }
    // Checks one more character than is shown, for it might be a mark on the last one.
    guard bytes.isVisibleASCII(first: isWhole ? bytes.count : room + 1) else { return nil }
    guard isWhole else {
      let shown = truncation == .clip ? room : room - 1
      put(ascii: bytes.prefix(shown), at: position, role: role)
      if shown < room {
        let end = Position(column: position.column + shown, row: position.row)
        put(Glyph(text: glyphs.ellipsis, width: 1, isMark: true), at: end, role: role)
      }
      return room
    }
    let spare = fills ? room - bytes.count : 0
    let before =
      switch alignment {
      case .leading: 0
      case .centre: spare / 2
      case .trailing: spare
      }
    var place = position
    put(ascii: repeatElement(0x20, count: before), at: place, role: role)
    place.column += before
    put(ascii: bytes, at: place, role: role)
    place.column += bytes.count
    put(ascii: repeatElement(0x20, count: spare - before), at: place, role: role)
    return bytes.count
  }

  /// Fills a rectangle with one character; an unsafe one is replaced by its mark, a
  /// wide one by a blank.
  package mutating func fill(
    _ area: Rectangle, with character: Character = " ", role: StyleRole = .text
  ) {
    var iterator = Glyphs(String(character))
    let first = glyphs.shown(iterator.next() ?? .space).first ?? .space
    let glyph = first.width == 1 ? first : .space
    let area = area.intersection(bounds)
    for row in area.top..<max(area.top, area.bottom) {
      for column in area.left..<max(area.left, area.right) {
        put(glyph, at: Position(column: column, row: row), role: role)
      }
    }
  }

  /// Changes the role of the cells in a rectangle and leaves their text.
  package mutating func restyle(_ area: Rectangle, role: StyleRole) {
    modify(area) { $0.role = role }
  }

  /// Lays a role's background and emphasis under the cells of a rectangle, which keep their own text and
  /// colour. Use it to show a selected row of coloured values. Nil removes it.
  package mutating func highlight(_ area: Rectangle, as backdrop: StyleRole?) {
    modify(area) { $0.backdrop = backdrop }
  }
}

extension Glyph {
  /// A blank cell.
  static let space = Glyph(text: " ", width: 1, isMark: false)
}
