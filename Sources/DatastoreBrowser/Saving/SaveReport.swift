import Basics
import DatastoreCore

/// The result of a save.
struct SaveReport: Hashable, Sendable {
  var changed: Int
  var inserted: Int
  var deleted: Int
  /// The number of rows whose relationships were staged; of some of them nothing else was written.
  var related = 0
  /// The entities of the written objects.
  var entities: Set<EntityIndex>
  /// The objects whose keys have changed.
  var rekeyed: [EntityIndex: [RowKey: RowKey]]
  /// The written changes, with the new keys.
  var objects: [StagedObject] = []

  var description: String {
    let text = StagingMarks.describe(changed: changed, inserted: inserted, deleted: deleted)
    return text.isEmpty ? "the relationships of \(CountText.counted(max(1, related), "row"))" : text
  }
}

/// Why a save has failed; it has written nothing.
enum SaveFailure: Hashable, Sendable {
  case refused(String)
  /// The model or the store has refused objects because of some of their properties.
  case invalid([SaveIssue])
  case conflicting([Conflict])
  case stopped
}
