import TerminalUI

/// The part of the screen that a widget draws in. Positions are relative to its upper left corner; drawing is
/// clipped to the canvas.
///
/// ```swift
/// struct Ruler: Widget {
///   func height(columns: Int) -> Int? { 1 }
///
///   func draw(in canvas: Canvas) {
///     canvas.draw(String(repeating: "-", count: canvas.columns), role: .dim)
///   }
/// }
/// ```
///
/// All text is made safe: control, invisible and bidirectional characters are drawn as marks, whatever the
/// data holds.
@MainActor
public struct Canvas {
  let drawing: Drawing
  let area: Rectangle

  init(_ drawing: Drawing, _ area: Rectangle) {
    self.drawing = drawing
    self.area = area
  }

  /// The width in cells.
  public var columns: Int { area.columns }
  /// The height in cells.
  public var rows: Int { area.rows }
  /// Whether the canvas has no cells.
  public var isEmpty: Bool { area.isEmpty }

  /// Draws a text in one row. A text that does not fit is cut off and ends in an ellipsis.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - column: the first column of the text, or of the room that it is aligned in.
  ///   - row: the row.
  ///   - width: the width of the room, filled with blanks; nil for all cells up to the right edge.
  ///   - role: the meaning of the text, which decides its style.
  ///   - isTrailing: whether the text is aligned to the right end of its room.
  public func draw(
    _ text: String, column: Int = 0, row: Int = 0, width: Int? = nil, role: TextRole = .text,
    isTrailing: Bool = false
  ) {
    draw(
      text, column: column, row: row, width: width, style: role.style, isTrailing: isTrailing)
  }

  /// Returns a part of the canvas, clipped to the canvas.
  ///
  /// - Parameters:
  ///   - columns: the columns of the part.
  ///   - rows: the rows of the part.
  /// - Returns: a canvas that draws into the same picture.
  public func part(columns: Range<Int>, rows: Range<Int>) -> Canvas {
    let part = Rectangle(
      column: area.left + columns.lowerBound, row: area.top + rows.lowerBound,
      columns: columns.count, rows: rows.count)
    return Canvas(drawing, part.intersection(area))
  }

  func draw(
    _ text: String, column: Int = 0, row: Int = 0, width: Int? = nil, style: StyleRole,
    isTrailing: Bool = false
  ) {
    guard row >= 0, row < rows, column >= 0, column < columns else { return }
    drawing.buffer.draw(
      text, at: Position(column: area.left + column, row: area.top + row),
      width: min(width ?? .max, columns - column), role: style,
      alignment: isTrailing ? .trailing : .leading)
  }

  /// Splits off the first rows.
  func split(top rows: Int) -> (top: Canvas, rest: Canvas) {
    let parts = area.split(top: rows)
    return (Canvas(drawing, parts.top), Canvas(drawing, parts.rest))
  }

  /// Splits off the last rows.
  func split(bottom rows: Int) -> (rest: Canvas, bottom: Canvas) {
    let parts = area.split(bottom: rows)
    return (Canvas(drawing, parts.rest), Canvas(drawing, parts.bottom))
  }

  /// Draws a border with a title and returns the room inside it; the whole canvas if there is no room for a
  /// border.
  func bordered(title: String, note: String = "", isFocused: Bool = false) -> Canvas {
    guard columns >= 12, rows >= 5 else { return self }
    let inside = Box(title: title, note: note, isFocused: isFocused)
      .draw(into: &drawing.buffer, in: area)
    return Canvas(drawing, inside)
  }
}
