import DatastoreCore
import TerminalUI

/// A list of the named views, to show or delete one.
struct ViewList: PickListOverlay {
  static let scope = CommandScope(
    "views", title: "In the list of saved views", traits: .picks.union([.deletesSaved]))
  var list = PickList<String>()
  /// The view that is deleted if its key is pressed again.
  private var isToBeDeleted: String?

  init(_ memory: ViewMemory) {
    show(memory)
  }

  /// Shows the current views.
  mutating func show(_ memory: ViewMemory) {
    list.setItems(
      memory.names.map { name in
        PickList.Item(name, text: name, note: memory.named[name].map(Self.remark) ?? "")
      })
    list.notice = "There are no saved views. “:save-view NAME” saves the one that is shown."
  }

  private static func remark(on view: KeptView) -> String {
    var parts = [view.sql.map { "SQL: \($0)" } ?? view.entity]
    if !view.filter.isEmpty { parts.append("where \(view.filter)") }
    if let path = view.groupBy { parts.append("by \(GroupTitle(path))") }
    return parts.joined(separator: " ")
  }

  mutating func cursorMoved() { isToBeDeleted = nil }
  mutating func searchChanged(in state: BrowserState) { isToBeDeleted = nil }

  /// Returns the view to delete, on the second request.
  mutating func delete() -> String? {
    guard let name = list.current?.id else { return nil }
    guard isToBeDeleted == name else {
      isToBeDeleted = name
      return nil
    }
    isToBeDeleted = nil
    return name
  }

  var width: Int { 76 }

  func deleteSaved(_ state: inout BrowserState) { state.deleteListedView() }

  func picked(_ name: String, in state: inout BrowserState) { state.openView(name) }

  var title: String { "Saved views" }
  var note: String { isToBeDeleted.map { "press again to delete “\($0)”" } ?? "" }
}

extension BrowserState {
  /// Deletes the view under the cursor of the list, on the second request.
  mutating func deleteListedView() {
    var deleted: String?
    changeOverlay(as: ViewList.self) { deleted = $0.delete() }
    guard let deleted else { return }
    viewMemory.delete(deleted)
    let memory = viewMemory
    changeOverlay(as: ViewList.self) { $0.show(memory) }
  }
}
