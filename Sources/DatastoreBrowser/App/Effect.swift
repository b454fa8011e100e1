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
  /// Press keys, each when everything before it is done.
  case replay([Key])
  case suspend
  case quit
  // Editing.
  case stage(StagingStep)
  /// Make a property ready to be edited, of one object or of many.
  case beginEdit(EditTarget, BulkTarget?)
  case planDeletion([ObjectReference])
  case save
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
}
