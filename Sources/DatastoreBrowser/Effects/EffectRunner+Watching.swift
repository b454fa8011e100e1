import DatastoreCore
import DatastoreSQLite
import Foundation
import SwiftDatastore

/// Noticing what other processes write.
extension EffectRunner {
  /// Begins to watch the file of the store, if it has one.
  func watchFile() {
    guard let url = datastore.url else { return }
    fileWatch = FileWatch(url.path) { [weak self] in self?.fileWasTouched() }
  }

  /// Somebody, this process or another one, has written the file or is writing it.
  private func fileWasTouched() {
    isFileTouched = true
    guard looking == nil else { return }
    looking = Task { @MainActor [weak self] in
      // A log is written before its index, which nobody tells of: the last look comes a second after
      // the last write. One look a second is what the table can follow.
      var looksLeft = 2
      var pause = Duration.milliseconds(50)
      while looksLeft > 0 {
        try? await Task.sleep(for: pause)
        guard let self, !Task.isCancelled else { return }
        pause = .seconds(1)
        self.isFileTouched = false
        let isChanged = await self.lookForExternalChanges()
        looksLeft = isChanged || self.isFileTouched ? 2 : looksLeft - 1
      }
      self?.looking = nil
      if self?.isFileTouched == true { self?.fileWasTouched() }
    }
  }

  /// Looks whether another process has written the file; if so, returns when the table has read it.
  @discardableResult
  func lookForExternalChanges() async -> Bool {
    let datastore = datastore
    // A file that is locked just now is looked at again after the next write.
    let isChanged = await BlockingWork.run {
      (try? datastore.checkForExternalChanges()) ?? false
    }
    guard isChanged else { return false }
    if !hasToldOfTables, !view.store.isNative {
      // Where this fails, the next save says it.
      let areOthers = await BlockingWork.run { (try? datastore.haveTablesChanged()) ?? false }
      if areOthers {
        hasToldOfTables = true
        send(.sql(.tablesChangedElsewhere))
      }
    }
    await drainMainQueue()
    followMovedRows()
    await list?.controller.settled()
    return true
  }

  /// Has what is staged for rows that somebody else has moved go with them.
  private func followMovedRows() {
    guard !view.stagedObjects().isEmpty else { return }
    performInOrder { runner in
      // Where the store cannot be read, the save looks for them.
      try? await runner.view.followMovedRows()
      runner.view.processPendingChanges()
      runner.publishStaging()
    }
  }

  func stopWatchingFile() {
    fileWatch?.cancel()
    fileWatch = nil
    looking?.cancel()
  }
}
