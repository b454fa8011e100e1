import TerminalUI

/// An overlay with one line of text input that acts while the user types.
protocol FieldOverlay: Overlay {
  var field: TextField { get set }

  /// Called when the text has changed.
  mutating func textChanged(in state: inout BrowserState)
}

extension FieldOverlay {
  mutating func press(_ key: Key, in state: inout BrowserState) {
    let before = field.text
    if field.handle(key), field.text != before { textChanged(in: &state) }
  }

  mutating func paste(_ text: String, in state: inout BrowserState) {
    field.insert(text)
    textChanged(in: &state)
  }
}
