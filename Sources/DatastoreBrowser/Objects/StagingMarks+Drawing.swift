import DatastoreCore
import TerminalUI

extension StagingMarks.Mark {
  /// The sign before a changed value.
  func sign(at slot: Slot) -> String { conflictingSlots.contains(slot) ? "!" : "*" }

  func role(at slot: Slot) -> StyleRole { conflictingSlots.contains(slot) ? .error : .changed }

  /// The style of the sign.
  var role: StyleRole {
    if isInConflict { return .error }
    return switch kind {
    case .inserted: .inserted
    case .updated: .changed
    case .deleted: .deleted
    }
  }
}
