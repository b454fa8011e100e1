/// Which panels are shown beside the table, and how the user has divided the screen among them.
package struct Panes: Hashable, Sendable, Codable {
  /// Whether the list of entities is shown; nil where the screen has room to spare for it, and there are
  /// several.
  var entities: Bool? = true
  /// Whether the details are shown; nil where the screen has room to spare for them.
  var detail: Bool? = true
  /// Whether the panel with the focus has the whole screen to itself.
  var isZoomed = false
  /// Columns that the list of entities has more than it would have by itself; fewer when negative.
  var entityColumns = 0
  /// The same for the details where they are beside the table.
  var detailColumns = 0
  /// Rows that the details have more where they are below the table.
  var detailRows = 0

  /// The table comes first: the others are shown where there is room to spare, and have the screen to
  /// themselves while they have the focus elsewhere.
  package static let byRoom = Panes(entities: nil, detail: nil)
}
