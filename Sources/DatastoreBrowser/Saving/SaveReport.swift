import Basics
import DatastoreCore

/// What a save has written.
struct SaveReport: Hashable, Sendable {
  var changed: Int
  var inserted: Int
  var deleted: Int
  /// Rows whose relationships were staged; of some of them nothing else was written.
  var related = 0
  /// The indices of the entities whose objects were written.
  var entities: Set<EntityIndex>
  /// Objects that have other keys now.
  var rekeyed: [EntityIndex: [RowKey: RowKey]]
  /// What was written, with those keys.
  var objects: [StagedObject] = []

  var description: String {
    let text = StagingMarks.describe(changed: changed, inserted: inserted, deleted: deleted)
    return text.isEmpty ? "the relationships of \(CountText.counted(max(1, related), "row"))" : text
  }
}

/// Why a save has written nothing.
enum SaveFailure: Hashable, Sendable {
  case refused(String)
  case invalid([ValidationError.Fault])
  /// The store has refused a row, for reasons that belong to properties.
  case refusedRow([SaveIssue])
  case conflicting([Conflict])
  /// The user has stopped it.
  case stopped
}
