import DatastoreCore
import TerminalUI

extension CommandTable {
  /// Saying what the file itself does not say.
  static let annotationCommands: [Command] =
    [
      Command(
        "dates", keys: ["%"], label: "dates",
        help: "Set how this column stores dates, such as Unix milliseconds, or that it holds none.",
        in: [.table], unless: .noForeignColumn
      ) { $0.openDates() },
      picking(
        "choose-dates", label: "use", "Show the column this way, and remember it.",
        in: [.dates]),
      closing(
        "close-dates", "Leave the column as it is.", in: [.dates], label: "cancel", hintRank: 2),
    ] + moving("dates", "in the list of date formats", in: [.dates])

  /// What can be done in the list of what puts dates together.
  static let dateGroupCommands: [Command] =
    [
      picking(
        "choose-date-groups", label: "group", "Group the rows by this.", in: [.dateGroups]),
      closing(
        "close-date-groups", "Group by nothing.", in: [.dateGroups], label: "cancel", hintRank: 2),
    ] + moving("date-group", "in the list of groups of dates", in: [.dateGroups])
}

extension DisabledReason {
  /// Something about a column can be said only where the file leaves it open.
  static let noForeignColumn = DisabledReason { state in
    guard state.table?.currentColumn != nil else { return "This table has no columns." }
    guard let attribute = state.attributeUnderCursor else { return "This is a relationship." }
    return attribute.declaredType == nil
      ? "This store declares which of its columns hold dates." : nil
  }
}
