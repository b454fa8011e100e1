import DatastoreCore
import TerminalUI

/// Moving from field to field while editing.
extension BrowserState {
  /// Stages the value of the editor, and opens the editor of the next editable property.
  mutating func acceptAndEdit(by step: Int) {
    let editor = overlay(as: CellEditor.self)
    let isOfMany =
      (editor?.subject ?? overlay(as: ValuePicker.self)?.subject
      ?? overlay(as: ObjectPicker.self)?.subject)?.bulk != nil
    overlays.last?.accept(&self)
    // A fault is shown where the value was typed; a change of many objects is shown before anything else.
    guard overlays.isEmpty, !isOfMany else { return }
    guard goToEditable(by: step) else {
      return tell(step > 0 ? "This was the last property." : "This was the first property.", .note)
    }
    beginEdit()
  }

  /// Puts the cursor on the next editable property; false if there is none.
  private mutating func goToEditable(by step: Int) -> Bool {
    let before = self
    switch focus {
    case .entities: return false
    case .table:
      guard var place = table.flatMap({ $0.arrangement.position(of: $0.column) }),
        let shown = table?.arrangement.shown
      else { return false }
      while true {
        place += step
        guard shown.indices.contains(place) else { break }
        table?.column = shown[place]
        guard let column = table?.currentColumn, !column.isToMany else { continue }
        if DisabledReason.cannotEdit.reason(self) == nil { return true }
      }
    case .detail:
      let items = detail.items
      while true {
        detail.cursor += step
        guard items.indices.contains(detail.cursor) else { break }
        guard case .field = items[detail.cursor], detail.currentField?.content != nil else {
          continue
        }
        if DisabledReason.cannotEdit.reason(self) == nil {
          settleDetail()
          return true
        }
      }
    }
    self = before
    return false
  }
}
