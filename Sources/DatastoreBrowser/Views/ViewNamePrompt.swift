import TerminalUI

/// The line that asks for the name of a view.
struct ViewNamePrompt: LineOverlay {
  static let scope = CommandScope(
    "view-name", title: "In the line for the name of a view", traits: .line,
    labels: ["accept": "save"])
  var field = TextField()
  var fault: String?

  func question(in state: BrowserState) -> String { "Save this view as: " }
  func placeholder(in state: BrowserState) -> String { "a name" }
  func accept(_ state: inout BrowserState) { state.acceptViewName() }
}

extension BrowserState {
  /// Saves the view under the typed name.
  fileprivate mutating func acceptViewName() {
    guard let prompt = overlay(as: ViewNamePrompt.self) else { return }
    let words = prompt.field.text.split(whereSeparator: \.isWhitespace)
    guard !words.isEmpty else {
      return changeOverlay(as: ViewNamePrompt.self) { $0.fault = "Type a name first." }
    }
    closeOverlay()
    saveView(as: words.joined(separator: " "))
  }
}
