import DatastoreCore
import TerminalUI

/// Everything that can happen to the browser: what the user does, and the results of effects.
///
/// Results carry the number of the fetch they belong to; those of an older one are ignored.
enum BrowserEvent: Sendable {
  case input(InputEvent)
  /// Rows of the list are known: the first ones, or all.
  case listRead(fetch: Int, KeyList, isComplete: Bool)
  /// The sections that a list will have whose first rows are known.
  case sectionsCounted(fetch: Int, [KeyList.Section])
  case listFailed(fetch: Int, String)
  /// A change was merged: the list as it is now, and whose values may be others; nil for all.
  case listChanged(fetch: Int, KeyList, changed: Set<Int64>?)
  /// Rows that were asked for; keys that have no row any more are left out.
  case rowsLoaded(fetch: Int, asked: [Int64], [RowSnapshot])
  case rowsFailed(fetch: Int, asked: [Int64], String)
  /// The display names of objects; nil for objects that are not there.
  case namesLoaded(entity: Int, [Int64: String?])
  case namesFailed(entity: Int, asked: [Int64], String)
  case counted(entity: Int, Result<Int, CountFailure>)
  /// Something was saved or staged that touches these objects, by entity.
  case storeChanged([Int: Set<Int64>])
  /// The object of the detail pane; nil when there is no such row.
  case detailRead(ObjectReference, DetailSnapshot?)
  case detailFailed(ObjectReference, String)
  case membersRead(ObjectReference, slot: Int, Members)
  case membersFailed(ObjectReference, slot: Int, String)
  /// A to-many relationship of the watched object has other members now.
  case membersChanged(ObjectReference, slot: Int)
  case summaryRead(Int, Result<SummaryContent, CountFailure>)
  case themesRead([ThemeChoice])
  /// Values of the store could not be read outside any effect.
  case readFailed(String)

  // The table's columns.
  /// How many members a to-many relationship of some rows has.
  case countsLoaded(fetch: Int, slot: Int, [Int64: Int])
  case countsFailed(String)
  /// The members of a relationship that is to be opened as a table.
  case memberKeysRead(ObjectReference, slot: Int, [Int64])
  /// What the user has decided could not be kept for the next time, or read.
  case settingsFailed(String)

  // Finding rows, and looking at one value.
  case searched(SearchRequest, SearchOutcome)
  case valueLaidOut(ValueRequest, Result<ValueText, CountFailure>)

  // Sparklines.
  case sparksRead(SectionSparks.Request, Result<SectionSparks.Answer, CountFailure>)

  // Schema.
  case schemaRead(Result<SchemaText, CountFailure>)

  // Filter.
  case filter(FilterEvent)

  // Editing.
  /// What is staged is something else now.
  case staged(StagingMarks)
  /// A change cannot be staged, in words.
  case stagingRefused(String)
  case editReady(EditSubject)
  case valuesFound(EditTarget, [FrequencyTable.Entry])
  case created(ObjectReference)
  case deletionPlanned([ObjectReference], DeletionPlan)
  case saved(SaveReport)
  case saveFailed(SaveFailure)
  case reviewRead([ReviewedObject])
  case objectsFound(search: Int, Result<[ObjectName], CountFailure>)
  case editedExternally(EditSubject, ExternalEditor.Outcome)
  case file(FileEvent)
  case updatePlanned(UpdatePlan)
  /// Many objects were changed in the store at once, in words.
  case written(entity: Int, String)
  case recoveryFound(FoundRecovery)
  case restored(RestoreReport)
  /// What is staged is on the disk, to be offered the next time.
  case keptForNextTime

  // Export and clipboard.
  case export(ExportEvent)
  case copied(Result<CopiedText, CountFailure>)

  // SQL console.
  case sql(SQLEvent)

  // What other processes do.
  /// Rows of the list came or went because of it, or may have other values; the list follows.
  case changedElsewhere(fetch: Int, inserted: Int, deleted: Int)
  /// Anything in the store may be otherwise now.
  case everythingChanged
  /// Where the selected rows of an entity are, by the keys they had; nil for those that are not found.
  case selectionFound(entity: Int, [Int64: ObjectReference?])

  // Import.
  case importing(ImportEvent)
}

extension BrowserEvent {
  /// Whether it changes nothing but what the detail pane shows.
  var isOfDetail: Bool {
    switch self {
    case .detailRead, .detailFailed, .membersRead, .membersFailed: true
    default: false
    }
  }
}

/// Why the objects of an entity could not be counted.
struct CountFailure: Error, Hashable, Sendable {
  var message: String
}
