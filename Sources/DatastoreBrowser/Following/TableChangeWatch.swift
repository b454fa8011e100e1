import DatastoreCore
import Foundation
import SwiftDatastore

/// Detects what other processes write to the file, or to the server.
@MainActor
final class TableChangeWatch: EffectService {
  private unowned let runner: EffectRunner
  /// Watches for writes to the file.
  private var fileWatch: FileWatch?
  /// Listens for writes in the server.
  private var listener: (any Sendable & AnyObject)?
  /// The task that checks for the changes.
  private var checking: Task<Void, Never>?
  private var isFileTouched = false
  /// Whether the screens know that the tables have changed.
  var hasReportedTables = false

  init(_ runner: EffectRunner) {
    self.runner = runner
  }

  /// Starts to watch the file of the store, or to listen to the server. The server is also asked once a
  /// second, since programs that do not use this library send no notifications.
  func watchFile() {
    if runner.datastore.isInServer { return askServer() }
    guard let url = runner.datastore.url else { return }
    fileWatch = FileWatch(url.path) { [weak self] in self?.fileWasTouched() }
  }

  /// Some process, perhaps this one, has written the file or is writing it.
  private func fileWasTouched() {
    isFileTouched = true
    guard checking == nil else { return }
    checking = Task { @MainActor [weak self] in
      // A log is written before its index, for which there is no event: so the last check comes a second
      // after the last write. One check a second is as much as the table can follow.
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

  /// Checks whether another process has written the file; if so, returns after the table has read the
  /// changes.
  @discardableResult
  func check() async -> Bool {
    // Kept, since the browser may continue with another runner before the check ends.
    let runner = runner
    let datastore = runner.datastore
    // A locked file is checked again after the next write.
    let isChanged = await BlockingWork.run {
      (try? datastore.checkForExternalChanges()) ?? false
    }
    guard isChanged else { return false }
    if !hasReportedTables {
      // If this fails, the next save reports it.
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
