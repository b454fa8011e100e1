/// The features of the browser, by their commands, in the order of the help.
///
/// A feature is a folder: its state, its commands, its effects and events, its drawing. This list is the
/// one place outside of the folder that names it.
extension CommandTable {
  static let standard = CommandTable(
    [
      entityCommands,
      detailCommands,
      tableCommands,
      columnCommands,
      annotationCommands,
      valueCommands,
      lineSearchCommands,
      jumpCommands,
      sectionListCommands,
      sectionCommands,
      filterCommands,
      movementCommands,
      panelCommands,
      generalCommands,
      summaryCommands,
      chartGroupCommands,
      dateGroupCommands,
      schemaCommands,
      suggestionCommands,
      paletteCommands,
      themeCommands,
      overlayCommands,
      columnScreenCommands,
      jumpLineCommands,
      sectionLineCommands,
      filterLineCommands,
      filterFormCommands,
      filterValueCommands,
      filterListCommands,
      editingCommands,
      stagingCommands,
      editorCommands,
      pickerCommands,
      blobCommands,
      memberCommands,
      reviewCommands,
      conflictCommands,
      bulkCommands,
      exportCommands,
      consoleCommands,
      importCommands,
    ], others: [.importPicker])
}

extension Keymap {
  /// The keys as the commands themselves say.
  static let standard = Keymap(.standard)
}
