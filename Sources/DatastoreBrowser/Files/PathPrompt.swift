import DatastoreCore
import TerminalUI

/// A line for the path of a file, with completion by Tab.
struct PathPrompt: PathCompleting {
  /// The use of the file.
  struct Purpose: Sendable {
    /// The action, before “file”: `Save to`.
    let title: String
    /// The message for an empty path.
    let demand: String
    let accept: @Sendable (inout BrowserState, String) -> Void
  }

  static let scope = CommandScope(
    "path-prompt", title: "In the line for a path", traits: .line.union([.completes]),
    labels: ["accept": "accept"])
  let purpose: Purpose
  private(set) var field = TextField()
  /// A fault, or the possible completions of the path.
  private(set) var note: (text: String, role: StyleRole)?

  init(_ purpose: Purpose) {
    self.purpose = purpose
  }

  var typedPath: String? { field.text }

  func accept(_ state: inout BrowserState) { state.acceptPath() }

  mutating func press(_ key: Key, in state: inout BrowserState) {
    if field.handle(key) { note = nil }
  }

  mutating func paste(_ text: String, in state: inout BrowserState) {
    field.insert(text)
    note = nil
  }

  /// Applies the completion of the path, unless the path has changed since the request.
  mutating func apply(_ completion: PathCompletion, of path: String) {
    guard path == field.text else { return }
    field.setText(completion.path)
    note = completion.names.count > 1 ? (completion.names.joined(separator: "  "), .dim) : nil
  }

  mutating func fail(_ reason: String) {
    note = (reason, .error)
  }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let cursor = field.drawLine(
      into: &buffer, in: state.layout.status, asking: " \(purpose.title) file: ",
      placeholder: "a path; Tab completes it")
    if let note {
      let below = state.layout.footer
      buffer.draw(" " + note.text, in: below, role: note.role)
    }
    return cursor
  }
}

extension BrowserState {
  /// Performs the action with the file.
  fileprivate mutating func acceptPath() {
    guard let prompt = overlay(as: PathPrompt.self) else { return }
    let path = prompt.field.text
    guard !path.isEmpty else {
      changeOverlay(as: PathPrompt.self) { $0.fail(prompt.purpose.demand) }
      return
    }
    prompt.purpose.accept(&self, path)
  }
}
