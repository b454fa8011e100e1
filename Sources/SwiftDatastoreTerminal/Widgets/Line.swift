/// A line of text with an optional note at its right end. Text that does not fit is cut off.
public struct Line: Widget {
  private let text: String
  private let note: String
  private let role: TextRole

  /// Creates a line.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - note: a dim text at the right end; empty for none.
  ///   - role: the meaning of the text.
  public init(_ text: String, note: String = "", role: TextRole = .text) {
    self.text = text
    self.note = note
    self.role = role
  }

  public func height(columns: Int) -> Int? { 1 }

  public func draw(in canvas: Canvas) {
    canvas.draw(text, width: canvas.columns, role: role)
    let width = min(note.count, canvas.columns / 2)
    if width > 0 {
      canvas.draw(
        " " + note, column: canvas.columns - width - 1, width: width + 1, role: .dim,
        isTrailing: true)
    }
  }
}
