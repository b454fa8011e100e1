import DatastoreCore

/// Why a command is disabled, if it is.
struct DisabledReason: Sendable {
  /// A sentence with what to do about it; nil while the command is enabled.
  let reason: @Sendable (BrowserState) -> String?

  /// Never disabled.
  static let none = DisabledReason { _ in nil }

  static let noEntities = DisabledReason {
    $0.schema.entities.isEmpty ? "This file has no tables." : nil
  }

  static let noTable = DisabledReason { $0.table == nil ? "There is no table here." : nil }

  static let noRow = DisabledReason { $0.table?.currentLine == nil ? "There is no row here." : nil }

  static let noColumn = DisabledReason {
    $0.table?.currentColumn == nil ? "This table has no columns." : nil
  }

  /// The column under the cursor has no values of its own, only counts of members.
  static let notGroupable = DisabledReason {
    guard let column = $0.table?.currentColumn else { return "This table has no columns." }
    guard column.isToMany else { return nil }
    return
      "\(column.name) leads to many objects and makes no groups; s sorts by their number."
  }

  static let noSections = DisabledReason {
    guard $0.table?.isGrouped != true else { return nil }
    return "There are no sections. Press gb on a column to group by it."
  }

  static let nothingToFilterBy = DisabledReason { state in
    switch state.focus {
    case .entities: "Go to a value in the table or in the details first."
    case .table where state.table?.currentLine == nil: "There is no row here."
    case .table:
      state.table?.currentColumn == nil ? "This table has no columns." : nil
    case .detail: state.detail.currentItem == nil ? "There is no value here." : nil
    }
  }

  static let noFilter = DisabledReason {
    $0.table?.query.filter == nil ? "All rows are shown already." : nil
  }

  static let noHistory = DisabledReason {
    $0.history.isEmpty && !$0.isAboveAnother ? "There is no place to go back to." : nil
  }

  static let noForwardHistory = DisabledReason {
    $0.forwardHistory.isEmpty ? "There is no place to go forward to." : nil
  }
}
