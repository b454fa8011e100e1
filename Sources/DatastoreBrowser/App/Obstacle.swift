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

  /// The column under the cursor holds no values, but numbers of members.
  static let notGroupable = Obstacle {
    guard let column = $0.table?.currentColumn else { return "This table has no columns." }
    guard column.isToMany else { return nil }
    return "\(column.name) leads to many objects and makes no groups; s sorts by their number."
  }

  static let noSections = Obstacle {
    guard $0.table?.isGrouped != true else { return nil }
    return "There are no sections. Press g on a column to group by it."
  }

  static let nothingToFilterBy = Obstacle { state in
    switch state.focus {
    case .entities: "Go to a value in the table or in the details first."
    case .table where state.table?.currentLine == nil: "There is no row here."
    case .table:
      state.table?.currentColumn == nil ? "This table has no columns." : nil
    case .detail: state.detail.currentItem == nil ? "There is no value here." : nil
    }
  }

  static let noFilter = Obstacle {
    $0.table?.query.filter == nil ? "All rows are shown already." : nil
  }

  static let noWayBack = Obstacle {
    $0.history.isEmpty ? "There is no place to go back to." : nil
  }

  static let noWayForward = Obstacle {
    $0.future.isEmpty ? "There is no place to go forward to." : nil
  }

  static let nothingIsRead = Obstacle {
    $0.table?.phase == .reading || $0.table?.search?.isRunning == true || $0.importing.isRunning
      ? nil : "Nothing is being read."
  }

  static let noSummaryLine = Obstacle {
    let summary = $0.overlay(as: SummaryState.self)
    return summary?.selectedValue == nil && summary?.selectedInterval == nil
      ? "This line stands for no rows." : nil
  }

  static let nothingRecorded = Obstacle {
    if $0.macro.recording != nil { return "The keys are still being recorded." }
    return $0.macro.last.isEmpty ? "Nothing has been recorded yet." : nil
  }

  static let nothingToFollow = Obstacle { $0.reasonNotToFollow }
}
