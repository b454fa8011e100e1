import Basics
import DatastoreCore
import TerminalUI

/// What the browser keeps about edits: what is staged, and what is being done with it.
struct EditingState: FeatureState {
  /// Whether what is shown can be changed, and where it is kept.
  var access = StoreAccess.writable
  /// Whether what is shown is a database in a server.
  var isInServer = false
  /// Whether rows of the file that is copied are still to come. They have the numbers of their records, which
  /// no other row must take.
  var isCopyIncomplete = false
  /// What is known to fail when it is saved, by entity.
  var refusedWrites: ByEntity<RefusedWrites> = []
  var marks = StagingMarks()
  var selection = RowSelection()
  /// The answer that the keys pressed meanwhile wait for; nil when none is pending.
  var pendingAnswer: PendingAnswer?
  /// The keys that were pressed since.
  var typedAhead: [Key] = []
  /// Whether the changes are being written.
  var isSaving = false
  /// Whether the browser ends once the changes are written.
  var leavesAfterSaving = false

  /// What a row of a table shows besides its values.
  func rowMarks(_ key: RowKey, in query: TableQuery) -> RowMarks {
    RowMarks(
      staged: marks[ObjectReference(entity: query.entity, key: key)],
      isSelected: selection.contains(key, in: query))
  }

  /// What is known to fail when objects of an entity are saved.
  func refusedWrites(of entity: Entity) -> RefusedWrites {
    refusedWrites.indices.contains(entity.index) ? refusedWrites[entity.index] : RefusedWrites()
  }

  /// The name of the file that is shown, when the store is only a copy of it.
  var copiedFile: String? { access.copiedFile }

  /// Why nothing in the file can be changed; nil where it can.
  var readOnlyReason: String? {
    if let reason = access.readOnlyReason { return reason }
    guard let copiedFile, isCopyIncomplete else { return nil }
    return
      "Not all rows of \(copiedFile) are here; they can be changed when it was read to its end."
  }
}

/// An answer that is pending: keys that are pressed meanwhile wait for it. Other answers do not release them.
enum PendingAnswer: Hashable, Sendable {
  case editor(EditTarget)
  /// A new row; it is there when what is staged is reported after it.
  case object(isCreated: Bool)
  case deletion([ObjectReference])
  case update(BulkTarget)
  /// Another store that is to be shown above this one: keys are meant for its table.
  case nestedStore
  /// The first rows of the table.
  case firstRows
}

extension BrowserState {
  /// Shows what is staged now.
  mutating func apply(_ marks: StagingMarks) {
    if marks.inConflict > editing.marks.inConflict {
      let count = marks.inConflict
      message = Message(
        text: "\(CountText.counted(count, "unsaved object")) \(count == 1 ? "was" : "were") "
          + "also changed elsewhere (!); saving asks which to keep.",
        severity: .warning)
    }
    editing.marks = marks
    for index in overlays.indices { overlays[index].stagingChanged() }
    if editing.pendingAnswer == .object(isCreated: true) { releaseTypedAhead() }
  }

  /// Makes the keys that come next wait for what was asked for, so that they never meet something else.
  mutating func awaitAnswer(_ answer: PendingAnswer) {
    editing.pendingAnswer = answer
    editing.typedAhead = []
  }

  /// Ends the waiting: the keys that have waited meet nothing.
  mutating func dropTypedAhead() {
    editing.pendingAnswer = nil
    editing.typedAhead = []
  }

  /// Presses the keys that have waited for the first rows of the table.
  mutating func releaseKeysForRows() {
    if editing.pendingAnswer == .firstRows { releaseTypedAhead() }
  }

  /// Keeps a key for what is awaited; Escape ends the waiting.
  mutating func typeAhead(_ key: Key) {
    if key == "esc" || key == "ctrl-c" {
      dropTypedAhead()
    } else {
      editing.typedAhead.append(key)
    }
  }

  /// Presses the keys that have waited for what is there now.
  mutating func releaseTypedAhead() {
    let keys = editing.typedAhead
    dropTypedAhead()
    for (index, key) in keys.enumerated() {
      // One of them may ask for something in turn.
      if editing.pendingAnswer != nil {
        editing.typedAhead.append(contentsOf: keys[index...])
        break
      }
      act(on: key)
    }
  }
}

extension BrowserState {
  var editing: EditingState {
    get { self[EditingState.self] }
    _modify { yield &self[EditingState.self] }
  }
}
