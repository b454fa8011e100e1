import DatastoreCore
import SwiftDatastore

/// The steps of saving, for the keeper of the recovery file.
enum SavingStep {
  /// These staged changes are about to be saved.
  case begun([StagedObject])
  case failed
  case saved
  /// Rows were written that had not been staged: these changes; nil for changes that are not kept.
  case writtenDirectly([StagedObject]?)
  /// The source files of a copy have everything that was saved in it.
  case writtenIntoFiles
}

/// Notifies the screens, and the keeper of the recovery file, of the staged changes.
@MainActor
final class StagingFeed: EffectService {
  private unowned let runner: EffectRunner
  /// The marks that the screens last received.
  private var marks = StagingMarks()
  private var staged: [StagedObject] = []
  /// Called when the staged changes have changed.
  var stagedHasChanged: ([StagedObject]) -> Void = { _ in }
  /// Called at each step of saving.
  var savingHasAdvanced: (SavingStep) -> Void = { _ in }
  private var observation: ContextObservation?

  init(_ runner: EffectRunner) {
    self.runner = runner
  }

  /// Starts to observe changes in the store.
  func begin() {
    runner.view.isUndoEnabled = true
    observation = runner.view.observeChanges { [weak self] changed in
      guard let self else { return }
      runner.send(StateChange { [keys = changed.keys] in $0.applyChange(keys) })
      if changed.isEverything {
        runner.send(StateChange { $0.applyChangeOfEverything() })
        // The selected rows may have moved.
        runner.send(
          StateChange { state in
            let selection = state.editing.selection
            if !selection.seen.isEmpty { state.request(.findSelection(selection.references)) }
          })
      }
      if changed.isEverything, runner.view.hasStrayObjects { follow() } else { publish() }
      // The change may have made the list read itself again.
      if runner.list != nil { runner.perform { await $0.settleList() } }
    }
  }

  /// Moves the staged changes along with rows that someone else has moved, and then notifies the screens.
  private func follow() {
    runner.performStaging { [weak self] runner in
      // If the store cannot be read, the save looks for the rows.
      try? await runner.view.followMovedRows()
      runner.view.processPendingChanges()
      self?.publish()
    }
  }

  func publish() {
    runner.service(ComputedValues.self).check()
    let view = runner.view
    let staged = view.stagedObjects()
    if staged != self.staged {
      self.staged = staged
      stagedHasChanged(staged)
    }
    let marks = StagingMarks(
      staged, in: runner.schema, canUndo: view.canUndo, canRedo: view.canRedo)
    guard marks != self.marks else { return }
    self.marks = marks
    runner.send(StagingEvent.staged(marks))
  }

  func stop() { observation = nil }
}
