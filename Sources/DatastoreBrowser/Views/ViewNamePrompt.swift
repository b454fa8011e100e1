import TerminalUI

/// The line in which the name of a view is typed.
struct ViewNamePrompt: Overlay {
  var scope: CommandScope { .viewName }
  private(set) var field = TextField()

  mutating func press(_ key: Key, in state: inout BrowserState) {
    _ = field.handle(key)
  }

  mutating func paste(_ text: String, in state: inout BrowserState) {
    field.insert(text)
  }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    field.drawLine(
      into: &buffer, in: state.layout.status, asking: "Save this view as: ", placeholder: "a name")
  }
}

extension BrowserState {
  /// Saves the view under the name that was typed.
  mutating func acceptViewName() {
    guard let prompt = overlay(as: ViewNamePrompt.self) else { return }
    let words = prompt.field.text.split(whereSeparator: \.isWhitespace)
    guard !words.isEmpty else {
      message = Message(text: "Type a name first.", severity: .warning)
      return
    }
    closeOverlay()
    saveView(as: words.joined(separator: " "))
  }
}

extension CommandScope {
  static let viewName = CommandScope("view-name", title: "In the line for the name of a view")
}
