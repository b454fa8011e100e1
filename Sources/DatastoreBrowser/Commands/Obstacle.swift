import DatastoreCore

/// Something that keeps a command from being done now.
struct Obstacle: Sendable {
  /// A sentence about it, with what to do where there is something; nil when it is not there.
  let reason: @Sendable (BrowserState) -> String?

  /// Never in the way.
  static let none = Obstacle { _ in nil }

  static let noEntities = Obstacle { $0.schema.entities.isEmpty ? "This file has no tables." : nil }

  static let noTable = Obstacle { $0.table == nil ? "There is no table here." : nil }

  static let noRow = Obstacle { $0.table?.currentLine == nil ? "There is no row here." : nil }

  static let noColumn = Obstacle {
    $0.table?.currentColumn == nil ? "This table has no columns." : nil
  }

  static let noSections = Obstacle {
    guard $0.table?.isGrouped != true else { return nil }
    return "There are no sections. Press g on a column to group by it."
  }

  static let noFilter = Obstacle {
    $0.table?.query.filter == nil ? "All rows are shown already." : nil
  }

  static let noWayBack = Obstacle {
    $0.history.isEmpty ? "There is no place to go back to." : nil
  }

  static let nothingIsRead = Obstacle {
    $0.table?.phase == .reading ? nil : "Nothing is being read."
  }

  static let nothingRecorded = Obstacle {
    if $0.macro.recording != nil { return "The keys are still being recorded." }
    return $0.macro.last.isEmpty ? "Nothing has been recorded yet." : nil
  }

  static let nothingToFollow = Obstacle { $0.reasonNotToFollow }
}
