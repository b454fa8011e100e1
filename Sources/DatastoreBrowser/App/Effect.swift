import DatastoreCore
import TerminalUI

/// What `BrowserState.update` asks for: everything that is slow or reaches outside.
///
/// Each effect is carried out off the main thread as far as it waits, and its result comes back as
/// a `BrowserEvent`.
enum Effect: Hashable, Sendable {
  /// Read the list of a query; ends the list before it.
  case fetch(Int, TableQuery)
  /// End the running fetch.
  case stopFetching
  case loadRows(fetch: Int, entity: Int, keys: [Int64])
  case loadNames(entity: Int, keys: [Int64])
  case count(entity: Int)
  /// Show this object in the detail pane and follow its changes; nil for none.
  case watch(ObjectReference?)
  case loadMembers(ObjectReference, slot: Int)
  /// Read the scheme files of the theme folders.
  case listThemes
  /// Show everything in this look.
  case useTheme(Theme)
  /// Compute a summary of a column; ends the one before.
  case summarize(SummaryRequest)
  case stopSummarizing
  /// Press keys, each when everything before it is done.
  case replay([Key])
  case suspend
  case quit

  // The table's columns.
  /// Count the members of a to-many relationship of rows.
  case loadCounts(fetch: Int, entity: Int, slot: Int, keys: [Int64])
  /// Read which objects a relationship without an inverse leads to, to open them as a table.
  case loadMemberKeys(ObjectReference, slot: Int)
  /// Keep what was decided about an entity's columns for the next time.
  case keepColumns(entity: String, ColumnSettings)
  /// Write the whole screen again.
  case redraw

  // Finding rows, and looking at one value.
  /// Look for a text in a column; ends the search before.
  case search(SearchRequest)
  case stopSearching
  /// Read a value and lay it out in lines.
  case layOutValue(ValueRequest)

  // Sparklines.
  /// Compute how numbers are spread in some sections; ends what was computed before.
  case computeSparks(SectionSparks.Request)
  case stopSparks

  // Schema.
  /// Read the indexes of the file and lay the schema out.
  case readSchema

  // Filter.
  case filter(FilterEffect)

  // Editing.
  case stage(StagingStep)
  /// Make a property ready to be edited, of one object or of many.
  case beginEdit(EditTarget, BulkTarget?)
  /// Find the values that occur in a column, if they are few.
  case findValues(EditTarget)
  case planDeletion([ObjectReference])
  /// Find the selected rows again, which somebody else may have moved.
  case findSelection([ObjectReference])
  case save
  /// Gives up what is being saved, or written to many objects.
  case stopSaving
  /// Settle conflicts as they were chosen, and save then.
  case settle([Settlement], saves: Bool)
  case review
  case searchObjects(Int, entity: Int, String)
  /// Give the screen to the user's own editor.
  case editExternally(EditSubject, String)
  case completePath(String)
  case saveValue(EditTarget, path: String, replacing: Bool)
  case loadValue(EditTarget, path: String, asText: Bool)
  case planUpdate(BulkTarget, slot: Int, Value)
  /// Change or delete in the store and at once what meets a condition.
  case writeUpdate(entity: Int, Predicate?, slot: Int, Value)
  case writeDeletion(entity: Int, Predicate?)
  case findRecovery
  case restoreRecovery(String)
  case discardRecovery(String)
  /// What is staged is given up: nothing is to be recovered.
  case dropRecovery
  /// Leave what is staged in the recovery file and end.
  case keepAndLeave

  // Export and clipboard.
  /// Write rows to a file; ends the one before.
  case export(ExportRequest)
  case stopExporting
  /// Make a text of values.
  case copy(CopyRequest)
  /// Put a text on the clipboard of the terminal.
  case putOnClipboard(String)

  // SQL console.
  case sql(SQLEffect)
  /// Open the file once more, since its tables were changed, and go on with it.
  case openAnew

  // Import.
  case importing(ImportEffect)
}
