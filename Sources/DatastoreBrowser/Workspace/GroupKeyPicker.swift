import DatastoreCore
import TerminalUI

/// A list of the ways to group rows by a column; the identifiers of its lines are paths of group keys.
protocol GroupKeyPicker: PickListOverlay where ID == [String] {
  /// The column whose rows are grouped.
  var column: String { get }
}

extension GroupKeyPicker {
  func picked(_ path: [String], in state: inout BrowserState) { state.group(by: path) }

  var title: String { "Group \(column)" }
}
