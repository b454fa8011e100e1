import DatastoreCore
import TerminalUI

/// A line for the path of a file, with completion by Tab.
struct PathPrompt: Overlay {
  /// What is done with the file.
  enum Purpose: Hashable, Sendable {
    /// The bytes of a property are written to it.
    case saveValue(EditSubject)
    /// Its bytes become the value of a property.
    case loadValue(EditSubject)
    /// Its rows are imported.
    case importRows

    var title: String {
      switch self {
      case .saveValue: "Save to"
      case .loadValue: "Load from"
      case .importRows: "Import"
      }
    }

    /// What is said when there is no path.
    fileprivate var demand: String {
      switch self {
      case .saveValue, .loadValue: "Type the path of a file."
      case .importRows: "Type the path of a CSV, TSV, JSON or JSON Lines file."
      }
    }
  }

  var scope: CommandScope { .pathPrompt }
  let purpose: Purpose
  private(set) var field = TextField()
  /// What is wrong, or the names that would complete the path.
  private(set) var note: (text: String, role: StyleRole)?

  init(_ purpose: Purpose) {
    self.purpose = purpose
  }

  mutating func press(_ key: Key, in state: inout BrowserState) -> [Effect] {
    if field.handle(key) { note = nil }
    return []
  }

  mutating func paste(_ text: String, in state: inout BrowserState) -> [Effect] {
    field.insert(text)
    note = nil
    return []
  }

  /// Takes the completion of the path, if it has not been changed since it was asked for.
  mutating func take(_ completion: PathCompletion, of path: String) {
    guard path == field.text else { return }
    field.setText(completion.path)
    note = completion.names.count > 1 ? (completion.names.joined(separator: "  "), .dim) : nil
  }

  mutating func fail(_ reason: String) {
    note = (reason, .error)
  }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let line = state.layout.status
    buffer.draw("", at: line.origin, width: line.columns)
    let used = buffer.draw(" \(purpose.title) file: ", at: line.origin, role: .key)
    var field = field
    let cursor = field.draw(
      into: &buffer, at: Position(column: line.left + used, row: line.top),
      width: max(0, line.columns - used), placeholder: "a path; Tab completes it")
    if let note {
      let below = state.layout.footer
      buffer.draw(" " + note.text, at: below.origin, width: below.columns, role: note.role)
    }
    return cursor
  }
}

/// How a path can go on.
struct PathCompletion: Hashable, Sendable {
  /// The path with everything that all names have in common.
  var path: String
  /// The names that it can become.
  var names: [String]
}

extension BrowserState {
  /// Asks for the file that the bytes in the editor are written to, or that they come from.
  mutating func openPathPrompt(_ purpose: (EditSubject) -> PathPrompt.Purpose) -> [Effect] {
    guard let editor = overlay(as: BlobEditor.self) else { return [] }
    open(PathPrompt(purpose(editor.subject)))
    return []
  }

  /// Does with the file what it was asked for.
  mutating func acceptPath() -> [Effect] {
    guard let prompt = overlay(as: PathPrompt.self) else { return [] }
    let path = prompt.field.text
    guard !path.isEmpty else {
      changeOverlay(as: PathPrompt.self) { $0.fail(prompt.purpose.demand) }
      return []
    }
    switch prompt.purpose {
    case .saveValue(let subject):
      return [.saveValue(subject.target, path: path, replacing: false)]
    case .loadValue(let subject):
      let isText = subject.property.attribute.map { $0.type == .string } ?? false
      return [.loadValue(subject.target, path: path, asText: isText)]
    case .importRows:
      closeOverlay()
      return openImport(path)
    }
  }
}
