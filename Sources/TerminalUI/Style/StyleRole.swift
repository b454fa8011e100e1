/// What a drawn cell means. Cells carry roles, never colours: the `Theme` gives each role its
/// look when the screen is written, so changing the theme is only a repaint.
package enum StyleRole: UInt8, Hashable, Sendable, CaseIterable {
  case text
  case dim
  case heading
  case columnHeader
  case sectionHeader
  /// Under the cursor in the panel that has the focus.
  case selection
  /// Under the cursor in a panel without the focus.
  case selectionInactive
  /// The one cell of that row that commands act on.
  case cellCursor
  case border
  /// The border of the panel that has the focus.
  case focusedBorder
  case title
  case statusBar
  /// A key in the footer.
  case key
  /// What that key does.
  case keyLabel
  case null
  case number
  case string
  case date
  case boolean
  case blob
  case relationship
  case changed
  case inserted
  case deleted
  case warning
  case error
  case success
  /// Text being edited.
  case input
  /// What an empty input asks for.
  case placeholder
  /// The part of a text that a search found.
  case match
  /// The filled part of a progress bar.
  case progress
  /// The moving part of a scrollbar.
  case scrollThumb
}
