import DatastoreCore
import TerminalUI

/// What the browser keeps about edits: what is staged, and what is being done with it.
struct EditingState: Sendable {
  /// Whether the file was opened so that nothing can be saved.
  var isReadOnly = false
  /// Whether that is because it is a store of Core Data.
  var isCoreData = false
  var marks = StagingMarks()
  var selection = RowSelection()
  /// What was asked for and will take the keys that are pressed meanwhile; nil when nothing was.
  var awaited: Awaited?
  /// The keys that were pressed since.
  var typedAhead: [Key] = []
  /// Whether the changes are being written.
  var isSaving = false
  /// Whether the browser ends once the changes are written.
  var leavesAfterSaving = false

  /// Why nothing in the file can be changed; nil where it can.
  var readOnlyReason: String? {
    if isCoreData {
      return "Core Data made this file; changes made here would upset what its program counts on."
    }
    return isReadOnly
      ? "This file was opened read-only; open it without --read-only to change it." : nil
  }
}

/// What is about to come and takes keys. Answers to something else, asked for before, release none.
enum Awaited: Hashable, Sendable {
  case editor(EditTarget)
  /// A new row; it is there when what is staged is told after it.
  case object(isCreated: Bool)
  case deletion([ObjectReference])
  case update(BulkTarget)
}

extension BrowserState {
  /// Takes what is staged now.
  mutating func take(_ marks: StagingMarks) -> [Effect] {
    if marks.inConflict > editing.marks.inConflict {
      let count = marks.inConflict
      message = Message(
        text: "\(CountText.counted(count, "unsaved object")) \(count == 1 ? "was" : "were") "
          + "changed elsewhere, too (!): saving asks whose to keep.",
        role: .warning)
    }
    editing.marks = marks
    changeOverlay(as: ReviewScreen.self) { $0.invalidate() }
    return editing.awaited == .object(isCreated: true) ? releaseTypedAhead() : []
  }

  /// Has the keys that come next wait for what was asked for, so that they never meet something else.
  mutating func awaitAnswer(_ answer: Awaited) {
    editing.awaited = answer
    editing.typedAhead = []
  }

  /// Ends the waiting: the keys that have waited meet nothing.
  mutating func dropTypedAhead() {
    editing.awaited = nil
    editing.typedAhead = []
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
  mutating func releaseTypedAhead() -> [Effect] {
    let keys = editing.typedAhead
    dropTypedAhead()
    var effects: [Effect] = []
    for (index, key) in keys.enumerated() {
      // One of them may ask for something in its turn.
      if editing.awaited != nil {
        editing.typedAhead.append(contentsOf: keys[index...])
        break
      }
      effects += act(on: key)
    }
    return effects
  }

  /// Begins to write what is staged.
  mutating func save() -> [Effect] {
    editing.isSaving = true
    return [.save]
  }

  /// Asks before everything that is staged is taken back.
  mutating func askToRevert() {
    open(
      Question(
        title: "Revert",
        message: "Take back all unsaved changes: \(editing.marks.description)?\n"
          + "This cannot be undone.",
        answers: [
          Question.Answer("y", "revert") { _ in [.stage(.revertAll)] },
          Question.Answer("n", "keep them") { _ in [] },
        ]))
  }

  /// Leaves the browser; asks first where changes would be lost.
  mutating func leave() -> [Effect] {
    if importing.isRunning, importing.copiedFile == nil { return askToLeaveImport() }
    guard !editing.marks.isEmpty else { return finish() }
    open(
      Question(
        title: "Unsaved changes",
        message: "There are unsaved changes: \(editing.marks.description).",
        answers: [
          Question.Answer("s", "save and leave") { state in
            if let reason = Obstacle.cannotSave.reason(state) {
              state.message = Message(text: reason, role: .warning)
              return []
            }
            state.editing.leavesAfterSaving = true
            return state.save()
          },
          Question.Answer("k", "keep for next time") { _ in [.keepAndLeave] },
          Question.Answer("d", "discard and leave") { [.dropRecovery] + $0.finish() },
          Question.Answer("esc", "stay") { _ in [] },
        ]))
    return []
  }

  /// Ends the browser.
  mutating func finish() -> [Effect] {
    isFinished = true
    return [.quit]
  }

  /// Takes over that everything was written.
  mutating func take(saved report: SaveReport) -> [Effect] {
    editing.isSaving = false
    rename(report.rekeyed)
    message = Message(text: "Saved: \(report.description).", role: .success)
    var effects: [Effect] = []
    for entity in report.entities.sorted() where entities.beginCounting(entity) {
      effects.append(.count(entity: entity))
    }
    guard editing.leavesAfterSaving else { return effects }
    return finish()
  }

  /// Follows objects that the file has given other keys.
  private mutating func rename(_ keys: [Int: [Int64: Int64]]) {
    guard !keys.isEmpty else { return }
    if var table, let renamed = keys[table.query.entity] {
      table.rename(renamed)
      self.table = table
    }
  }

  /// Takes over that many objects were written at once.
  mutating func take(written entity: Int, _ said: String) -> [Effect] {
    editing.isSaving = false
    editing.selection = RowSelection()
    message = Message(text: said, role: .success)
    return entities.beginCounting(entity) ? [.count(entity: entity)] : []
  }
}

/// What a save has written.
struct SaveReport: Hashable, Sendable {
  var changed: Int
  var inserted: Int
  var deleted: Int
  /// Rows whose relationships were staged; of some of them nothing else was written.
  var related = 0
  /// The indices of the entities whose objects were written.
  var entities: Set<Int>
  /// Objects that have other keys now.
  var rekeyed: [Int: [Int64: Int64]]

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
  case refusedRow([IssueList.Issue])
  case conflicting([Conflict])
  /// The user has stopped it.
  case stopped
}
