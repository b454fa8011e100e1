import Basics

/// A grid of cells that screens and widgets draw into. It does not touch a terminal, so a test of a screen
/// compares pictures.
///
/// All text goes through `Glyphs`, which lets no control character pass. Drawing outside the grid is clipped
/// and never traps. A wide character takes a cell and a continuation cell after it; overwriting one half
/// blanks the other.
package struct ScreenBuffer: Hashable, Sendable {
  /// The size of the grid.
  package let size: Size
  /// The shapes of lines and marks.
  package let glyphs: GlyphSet
  /// The cells, row by row.
  package private(set) var cells: [Cell]

  /// Creates a grid of blanks.
  package init(size: Size, glyphs: GlyphSet = .unicode) {
    self.size = size
    self.glyphs = glyphs
    cells = Array(repeating: .blank, count: size.columns * size.rows)
  }

  /// The whole grid as a rectangle.
  package var bounds: Rectangle { Rectangle(size) }

  /// The cell at a position.
  ///
  /// Traps when the position lies outside the grid.
  package subscript(position: Position) -> Cell {
    require(bounds.contains(position), "\(position) lies outside a screen of \(size)")
    return cells[position.row * size.columns + position.column]
  }

  /// The cells of one row, left to right.
  ///
  /// Traps when the row lies outside the grid.
  package func row(_ row: Int) -> ArraySlice<Cell> {
    require(row >= 0 && row < size.rows, "row \(row) lies outside a screen of \(size)")
    return cells[row * size.columns..<(row + 1) * size.columns]
  }

  /// Writes one glyph and keeps its wide neighbours whole. Has no effect outside the grid; a wide glyph with
  /// only one cell left becomes a blank.
  mutating func put(_ glyph: Glyph, at position: Position, role: StyleRole) {
    guard bounds.contains(position) else { return }
    let index = position.row * size.columns + position.column
    let fits = position.column + glyph.width <= size.columns
    clearHalves(at: index)
    guard fits, glyph.width == 2 else {
      cells[index] =
        fits ? Cell(text: glyph.text, width: 1, role: role) : Cell(ascii: 0x20, role: role)
      return
    }
    clearHalves(at: index + 1)
    cells[index] = Cell(text: glyph.text, width: 2, role: role)
    cells[index + 1] = Cell(text: "", width: 0, role: role)
  }

  /// Writes a character of one scalar and one cell, as `put` does with a glyph. The position must lie inside
  /// the grid.
  mutating func put(_ scalar: Unicode.Scalar, at position: Position, role: StyleRole) {
    let index = position.row * size.columns + position.column
    clearHalves(at: index)
    cells[index] = Cell(scalar: scalar, role: role)
  }

  /// Writes visible ASCII characters from a position on: the same as `put` for each, without making glyphs.
  /// All positions must lie inside the grid.
  mutating func put(
    ascii bytes: some Sequence<UInt8>, at position: Position, role: StyleRole
  ) {
    var index = position.row * size.columns + position.column
    for byte in bytes {
      if cells[index].width != 1 { clearHalves(at: index) }
      cells[index] = Cell(ascii: byte, role: role)
      index += 1
    }
  }

  /// Blanks the other half of a wide character before one of its cells is overwritten.
  private mutating func clearHalves(at index: Int) {
    if cells[index].width == 0 {
      cells[index - 1].text = " "
      cells[index - 1].width = 1
    } else if cells[index].width == 2 {
      cells[index + 1].text = " "
      cells[index + 1].width = 1
    }
  }

  /// Changes the style of the cells in a rectangle and leaves their text; both halves of a wide
  /// character change together when the left one does.
  mutating func modify(_ area: Rectangle, _ change: (inout Cell) -> Void) {
    let area = area.intersection(bounds)
    for row in area.top..<max(area.top, area.bottom) {
      for column in area.left..<max(area.left, area.right) {
        change(&cells[row * size.columns + column])
      }
    }
  }
}
