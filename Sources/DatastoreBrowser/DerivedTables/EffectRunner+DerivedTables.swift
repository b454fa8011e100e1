import DatastoreCore
import SwiftDatastore

extension Lane {
  static let openingDerivedTable = Lane("opening a derived table", .latest)
  /// The reading of more rows for the shown derived table.
  static let fillingDerivedTable = Lane("filling a derived table", .latest, atEnd: .cancelled)
}

extension Effect {
  /// Opens a derived table, and shows it above everything as soon as its first rows have been read.
  static func openDerivedTable(_ table: DerivedTable) -> Effect {
    .work { $0.open(table, of: $0) }
  }

  /// Reads the shown derived table again, and shows the result in its place.
  ///
  /// - Parameter source: the runner of the store that the table is derived from.
  static func askForDerivedTable(_ table: DerivedTable, of source: EffectRunner) -> Effect {
    .work { $0.open(table, of: source, replaces: true) }
  }

  static var stopOpeningDerivedTable: Effect { .work { $0.cancel(.openingDerivedTable) } }

  /// Reads the rest of the shown derived table.
  static func fillDerivedTable(_ store: DerivedStore) -> Effect {
    .work { runner in
      runner.perform(in: .fillingDerivedTable) {
        if store.isPartial { await $0.complete(store) } else { await $0.fill(store) }
      }
    }
  }

  static var stopFillingDerivedTable: Effect { .work { $0.cancel(.fillingDerivedTable) } }
}

extension EffectRunner {
  /// - Parameters:
  ///   - source: the runner of the store that the table is derived from.
  ///   - replaces: whether the table replaces the one that is shown.
  ///   - failed: called if the table cannot be opened.
  func open(
    _ table: DerivedTable, of source: EffectRunner, replaces: Bool = false,
    failed: @escaping @MainActor (EffectRunner, any Error) async -> Void = { runner, error in
      let reason = (error as? SQLTextError)?.message ?? EffectFailure(error).message
      runner.send(DerivedTableEvent.notOpened(reason))
    }
  ) {
    perform(in: .openingDerivedTable) { runner in
      do {
        let store = try await DerivedStore.make(table, of: source)
        guard !Task.isCancelled else {
          await BlockingWork.run { store.close() }
          return
        }
        runner.send(DerivedTableEvent.opened(store, replaces: replaces))
      } catch  where error is CancellationError || Task.isCancelled {
        runner.send(DerivedTableEvent.stopped)
      } catch {
        await failed(runner, error)
      }
    }
  }

  /// Computes a table from all rows after it was shown for a sample, and shows that in its place.
  fileprivate func complete(_ store: DerivedStore) async {
    guard case .rows(let request) = store.table.source else { return }
    do {
      let whole = try await DerivedStore.make(store.table, of: store.source, isWhole: true) {
        [weak self] done in
        guard
          let percent = request.progress.percent(
            done, of: request.rowCount, sample: request.sample.count)
        else { return }
        Task { @MainActor in self?.send(DerivedTableEvent.progressed(percent)) }
      }
      guard !Task.isCancelled else {
        await BlockingWork.run { whole.close() }
        return send(DerivedTableEvent.ended(.stopped))
      }
      send(DerivedTableEvent.opened(whole, replaces: true))
    } catch  where error is CancellationError || Task.isCancelled {
      send(DerivedTableEvent.ended(.stopped))
    } catch {
      send(DerivedTableEvent.ended(.failed(EffectFailure(error).message)))
    }
  }

  /// Copies the rest of the rows of an SQL answer.
  fileprivate func fill(_ store: DerivedStore) async {
    let (reports, continuation) = AsyncStream<Int>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let latest = Lock<Int?>(nil)
    let filling = Task {
      defer { continuation.finish() }
      try await store.fill { rows in
        latest.withLock { $0 = rows }
        continuation.yield(rows)
      }
    }
    await withTaskCancellationHandler {
      for await rows in reports { send(DerivedTableEvent.read(rows)) }
      let isStopped = Task.isCancelled
      let result = await filling.result
      // A cancelled task receives no further reports from the stream, so the last one is sent here.
      if let rows = latest.withLock({ $0 }) { send(DerivedTableEvent.read(rows)) }
      if case .failure(let error) = result, !isStopped {
        return send(DerivedTableEvent.ended(.failed(String(describing: error))))
      }
      // The last rows are merged and shown before the end is reported.
      await drainMainQueue()
      await settleList()
      send(DerivedTableEvent.ended(isStopped ? .stopped : .whole))
    } onCancel: {
      store.stopReading()
    }
  }
}

extension DerivedStore {
  /// Makes a derived table. For a long list the table is computed from its first rows, unless `isWhole`.
  ///
  /// - Throws: the errors of the query or the computation, `StoreError`, `DerivedTableFault`.
  @MainActor
  fileprivate static func make(
    _ table: DerivedTable, of source: EffectRunner, isWhole: Bool = false,
    reporting progress: ReadProgress? = nil
  ) async throws -> DerivedStore {
    switch table.source {
    case .sql(let sql):
      let stream = DerivedTableStream()
      let store = source.view.store
      return try await withTaskCancellationHandler {
        try await BlockingWork.run {
          try DerivedStore(table, answering: sql, of: source, store, stream)
        }
      } onCancel: {
        stream.close()
      }
    case .rows(let request):
      let part = isWhole || request.sample.isEmpty ? nil : request.sample
      let rows = try await request.compute(
        source, part, progress ?? { request.progress.recordSample($0) })
      return try await BlockingWork.run {
        try DerivedStore(
          table, rows, ofPart: part?.count, of: source, entity: request.entity)
      }
    }
  }
}

enum DerivedTableEvent: BrowserEvent {
  case opened(DerivedStore, replaces: Bool)
  /// The opening was cancelled.
  case stopped
  /// The table could not be opened, for this reason.
  case notOpened(String)
  /// The number of rows read so far.
  case read(Int)
  /// The percentage of all rows read so far.
  case progressed(Int)
  case ended(DerivedTableState.Phase)

  func apply(to state: inout BrowserState) {
    switch self {
    case .opened(let store, let replaces):
      state.request(.terminal(.showAbove(store, replaces: replaces)))
    case .stopped:
      guard state.editing.pendingAnswer == nil else { return }
      state.tell("Reading was stopped.", .warning)
    case .notOpened(let reason):
      state.dropTypedAhead()
      state.tell(reason, .error)
    case .read(let rows): state.derivedTable?.rows = rows
    case .progressed(let percent):
      if case .partial(let count, _)? = state.derivedTable?.phase {
        state.derivedTable?.phase = .partial(of: count, percent: percent)
      }
    case .ended(let phase):
      state.derivedTable?.phase = phase
      if case .failed(let reason) = phase {
        state.tell("Not all rows could be read: \(reason)", .error)
      }
    }
  }
}
