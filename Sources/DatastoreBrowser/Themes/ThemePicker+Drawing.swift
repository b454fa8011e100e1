import TerminalUI

extension ThemePicker {
  /// Draws the list, and below it the details of the theme under the cursor.
  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let area = Self.area(in: buffer.size)
    let body = body(in: state)
    Box(title: "Themes", note: "enter keeps, esc restores the old one").cover(&buffer, in: area)
    guard let choices else {
      buffer.draw("reading…", in: body, role: .dim)
      return nil
    }
    guard !choices.isEmpty else {
      buffer.draw(
        wrapped: "No scheme files were found; --theme takes the path of one.", in: body, role: .dim)
      return nil
    }
    drawLines(into: &buffer, in: state) { index, buffer, line in
      draw(choices[index], into: &buffer, in: line)
    }
    drawFoot(into: &buffer, in: area.inset(horizontal: 2, vertical: 1).split(bottom: 3).bottom)
    return nil
  }

  private func draw(
    _ choice: ThemeChoice, into buffer: inout ScreenBuffer, in line: Rectangle
  ) {
    buffer.draw(choice.name, at: line.origin, width: max(0, line.columns - 12))
    let (kind, role): (String, StyleRole) =
      switch choice.theme {
      case .success(let theme): (theme.isDark ? "dark" : "light", .dim)
      case .failure: ("unusable", .error)
      }
    buffer.draw(
      kind, at: Position(column: line.right - 10, row: line.top), width: 10, role: role,
      alignment: .trailing)
  }

  /// Draws the scheme's name and author, or the fault of its file.
  private func drawFoot(into buffer: inout ScreenBuffer, in area: Rectangle) {
    let text: String
    if let fault {
      text = fault.description
    } else if let selected {
      text = selected.name + (selected.author.isEmpty ? "" : "\nby \(selected.author)")
    } else {
      return
    }
    buffer.draw(wrapped: text, in: area, role: fault == nil ? .dim : .error)
  }
}
