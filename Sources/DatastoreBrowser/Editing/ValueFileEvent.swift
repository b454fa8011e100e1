import Basics
import DatastoreCore
import TerminalUI

/// The result of an action on the file of a value.
enum ValueFileEvent: BrowserEvent {
  case exists(EditTarget, String)
  case saved(String, count: Int)
  case loaded(String)
  case failed(String)

  func apply(to state: inout BrowserState) {
    switch self {
    case .failed(let reason):
      if state.overlay(as: PathPrompt.self) != nil {
        state.changeOverlay(as: PathPrompt.self) { $0.fail(reason) }
      } else {
        state.tell(reason, .error)
      }
    case .exists(let target, let path):
      state.ask(
        title: "Save to file", message: "\(path) already exists. Replace it?",
        role: .warning, "replace", else: "keep it"
      ) {
        $0.request(.saveValue(target, path: path, replacing: true))
      }
    case .saved(let path, let count):
      state.closeFileOverlays()
      state.tell("Wrote \(CountText.bytes(count)) to \(path).", .success)
    case .loaded(let path):
      state.closeFileOverlays()
      state.tell("Read \(path).", .success)
    }
  }
}

extension PathPrompt.Purpose {
  /// Write the bytes of a property to the file.
  static func saveValue(_ subject: EditSubject) -> PathPrompt.Purpose {
    PathPrompt.Purpose(title: "Save to", demand: "Type the path of a file.") { state, path in
      state.request(.saveValue(subject.target, path: path, replacing: false))
    }
  }

  /// Make the bytes of the file the value of a property.
  static func loadValue(_ subject: EditSubject) -> PathPrompt.Purpose {
    PathPrompt.Purpose(title: "Load from", demand: "Type the path of a file.") { state, path in
      let isText = subject.property.attribute.map { $0.type == .string } ?? false
      state.request(.loadValue(subject.target, path: path, asText: isText))
    }
  }
}

extension BrowserState {
  /// Asks for the file to write the bytes in the editor to, or to read them from.
  mutating func openPathPrompt(_ purpose: (EditSubject) -> PathPrompt.Purpose) {
    guard let editor = overlay(as: BlobEditor.self) else { return }
    open(PathPrompt(purpose(editor.subject)))
  }

  fileprivate mutating func closeFileOverlays() {
    if overlay(as: PathPrompt.self) != nil, overlays.dropLast().last is BlobEditor {
      closeOverlay()
    }
    if overlays.last is BlobEditor { closeOverlay() }
  }
}
