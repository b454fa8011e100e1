import DatastoreCore
import SwiftDatastore

/// Tells the screens what is staged, and the one who keeps it over a crash.
@MainActor
final class StagingFeed: EffectService {
  private unowned let runner: EffectRunner
  /// What the screens know of what is staged.
  private var marks = StagingMarks()
  private var staged: [StagedObject] = []
  /// Called when something else is staged than before.
  var stagedHasChanged: ([StagedObject]) -> Void = { _ in }
  private var observation: ContextObservation?

  init(_ runner: EffectRunner) {
    self.runner = runner
  }

  /// Begins to hear of changes in the store.
  func begin() {
    runner.view.isUndoEnabled = true
    observation = runner.view.observeChanges { [weak self] changed in
      guard let self else { return }
      runner.send(StoreEvent.changed(changed.keys))
      if changed.isEverything {
        runner.send(StoreEvent.everythingChanged)
        runner.send(SelectionOutdated())
      }
      if changed.isEverything, runner.view.hasStrayObjects { follow() } else { publish() }
      // The list may have begun to read itself again because of the change.
      if runner.list != nil { runner.perform { await $0.settleList() } }
    }
  }

  /// Makes what is staged for rows that someone else has moved go with them, and then reports what is staged.
  private func follow() {
    runner.performStaging { [weak self] runner in
      // Where the store cannot be read, the save looks for them.
      try? await runner.view.followMovedRows()
      runner.view.processPendingChanges()
      self?.publish()
    }
  }

  func publish() {
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
