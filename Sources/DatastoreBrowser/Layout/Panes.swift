/// The panels shown beside the table, and the sizes that the user has given them.
package struct Panes: Hashable, Sendable, Codable {
  /// Whether the list of entities is shown; nil to show it if there are several entities and the screen has
  /// room to spare.
  var entities: Bool? = true
  /// Whether the details are shown; nil to show them if the screen has room to spare.
  var detail: Bool? = true
  /// Whether the panel with the focus has the whole screen.
  var isZoomed = false
  /// The columns added to the default width of the list of entities; negative to make it narrower.
  var entityColumns = 0
  /// The columns added to the default width of the details beside the table.
  var detailColumns = 0
  /// The rows added to the default height of the details below the table.
  var detailRows = 0

  /// The table comes first. The other panels are shown beside it if the screen has room to spare, and
  /// otherwise alone while they have the focus.
  package static let byRoom = Panes(entities: nil, detail: nil)
}
