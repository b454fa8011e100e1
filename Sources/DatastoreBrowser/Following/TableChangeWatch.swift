import DatastoreCore
import Foundation
import SwiftDatastore

/// Notices what other processes write to the file, or in the server.
@MainActor
final class TableChangeWatch: EffectService {
  private unowned let runner: EffectRunner
  /// Tells of writes to the file.
  private var fileWatch: FileWatch?
  /// Hears of writes in the server.
  private var listener: (any Sendable & AnyObject)?
  /// Looks at them.
  private var checking: Task<Void, Never>?
  private var isFileTouched = false
  /// Whether the screens know that the tables have changed.
  var hasReportedTables = false

  init(_ runner: EffectRunner) {
    self.runner = runner
  }

  /// Begins to watch the file of the store, or to listen to the server, which is asked once a second as well:
  /// programs that do not use this library send no notification.
  func watchFile() {
    if runner.datastore.isInServer { return askServer() }
    guard let url = runner.datastore.url else { return }
    fileWatch = FileWatch(url.path) { [weak self] in self?.fileWasTouched() }
  }

  /// Someone, this process or another one, has written the file or is writing it.
  private func fileWasTouched() {
    isFileTouched = true
    guard checking == nil else { return }
    checking = Task { @MainActor [weak self] in
      // A log is written before its index, which no event reports: the last look comes a second after
      // the last write. One look a second is what the table can follow.
      var checksLeft = 2
      var pause = Duration.milliseconds(50)
      while checksLeft > 0 {
        try? await Task.sleep(for: pause)
        guard let self, !Task.isCancelled else { return }
        pause = .seconds(1)
        self.isFileTouched = false
        let isChanged = await self.check()
        checksLeft = isChanged || self.isFileTouched ? 2 : checksLeft - 1
      }
      self?.checking = nil
      if self?.isFileTouched == true { self?.fileWasTouched() }
    }
  }

  private func askServer() {
    listener = runner.datastore.listenForExternalChanges { [weak self] in
      Task { @MainActor in _ = await self?.check() }
    }
    checking = Task { @MainActor [weak self] in
      while true {
        try? await Task.sleep(for: .seconds(1))
        guard let self, !Task.isCancelled else { return }
        await self.check()
      }
    }
  }

  /// Checks whether another process has written the file; if so, returns when the table has read it.
  @discardableResult
  func check() async -> Bool {
    // Kept, since what is found may have the browser continue with another runner before the look ends.
    let runner = runner
    let datastore = runner.datastore
    // A file that is locked just now is looked at again after the next write.
    let isChanged = await BlockingWork.run {
      (try? datastore.checkForExternalChanges()) ?? false
    }
    guard isChanged else { return false }
    if !hasReportedTables {
      // Where this fails, the next save says it.
      let areOthers = await BlockingWork.run { (try? datastore.haveTablesChanged()) ?? false }
      if areOthers {
        hasReportedTables = true
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
    listener = nil
    checking?.cancel()
  }
}
