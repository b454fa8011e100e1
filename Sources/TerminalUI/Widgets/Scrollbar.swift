/// Shows the position of the visible part of a long list: one column of cells.
package struct Scrollbar: Hashable, Sendable {
  /// The number of rows of the whole list.
  package var count: Int
  /// The visible rows.
  package var visible: Range<Int>

  package init(count: Int, visible: Range<Int>) {
    self.count = count
    self.visible = visible
  }

  /// The cells of the thumb in a bar of `height`, or nil when everything is visible. It touches
  /// an end only when the list does, and is never shorter than a cell.
  package func thumb(height: Int) -> Range<Int>? {
    guard height > 0, count > visible.count, !visible.isEmpty else { return nil }
    let length = min(
      height, max(1, Int(Double(height) * Double(visible.count) / Double(count))))
    let travel = height - length
    if visible.lowerBound <= 0 { return 0..<length }
    if visible.upperBound >= count { return travel..<height }
    let part = Double(visible.lowerBound) / Double(count - visible.count)
    let start = Int((Double(travel) * part).rounded())
    let inner = travel >= 2 ? min(max(start, 1), travel - 1) : min(max(start, 0), travel)
    return inner..<inner + length
  }

  /// Draws the bar in a column of the screen, as high as the lines beside it.
  package func draw(into buffer: inout ScreenBuffer, beside lines: Rectangle, column: Int) {
    draw(
      into: &buffer, in: Rectangle(column: column, row: lines.top, columns: 1, rows: lines.rows))
  }

  /// Draws the bar in the rightmost column of `area`; nothing when everything is visible.
  package func draw(into buffer: inout ScreenBuffer, in area: Rectangle) {
    guard let thumb = thumb(height: area.rows), !area.isEmpty else { return }
    for row in 0..<area.rows {
      let isThumb = thumb.contains(row)
      buffer.draw(
        isThumb ? buffer.glyphs.fullBlock : buffer.glyphs.scrollTrack,
        at: Position(column: area.right - 1, row: area.top + row), width: 1,
        role: isThumb ? .scrollThumb : .border)
    }
  }
}
