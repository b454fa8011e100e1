import DatastoreExport
import TerminalUI

/// An overlay with one line of text input, in place of the status line.
protocol LineOverlay: Overlay {
  var field: TextField { get set }
  /// The fault of the typed text, shown below it; typing clears it.
  var fault: String? { get set }

  /// The prompt before the text: `Go to row number: `.
  func question(in state: BrowserState) -> String
  /// The placeholder while the line is empty.
  func placeholder(in state: BrowserState) -> String
}

extension LineOverlay {
  mutating func press(_ key: Key, in state: inout BrowserState) {
    if field.handle(key) { fault = nil }
  }

  mutating func paste(_ text: String, in state: inout BrowserState) {
    field.insert(text)
    fault = nil
  }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    if let fault {
      let below = state.layout.footer
      buffer.draw(" " + fault.withoutTerminalControls, in: below, role: .error)
    }
    return field.drawLine(
      into: &buffer, in: state.layout.status,
      asking: question(in: state).withoutTerminalControls,
      placeholder: placeholder(in: state))
  }
}
