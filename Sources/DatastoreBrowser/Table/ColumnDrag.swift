/// A column's border that the mouse has taken hold of.
struct ColumnDrag: Hashable, Sendable {
  /// The index of the column left of the border.
  var column: Int
  /// Where the button went down: a column of the screen.
  var start: Int
  /// The width of the column then.
  var width: Int
}
