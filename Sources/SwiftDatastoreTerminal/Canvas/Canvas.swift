import TerminalUI

/// A part of the screen that a widget draws in. Places are counted from its upper left corner; what lies
/// outside is cut off.
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
/// All text is made safe on the way: controls, invisible and bidirectional characters are drawn as marks,
/// whatever the data holds.
@MainActor
public struct Canvas {
  let drawing: Drawing
  let area: Rectangle

  init(_ drawing: Drawing, _ area: Rectangle) {
    self.drawing = drawing
    self.area = area
  }

  /// Its width in cells.
  public var columns: Int { area.columns }
  /// Its height in cells.
  public var rows: Int { area.rows }
  /// Whether there is no cell in it.
  public var isEmpty: Bool { area.isEmpty }

  /// Draws a text in one row. What does not fit is cut off, and an ellipsis says so.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - column: where it begins, or where the room begins that it is put to the right end of.
  ///   - row: the row.
  ///   - width: the cells that it takes, filled with blanks; up to the right edge without it.
  ///   - role: its meaning, which decides its style.
  ///   - isTrailing: whether it is at the right end of its room.
  public func draw(
    _ text: String, column: Int = 0, row: Int = 0, width: Int? = nil, role: TextRole = .text,
    isTrailing: Bool = false
  ) {
    draw(
      text, column: column, row: row, width: width, style: role.style, isTrailing: isTrailing)
  }

  /// A part of it; cut down to what lies inside.
  ///
  /// - Parameters:
  ///   - columns: the columns of the part.
  ///   - rows: the rows of the part.
  /// - Returns: a canvas that is drawn in the same picture.
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

  /// Its first rows, and what is below them.
  func split(top rows: Int) -> (top: Canvas, rest: Canvas) {
    let parts = area.split(top: rows)
    return (Canvas(drawing, parts.top), Canvas(drawing, parts.rest))
  }

  /// Its last rows, and what is above them.
  func split(bottom rows: Int) -> (rest: Canvas, bottom: Canvas) {
    let parts = area.split(bottom: rows)
    return (Canvas(drawing, parts.rest), Canvas(drawing, parts.bottom))
  }

  /// Draws a border with a title and returns the room in it; without room for a border, all of it.
  func bordered(title: String, note: String = "", isFocused: Bool = false) -> Canvas {
    guard columns >= 12, rows >= 5 else { return self }
    let inside = Box(title: title, note: note, isFocused: isFocused)
      .draw(into: &drawing.buffer, in: area)
    return Canvas(drawing, inside)
  }
}
