import TerminalUI

/// The line above the status line: the unsaved changes, and buttons for them.
struct Toolbar {
  /// A command as a button.
  struct Button: Hashable {
    let command: String
    let key: String
    let label: String
    let isEnabled: Bool
    let columns: Range<Int>
  }

  let text: String
  let isDirty: Bool
  let buttons: [Button]

  private static let commands = ["save", "revert", "undo", "redo", "review"]

  init(_ state: BrowserState, width: Int, isUnicode: Bool) {
    let marks = state.editing.marks
    isDirty = !marks.isEmpty
    let lamp = isUnicode ? (isDirty ? "●" : "○") : (isDirty ? "*" : "o")
    text = " \(lamp) \(state.unsavedNote ?? "no unsaved changes")"
    var column = text.displayWidth() + 3
    var buttons: [Button] = []
    for name in Self.commands {
      guard let command = state.keymap.commands.named(name),
        let key = state.keymap.hint(of: command)
      else {
        continue
      }
      let shown = key.hasPrefix("ctrl-") ? "^" + key.dropFirst("ctrl-".count).uppercased() : key
      let length = shown.displayWidth() + 1 + command.label.displayWidth()
      guard column + length <= width else { break }
      buttons.append(
        Button(
          command: name, key: shown, label: command.label,
          isEnabled: command.reasonIfDisabled(state) == nil, columns: column..<(column + length)))
      column += length + 2
    }
    self.buttons = buttons
  }

  func draw(into buffer: inout ScreenBuffer, in area: Rectangle) {
    buffer.draw(text, in: area, role: isDirty ? .changed : .dim)
    for button in buttons {
      let place = Position(column: area.left + button.columns.lowerBound, row: area.top)
      let used = buffer.draw(button.key, at: place, role: button.isEnabled ? .key : .dim)
      buffer.draw(
        button.label, at: Position(column: place.column + used + 1, row: place.row),
        role: button.isEnabled ? .keyLabel : .dim)
    }
  }
}

extension BrowserState {
  /// The unsaved changes, or why the store is read-only; nil if everything is saved.
  var unsavedNote: String? {
    if editing.isSaving { return "saving… esc stops it" }
    if let note = editing.access.note { return note }
    if !editing.marks.isEmpty { return editing.marks.description }
    return sourceFiles.behind.isEmpty ? nil : "the file lacks changes"
  }
}
