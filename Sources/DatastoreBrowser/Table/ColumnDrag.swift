/// A column border that the mouse is dragging.
struct ColumnDrag: Hashable, Sendable {
  /// The index of the column left of the border.
  var column: Int
  /// The column of the screen where the button was pressed.
  var start: Int
  /// The width of the column when the button was pressed.
  var width: Int
}
