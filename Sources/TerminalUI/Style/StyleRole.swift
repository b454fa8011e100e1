/// The meaning of a cell. Cells carry roles, never colours: the `Theme` gives each role its style when the
/// screen is written, so a change of the theme is only a repaint.
package enum StyleRole: UInt8, Hashable, Sendable, CaseIterable {
  case text
  case dim
  case heading
  case columnHeader
  case sectionHeader
  /// The cursor row of the panel with the focus.
  case selection
  /// The cursor row of a panel without the focus.
  case selectionInactive
  /// The cell of the cursor row that commands act on.
  case cellCursor
  case border
  /// The border of the panel that has the focus.
  case focusedBorder
  case title
  case statusBar
  /// A key in the footer.
  case key
  /// The label of a key in the footer.
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
  /// The hint in an empty input.
  case placeholder
  /// The part of a text that a search found.
  case match
  /// The filled part of a progress bar.
  case progress
  /// The moving part of a scrollbar.
  case scrollThumb
}
