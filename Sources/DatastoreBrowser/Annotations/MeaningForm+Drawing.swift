import DatastoreCore
import TerminalUI

extension MeaningForm {
  /// The rows for choices on a screen with room for them.
  private static let choiceRows = 11

  static func area(in size: Size) -> Rectangle {
    size.box(columns: 78, rows: Line.allCases.count + choiceRows + 5)
  }

  /// The areas of the lines, of the choices below them, and of the sentence at the end.
  static func parts(in size: Size) -> (lines: Rectangle, choices: Rectangle, note: Rectangle) {
    let inside = area(in: size).inset(horizontal: 2, vertical: 1)
    let (rest, note) = inside.split(bottom: 2)
    let (lines, below) = rest.split(top: Line.allCases.count)
    return (lines, below.split(top: 1).rest, note)
  }

  /// The lines on the screen, including the cursor's.
  func visibleLines(in area: Rectangle) -> Range<Int> {
    Self.visible(cursor, of: entries.count, in: area)
  }

  /// The choices on the screen, including the marked one.
  func visibleChoices(in area: Rectangle) -> Range<Int> {
    Self.visible(marked ?? 0, of: choices.count, in: area)
  }

  private static func visible(_ cursor: Int, of count: Int, in area: Rectangle) -> Range<Int> {
    let first = ScrollState.firstVisible(
      cursor: cursor, count: count, height: area.rows, previous: 0)
    return first..<min(count, first + area.rows)
  }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    Box(title: "Meaning of \(entity.name).\(name)", note: "enter applies, esc cancels")
      .cover(&buffer, in: Self.area(in: buffer.size))
    let parts = Self.parts(in: buffer.size)
    var place: Position?
    for (row, index) in visibleLines(in: parts.lines).enumerated() {
      if let position = draw(line: index, into: &buffer, in: parts.lines.row(row)) {
        place = position
      }
    }
    drawChoices(into: &buffer, in: parts.choices)
    let warning = fault ?? current.reason
    buffer.draw(
      wrapped: warning ?? help, in: parts.note,
      role: fault != nil ? .error : warning != nil ? .warning : .dim)
    return place
  }

  /// Draws a line; returns the position of the terminal's cursor if it is there.
  private func draw(
    line index: Int, into buffer: inout ScreenBuffer, in place: Rectangle
  ) -> Position? {
    let entry = entries[index]
    let isCurrent = index == cursor
    let tracks = place.sideBySide([.fixed(1), .fixed(9), .share()], spacing: 1)
    buffer.draw(isCurrent ? ">" : " ", in: tracks[0], role: .key)
    buffer.draw(entry.line.title, in: tracks[1], role: entry.reason == nil ? .key : .dim)
    guard !isCurrent || entry.reason != nil else {
      // Drawing scrolls the field sideways; only keys change the stored state.
      var field = entry.field
      return field.draw(into: &buffer, in: tracks[2], placeholder: entry.otherwise)
    }
    let isEmpty = entry.text.isEmpty
    buffer.draw(
      entry.reason ?? (isEmpty ? entry.otherwise : entry.text), in: tracks[2],
      role: entry.reason != nil ? .dim : isEmpty ? .placeholder : .text)
    return nil
  }

  private func drawChoices(into buffer: inout ScreenBuffer, in area: Rectangle) {
    let choices = choices
    let visible = visibleChoices(in: area)
    for (row, index) in visible.enumerated() {
      let line = area.row(row)
      let tracks = line.sideBySide(
        [.fixed(2), .share(minimum: 20, maximum: 40), .share()], spacing: 1)
      buffer.draw(choices[index].text, in: tracks[1], role: .text)
      buffer.draw(choices[index].note, in: tracks[2], role: .dim)
      if index == marked { buffer.highlight(line, as: .selection) }
    }
    Scrollbar(count: choices.count, visible: visible).draw(
      into: &buffer, beside: area, column: area.right + 1)
  }

  /// A sentence about the line under the cursor.
  private var help: String {
    switch current.line {
    case .type: "The type to read the values as. What is stored keeps its kind."
    case .dates: "How the column stores dates. They are shown in UTC."
    case .unit: "The unit of the numbers, such as kg; it stands beside the name of the column."
    case .refers: "The column that this one refers to, as if a foreign key declared it."
    case .names: "The properties that name the objects of \(entity.name): “name, surname”."
    case .shown: "Whether the table shows the column. + lists all columns."
    }
  }
}

extension MeaningForm.Line {
  fileprivate var title: String {
    switch self {
    case .type: "Type"
    case .dates: "Dates"
    case .unit: "Unit"
    case .refers: "Refers to"
    case .names: "Named by"
    case .shown: "Shown"
    }
  }
}
