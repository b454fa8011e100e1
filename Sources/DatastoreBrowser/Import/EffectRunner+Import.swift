import DatastoreCore
import DatastoreImport
import Foundation
import SwiftDatastore

extension Lane {
  static let importPreview = Lane("import preview", .latest)
  static let importing = Lane("importing", .latest, atEnd: .cancelled)
}

extension Effect {
  /// Reads the beginning of the file of a form.
  static func previewImport(_ form: ImportForm) -> Effect {
    .answer(in: .importPreview) { _ in
      try await BlockingWork.run {
        try ImportPreview(
          path: PathCompletion.expanded(form.path), reading: form.reading, tables: form.tables,
          table: form.table)
      }
    } as: {
      ImportEvent.previewed(form.number, $0)
    }
  }

  /// Reads a whole file into its table.
  static func startImport(_ source: LoadSource, _ guess: GuessedTypes?) -> Effect {
    .work { $0.importFile(source, guess) }
  }

  /// Creates a table for a file. The import starts after the store has been opened again with the table.
  static func makeImportTable(_ source: LoadSource) -> Effect {
    .work { $0.makeTable(for: source) }
  }

  static var cancelImport: Effect { .work { $0.cancel(.importing) } }
}

/// Importing files in the background.
extension EffectRunner {
  /// Reads a file into its table, in batches; invalid records are left out and reported.
  fileprivate func importFile(_ source: LoadSource, _ guess: GuessedTypes?) {
    let relay = ImportRelay(keeping: BrowserState.keptImportFaults) { [weak self] relay in
      Task { @MainActor in self?.report(relay) }
    }
    var options = LoadOptions()
    options.faults = .skip
    options.saving = .eachBatch
    let operation = LoadOperation(
      LoadPlan(sources: [source]), into: datastore, options: options, author: "import",
      guess: guess)
    perform(in: .importing) { runner in
      var outcome: ImportOutcome
      do {
        outcome = .completed(try await operation.run { relay.receive($0) })
      } catch is CancellationError {
        outcome = .cancelled
      } catch is GuessedTypes.Refuted {
        return runner.send(ImportEvent.typesRefuted)
      } catch {
        outcome = .failed(String(describing: error))
      }
      // The last rows are merged and shown before the end is reported.
      await runner.drainMainQueue()
      runner.report(relay)
      runner.send(ImportEvent.ended(outcome))
    }
  }

  /// Creates a table whose columns hold all values of a file.
  fileprivate func makeTable(for source: LoadSource) {
    let relay = ImportRelay(keeping: 0) { [weak self] relay in
      Task { @MainActor in self?.report(relay) }
    }
    guard let url = datastore.url else {
      let sentence =
        datastore.isInServer
        ? "A new table in a server is made by `datastore load`; here, rows go into one that is there."
        : "Tables cannot be added to a store in memory."
      send(ImportEvent.ended(.failed(sentence)))
      return
    }
    perform(in: .importing) { runner in
      do {
        let loader = StoreLoader(LoadPlan(sources: [source]), into: url)
        try await loader.makeTables { relay.receive($0) }
        runner.send(ImportEvent.tableMade(source))
      } catch is CancellationError {
        runner.send(ImportEvent.ended(.cancelled))
      } catch {
        runner.send(ImportEvent.ended(.failed(String(describing: error))))
      }
    }
  }

  /// Sends the events of an import since the last time.
  private func report(_ relay: ImportRelay) {
    guard let update = relay.drain() else { return }
    send(ImportEvent.progressed(update.progress, update.faults, faultCount: update.faultCount))
  }
}

/// Collects the events of a load on its queue until the main actor has time for them, so that neither waits
/// for the other.
private final class ImportRelay: Sendable {
  struct Update {
    let progress: ImportProgress
    let faults: [LoadFault]
    let faultCount: Int
  }

  private struct State {
    var progress: LoadProgress?
    var faults: [LoadFault] = []
    var kept = 0
    var faultCount = 0
    var isAwaited = false
    var began = ContinuousClock.now
    var stage: LoadProgress.Stage?
  }

  private let state = Lock(State())
  private let limit: Int
  private let deliver: @Sendable (ImportRelay) -> Void

  /// - Parameter limit: the number of faults that are kept; the others are only counted.
  init(keeping limit: Int, deliver: @escaping @Sendable (ImportRelay) -> Void) {
    self.limit = limit
    self.deliver = deliver
  }

  func receive(_ event: LoadEvent) {
    let isFirst = state.withLock { state in
      switch event {
      case .progress(let progress):
        if progress.stage != state.stage, progress.stage != .finishing {
          state.began = .now
          state.stage = progress.stage
        }
        state.progress = progress
      case .fault(let fault):
        state.faultCount += 1
        if state.kept < limit {
          state.kept += 1
          state.faults.append(fault)
        }
      case .waiting: break
      }
      guard state.progress != nil, !state.isAwaited else { return false }
      state.isAwaited = true
      return true
    }
    if isFirst { deliver(self) }
  }

  func drain() -> Update? {
    state.withLock { state in
      state.isAwaited = false
      guard let progress = state.progress else { return nil }
      let passed = state.began.duration(to: .now) / .seconds(1)
      let faults = state.faults
      state.faults = []
      return Update(
        progress: ImportProgress(load: progress, rate: LoadRate(progress, after: passed)),
        faults: faults, faultCount: state.faultCount)
    }
  }
}
