import DatastoreCore
import Foundation
import TerminalUI

/// The actions on a value of bytes, which cannot be typed in a line.
struct BlobEditor: Overlay {
  static let scope = CommandScope(
    "blob-editor", title: "With a value of bytes", traits: [.closes], labels: ["close": "cancel"])
  let subject: EditSubject

  init(_ subject: EditSubject) {
    self.subject = subject
  }

  /// The bytes as text; nil if they are not text, or too many to edit.
  var text: String? {
    guard case .blob(let data) = subject.value, data.count <= 1_000_000 else { return nil }
    return String(validating: data, as: UTF8.self)
  }

  private var description: String {
    switch subject.value {
    case .blob(let data): BlobText(data).description
    default: "NULL"
    }
  }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let hints = state.keymap.commands.commands(in: scope).compactMap { command in
      command.reasonIfDisabled(state) == nil
        ? command.keys.first.map {
          Footer.Hint(key: $0.description, label: scope.label(of: command))
        } : nil
    }
    Modal(title: subject.name, message: description, hints: hints).draw(
      into: &buffer, in: Rectangle(buffer.size).inset(horizontal: 2, vertical: 1), maximum: 76)
    return nil
  }
}
