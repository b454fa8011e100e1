import DatastoreCore
import Foundation
import SwiftDatastore

/// Notices what other processes write to the file.
@MainActor
final class TableChangeWatch: EffectService {
  private unowned let runner: EffectRunner
  /// Tells of writes to the file.
  private var fileWatch: FileWatch?
  /// Looks at them.
  private var looking: Task<Void, Never>?
  private var isFileTouched = false
  /// Whether the screens know that the tables have changed.
  var hasToldOfTables = false

  init(_ runner: EffectRunner) {
    self.runner = runner
  }

  /// Begins to watch the file of the store, if it has one.
  func watchFile() {
    guard let url = runner.datastore.url else { return }
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
        let isChanged = await self.look()
        looksLeft = isChanged || self.isFileTouched ? 2 : looksLeft - 1
      }
      self?.looking = nil
      if self?.isFileTouched == true { self?.fileWasTouched() }
    }
  }

  /// Looks whether another process has written the file; if so, returns when the table has read it.
  @discardableResult
  func look() async -> Bool {
    // Kept, since what is found may have the browser go on with another runner before the look ends.
    let runner = runner
    let datastore = runner.datastore
    // A file that is locked just now is looked at again after the next write.
    let isChanged = await BlockingWork.run {
      (try? datastore.checkForExternalChanges()) ?? false
    }
    guard isChanged else { return false }
    if !hasToldOfTables, !runner.view.store.isNative {
      // Where this fails, the next save says it.
      let areOthers = await BlockingWork.run { (try? datastore.haveTablesChanged()) ?? false }
      if areOthers {
        hasToldOfTables = true
        runner.send(TablesChangedElsewhere())
      }
    }
    await runner.drainMainQueue()
    await runner.settleList()
    return true
  }

  func stop() {
    fileWatch?.cancel()
    fileWatch = nil
    looking?.cancel()
  }
}
