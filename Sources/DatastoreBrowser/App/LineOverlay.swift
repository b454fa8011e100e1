import DatastoreExport
import TerminalUI

/// An overlay that is one line in which something is typed, in place of the status line.
protocol LineOverlay: Overlay {
  var field: TextField { get set }
  /// What is wrong with what was typed, said below it; typing forgets it.
  var fault: String? { get set }

  /// What is asked before the text: `Go to row number: `.
  func question(in state: BrowserState) -> String
  /// What is shown where nothing was typed.
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
      buffer.draw(
        " " + fault.withoutTerminalControls, at: below.origin, width: below.columns, role: .error)
    }
    return field.drawLine(
      into: &buffer, in: state.layout.status,
      asking: question(in: state).withoutTerminalControls,
      placeholder: placeholder(in: state))
  }
}
