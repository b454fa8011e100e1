import TerminalUI

extension ReviewedObject {
  /// Draws the sign and the title of the object, followed by a text.
  func draw(_ what: String, into buffer: inout ScreenBuffer, in line: Rectangle) {
    let used = buffer.draw(mark.sign + " ", at: line.origin, role: mark.role)
    buffer.draw(title + what, in: line.split(left: used).rest, role: .heading)
  }
}

extension ReviewedObject.Change {
  /// Draws the property with its old and its new value.
  func draw(_ marks: Marks, into buffer: inout ScreenBuffer, in line: Rectangle) {
    let name = min(20, line.columns / 4)
    let value = (line.columns - name - 9) / 2
    var column = line.left + 4
    buffer.draw(property, at: Position(column: column, row: line.top), width: name)
    column += name + 1
    let old = self.old.shown(marks)
    let used = buffer.draw(
      old.text, at: Position(column: column, row: line.top), width: value, role: old.role)
    if let theirs = theirs?.shown(marks).text {
      buffer.draw(
        " ! now \(theirs)", at: Position(column: column + used, row: line.top),
        width: value - used, role: .error)
    }
    column += value + 1
    buffer.draw(marks.leadsTo, at: Position(column: column, row: line.top), role: .dim)
    column += 3
    let new = self.new.shown(marks)
    buffer.draw(
      new.text, at: Position(column: column, row: line.top),
      width: max(0, line.right - column), role: self.new.kind == .value ? .changed : new.role,
      truncation: self.new.truncation)
  }
}
