import DatastoreCore
import DatastoreSQLite
import Foundation
import Gates
import SwiftDatastore

extension EffectRunner {
  func start(_ effect: SQLEffect) {
    switch effect {
    case .prepare: prepareConsole()
    case .run(let request): run(request)
    case .stop: cancel(sqlWork)
    case .keepHistory(let texts): keepSQLHistory(texts)
    }
  }

  private func prepareConsole() {
    let store = view.store
    let file = historyFile
    perform { runner in
      let names = await BlockingWork.run {
        ((try? store.sqlNames()) ?? []).map { SQLNames(table: $0.table, columns: $0.columns) }
      }
      runner.send(.sql(.names(names)))
      do {
        let history = try await Task.detached { try file?.read() ?? [] }.value
        runner.send(.sql(.history(history)))
      } catch {
        // What cannot be read is never written over.
        runner.isSQLHistoryBroken = true
        runner.send(.sql(.historyFailed(String(describing: error))))
      }
    }
  }

  private var historyFile: SQLHistoryFile? {
    stateDirectory.map { SQLHistoryFile($0.appendingPathComponent("sql-history.json")) }
  }

  private func keepSQLHistory(_ texts: [String]) {
    guard let file = historyFile, !isSQLHistoryBroken else { return }
    let before = lastSQLHistory
    let number = perform { runner in
      await before?.value
      do {
        try await Task.detached { try file.write(texts) }.value
      } catch {
        runner.send(
          .sql(
            .historyFailed(
              "The history of statements could not be kept in \(file.url.path): "
                + error.localizedDescription)))
      }
    }
    lastSQLHistory = task(number)
  }

  /// Runs a statement; the one before is interrupted.
  private func run(_ request: SQLRequest) {
    cancel(sqlWork)
    let store = view.store
    sqlWork = perform { runner in
      do {
        try await runner.read(request, store)
      } catch is CancellationError {
        runner.send(.sql(.ended(request.number, "it was stopped")))
      } catch let error as SQLTextError where error.isWriting && request.isWritable {
        await runner.write(request)
      } catch let error as SQLTextError {
        let message =
          error.isWriting
          ? "This statement would change the file; ctrl-t allows that." : error.message
        runner.send(
          .sql(
            .failed(
              request.number,
              SQLFault(
                sql: request.sql, message: message, offset: error.utf8Offset))))
      } catch {
        runner.send(
          .sql(
            .failed(
              request.number, SQLFault(sql: request.sql, message: String(describing: error)))))
      }
    }
  }

  private func read(_ request: SQLRequest, _ store: SQLiteStore) async throws {
    let (arrivals, continuation) = AsyncStream<Void>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    let inbox = AnswerInbox { continuation.yield() }
    let reading = Task.detached {
      defer { continuation.finish() }
      try await store.answer(
        sql: request.sql, begin: { inbox.begin($0.map(\.name)) }, take: { inbox.take($0) })
    }
    try await withTaskCancellationHandler {
      for await _ in arrivals {
        deliver(inbox, of: request)
        // However fast rows come, keys come in between.
        await Task.yield()
      }
      try await reading.value
      // A reader whose pages are taken no more ends as if that was all.
      try Task.checkCancellation()
    } onCancel: {
      reading.cancel()
      inbox.close()
    }
    deliver(inbox, of: request)
    send(
      .sql(.ended(request.number, inbox.isFull ? "more are not kept; E writes all of them" : nil)))
  }

  /// Hands on everything that has come since the last time, at once.
  private func deliver(_ inbox: AnswerInbox, of request: SQLRequest) {
    let (columns, pages) = inbox.drain()
    if let columns { send(.sql(.began(request.number, columns: columns))) }
    if !pages.isEmpty { send(.sql(.pages(request.number, pages))) }
  }

  /// Runs a statement that writes, in a transaction of its own. When the work is cancelled, everything is
  /// taken back.
  private func write(_ request: SQLRequest) async {
    send(.sql(.writing(request.number)))
    let isCancelled = Lock(false)
    do {
      let sql = request.sql
      let context = datastore.newContext()
      let done = try await withTaskCancellationHandler {
        try await context.perform { context in
          try context.execute(sql, unless: { isCancelled.withLock { $0 } })
        }
      } onCancel: {
        isCancelled.withLock { $0 = true }
      }
      await drainMainQueue()
      await list?.controller.settled()
      var report = "Done: \(CountText.counted(done.rows, "row")) changed."
      if done.changesSchema {
        report = "Done: the tables are others now."
        if view.store.isNative {
          report +=
            " The entities of this store stay those of its model; tables made in SQL are seen in "
            + "this console only."
        }
      }
      send(.sql(.wrote(request.number, report)))
      if done.changesSchema, !view.store.isNative {
        hasToldOfTables = true
        send(.sql(.tablesChanged))
      }
      prepareConsole()
    } catch is CancellationError {
      send(
        .sql(
          .takenBack(
            request.number, "The statement was stopped; everything it had changed was taken back."))
      )
    } catch {
      send(
        .sql(
          .failed(
            request.number, SQLFault(sql: request.sql, message: String(describing: error)))))
    }
  }
}

/// The file of the statements that were run: JSON, an array of texts, the latest one last.
struct SQLHistoryFile: Sendable {
  let url: URL

  init(_ url: URL) {
    self.url = url
  }

  /// - Throws: a sentence when there is a file that cannot be read.
  func read() throws -> [String] {
    guard FileManager.default.fileExists(atPath: url.path) else { return [] }
    do {
      return try JSONDecoder().decode(
        [String].self, from: Data(ReadableFile.contents(of: url.path, atMost: 1 << 26)))
    } catch {
      throw SQLHistoryFault(
        description: "The history of statements in \(url.path) cannot be read and is left alone.")
    }
  }

  func write(_ texts: [String]) throws {
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .withoutEscapingSlashes]
    // Statements may hold what is nobody else's business, so nobody else can read the file.
    try NewFile.write(encoder.encode(texts), to: url.path)
  }
}

struct SQLHistoryFault: Error, CustomStringConvertible {
  let description: String
}
