/// The features of the browser by their commands, in the order of the help.
///
/// A feature is a folder with its state, its commands, its effects and events, and its drawing. This list is
/// the only place outside the folder that names the feature.
extension CommandTable {
  static let standard = CommandTable(
    [
      Topic("The list of entities", entityCommands),
      Topic("The details", detailCommands),
      Topic("Rows and groups", tableCommands),
      Topic("Columns", columnCommands),
      Topic("Computed columns", derivedColumnCommands),
      Topic("JSON in columns", jsonCommands),
      Topic("What the file lacks", meaningCommands),
      Topic("Whole values", valueCommands),
      Topic("Finding rows", jumpCommands),
      Topic("Finding sections", sectionListCommands),
      Topic("Sections", sectionCommands),
      Topic("Totals and the order of sections", totalCommands),
      Topic("Views and tabs", viewCommands),
      Topic("Filters", filterCommands),
      Topic("Moving", movementCommands),
      Topic("Panels and places", panelCommands),
      Topic("Lists, lines and screens", overlayCommands),
      Topic("General", generalCommands),
      Topic("The first of two keys", keyHintCommands),
      Topic("Summaries", summaryCommands),
      Topic("Pivots", pivotCommands),
      Topic("The history of Core Data stores", storeHistoryCommands),
      Topic("The schema", schemaCommands),
      Topic("Changing the schema", schemaEditingCommands),
      Topic("Suggested relationships", suggestionCommands),
      Topic("Commands, messages and macros", paletteCommands),
      Topic("Sessions", sessionCommands),
      Topic("Themes", themeCommands),
      Topic("The line of a search", jumpLineCommands),
      Topic("The line of a filter", filterLineCommands),
      Topic("The form of a filter", filterFormCommands),
      Topic("Saved filters", filterListCommands),
      Topic("Changing objects", editingCommands),
      Topic("Saving and undoing", stagingCommands),
      Topic("Pasted rows", pasteCommands),
      Topic("Editors", editorCommands),
      Topic("Binary data", blobCommands),
      Topic("Members of relationships", memberCommands),
      Topic("Unsaved changes", reviewCommands),
      Topic("The history of changes", changesCommands),
      Topic("Conflicts", conflictCommands),
      Topic("Many rows at once", bulkCommands),
      Topic("Exporting and copying", exportCommands),
      Topic("SQL", consoleCommands),
      Topic("Importing", importCommands),
    ],
    others: [
      ImportPicker.scope, ChartGroupPicker.scope, DateGroupPicker.scope, NumberGroupPicker.scope,
      PivotPicker.scope, EntityPicker.scope, HiddenEntityPicker.scope, MenuScreen.scope,
      MeaningForm.scope, NumberFormatPrompt.scope, DerivedColumnPrompt.scope, CellEditor.scope,
      PathPrompt.scope,
      .filterValue, .savedFilters, .filterName, HelpState.scope, .helpSearch, .importName,
      RowNumberPrompt.scope, ViewNamePrompt.scope, LineSearchPrompt.scope, SchemaPrompt.scope,
      PaletteState.scope, ExportProgress.scope, ThemePicker.scope, MeaningList.scope, .filterChoice,
      ViewList.scope, ConflictScreen.scope, SchemaReview.scope,
    ])
}

extension Keymap {
  /// The keymap with the default keys.
  static let standard = Keymap(.standard)
}
