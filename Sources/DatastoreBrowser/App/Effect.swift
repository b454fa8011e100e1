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
  case beginEdit(EditTarget)
  case planDeletion([ObjectReference])
  case save
}
