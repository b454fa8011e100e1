/// A line of text, with a note at its right end. What does not fit is cut off.
public struct Line: Widget {
  private let text: String
  private let note: String
  private let role: TextRole

  /// Makes a line.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - note: a text at the right end, dim; empty for none.
  ///   - role: what the text means.
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
