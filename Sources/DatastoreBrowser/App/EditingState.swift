import Basics
import DatastoreCore
import TerminalUI

/// The state of editing: the staged changes and the saving of them.
struct EditingState: FeatureState {
  /// Whether the shown store can be changed, and where its changes are saved.
  var access = StoreAccess.writable
  /// Whether the shown store is a database in a server.
  var isInServer = false
  /// Whether the copy of the file still lacks rows. Their row numbers are those of their records, so no new
  /// row may take them.
  var isCopyIncomplete = false
  /// Changes that are known to fail on saving, by entity.
  var refusedWrites: ByEntity<RefusedWrites> = []
  var marks = StagingMarks()
  var selection = RowSelection()
  /// The answer that pressed keys wait for; nil if none is pending.
  var pendingAnswer: PendingAnswer?
  /// The keys pressed since.
  var typedAhead: [Key] = []
  var isSaving = false
  /// Whether the browser ends after the changes are saved.
  var leavesAfterSaving = false

  func rowMarks(_ key: RowKey, in query: TableQuery) -> RowMarks {
    RowMarks(
      staged: marks[ObjectReference(entity: query.entity, key: key)],
      isSelected: selection.contains(key, in: query))
  }

  /// Changes of an entity's objects that are known to fail on saving.
  func refusedWrites(of entity: Entity) -> RefusedWrites {
    refusedWrites.indices.contains(entity.index) ? refusedWrites[entity.index] : RefusedWrites()
  }

  /// The name of the shown file, if the store is only a copy of it.
  var copiedFile: String? { access.copiedFile }

  /// Why the file cannot be changed; nil if it can.
  var readOnlyReason: String? {
    if let reason = access.readOnlyReason { return reason }
    guard let copiedFile, isCopyIncomplete else { return nil }
    return
      "Not all rows of \(copiedFile) are here; they can be changed when it was read to its end."
  }
}

/// A pending answer. Keys pressed meanwhile wait for it; other answers do not release them.
enum PendingAnswer: Hashable, Sendable {
  case editor(EditTarget)
  /// A new row. It exists when the staged changes are reported after its creation.
  case object(isCreated: Bool)
  case deletion([ObjectReference])
  case update(BulkTarget)
  /// The report of what is staged: a command to save that is pressed meanwhile is for that as well.
  case staging
  /// Another store that is to be shown above this one: the keys are for its table.
  case nestedStore
  case firstRows
  /// The rows of the table in another order or selection: the first ones, or all if keys have come before.
  case list
  /// The file, opened again because its tables have changed: the keys are for the tables as they are now.
  case reopening
}

extension BrowserState {
  /// The end of a sentence about numbers that are computed from saved rows; empty if the table has no other
  /// rows.
  var savedRowsNote: String {
    guard let table, editing.marks.hasChanges(of: table.query.entity) else { return "" }
    return ", of the rows that are saved"
  }

  /// Shows the marks of the staged changes.
  mutating func apply(_ marks: StagingMarks) {
    if marks.inConflict > editing.marks.inConflict {
      let count = marks.inConflict
      tell(
        "\(CountText.counted(count, "unsaved object")) \(count == 1 ? "was" : "were") "
          + "also changed elsewhere (!); saving asks which to keep.", .warning)
    }
    editing.marks = marks
    for index in overlays.indices { overlays[index].stagingChanged() }
    if editing.pendingAnswer == .object(isCreated: true) { releaseTypedAhead() }
  }

  /// Makes the following keys wait for an answer, so that they never act on anything else.
  mutating func awaitAnswer(_ answer: PendingAnswer) {
    editing.pendingAnswer = answer
    editing.typedAhead = []
  }

  /// Ends the waiting and drops the waiting keys.
  mutating func dropTypedAhead() {
    editing.pendingAnswer = nil
    editing.typedAhead = []
  }

  /// Whether the row under the cursor is known as soon as the first rows have been read.
  var isRowToCome: Bool {
    guard overlays.isEmpty, let table else { return false }
    return table.phase == .reading && table.isAwaitingFirstRows && table.currentKey == nil
  }

  /// Presses the keys that wait for the file to be opened again, as soon as its first rows are there.
  mutating func releaseKeysAfterReopening() {
    guard editing.pendingAnswer == .reopening else { return }
    if isRowToCome { editing.pendingAnswer = .firstRows } else { releaseTypedAhead() }
  }

  /// Presses the keys that wait for the first rows of the table.
  mutating func releaseKeysForRows() {
    if editing.pendingAnswer == .firstRows { releaseTypedAhead() }
  }

  /// Presses the keys that wait for the rows in another order: one of them may go to the last row.
  mutating func releaseKeysForList(isComplete: Bool) {
    if editing.pendingAnswer == .list, isComplete || editing.typedAhead.isEmpty {
      releaseTypedAhead()
    }
  }

  /// Queues a key for the pending answer; Escape ends the waiting.
  mutating func typeAhead(_ key: Key) {
    if key == "esc" || key == "ctrl-c" {
      dropTypedAhead()
    } else {
      editing.typedAhead.append(key)
    }
  }

  /// Acts on an answer, if it is the one that is waited for, and then presses the keys that wait for it.
  mutating func answerCame(
    for pending: PendingAnswer, _ act: (inout BrowserState) -> Void
  ) {
    guard editing.pendingAnswer == pending else { return }
    act(&self)
    releaseTypedAhead()
  }

  /// Presses the keys that wait for the answer that has come.
  mutating func releaseTypedAhead() {
    let keys = editing.typedAhead
    dropTypedAhead()
    for (index, key) in keys.enumerated() {
      // One of the keys may wait for another answer.
      if editing.pendingAnswer != nil {
        editing.typedAhead.append(contentsOf: keys[index...])
        break
      }
      act(on: key)
    }
  }

  var editing: EditingState {
    get { self[EditingState.self] }
    _modify { yield &self[EditingState.self] }
  }
}
