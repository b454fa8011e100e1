/// Which panels are shown, and how the user has divided the screen among them.
struct Panes: Hashable, Sendable, Codable {
  var showsEntities = true
  var showsDetail = true
  /// Whether the panel with the focus has the whole screen to itself.
  var isZoomed = false
  /// Columns that the list of entities has more than it would have by itself; fewer when negative.
  var entityColumns = 0
  /// The same for the details where they are beside the table.
  var detailColumns = 0
  /// Rows that the details have more where they are below the table.
  var detailRows = 0
}
