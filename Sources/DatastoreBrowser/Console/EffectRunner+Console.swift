import Basics
import DatastoreCore
import Foundation
import Gates
import SwiftDatastore

extension Effect {
  /// Reads the names of tables and columns, and the history of statements.
  static var prepareConsole: Effect { .work { $0.prepareConsole() } }

  static func keepSQLHistory(_ texts: [String]) -> Effect {
    .work { runner in
      let history = runner.service(SQLHistory.self)
      guard let file = history.file, !history.isUnreadable else { return }
      runner.perform(in: Lane("sql history", .inOrder)) { runner in
        do {
          try await BlockingWork.run { try file.write(texts) }
        } catch {
          runner.send(
            SQLEvent.historyFailed(
              "The history of statements could not be kept in \(file.url.path): "
                + error.localizedDescription))
        }
      }
    }
  }

  /// Runs a statement, and shows its answer as a table above everything.
  static func runSQL(_ request: SQLRequest) -> Effect {
    .work {
      $0.open(DerivedTable(request.sql), of: $0) { runner, error in
        if let error = error as? SQLTextError, error.isWriting, request.isWritable {
          await runner.write(request)
        } else {
          runner.send(SQLEvent.failed(request.number, SQLFault(error, in: request.sql)))
        }
      }
    }
  }
}

/// The file of the history of statements.
private final class SQLHistory: EffectService {
  /// Nil to keep no history.
  let file: SQLHistoryFile?
  /// Whether there is a file that could not be read; it is never replaced.
  var isUnreadable = false

  init(_ runner: EffectRunner) {
    file = runner.environment.stateDirectory.map {
      SQLHistoryFile($0.appendingPathComponent("sql-history.json"))
    }
  }
}

extension SQLFault {
  fileprivate init(_ error: any Error, in sql: String) {
    guard let error = error as? SQLTextError else {
      self.init(sql: sql, message: String(describing: error))
      return
    }
    self.init(
      sql: sql,
      message: error.isWriting
        ? "This statement would change the file; ctrl-t allows that." : error.message,
      offset: error.utf8Offset)
  }
}

extension EffectRunner {
  fileprivate func prepareConsole() {
    let store = view.store
    let history = service(SQLHistory.self)
    perform { runner in
      let names = await BlockingWork.run {
        ((try? store.answer(SQLNamesQuestion())) ?? []).map {
          SQLNames(table: $0.table, columns: $0.columns)
        }
      }
      runner.send(SQLEvent.names(names))
      do {
        let file = history.file
        runner.send(SQLEvent.history(try await BlockingWork.run { try file?.read() ?? [] }))
      } catch {
        history.isUnreadable = true
        runner.send(SQLEvent.historyFailed(String(describing: error)))
      }
    }
  }

  /// Runs a statement that writes, in a transaction of its own. Cancelling the work rolls the transaction
  /// back.
  fileprivate func write(_ request: SQLRequest) async {
    send(SQLEvent.writing(request.number))
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
      await settleList()
      var report = "Done: \(CountText.counted(done.rows, "row")) changed."
      if done.changesSchema {
        report = "Done: the tables have changed."
      }
      send(SQLEvent.wrote(request.number, report))
      if done.changesSchema {
        service(TableChangeWatch.self).hasReportedTables = true
        send(SQLEvent.tablesChanged)
      }
      prepareConsole()
    } catch is CancellationError {
      send(
        SQLEvent.takenBack(
          request.number, "The statement was stopped; everything it had changed was rolled back.")
      )
    } catch {
      send(
        SQLEvent.failed(request.number, SQLFault(error, in: request.sql)))
    }
  }
}

/// The history of statements: a JSON array of texts, the latest one last.
struct SQLHistoryFile: Sendable {
  let url: URL

  init(_ url: URL) {
    self.url = url
  }

  /// - Throws: a sentence if the file exists and cannot be read.
  func read() throws -> [String] {
    guard FileManager.default.fileExists(atPath: url.path) else { return [] }
    do {
      return try JSONDecoder().decode(
        [String].self, from: Data(ReadableFile.contents(of: url.path, atMost: 1 << 26)))
    } catch {
      throw SQLHistoryFault(
        description:
          "The history of statements in \(url.path) cannot be read; the file was left as it is.")
    }
  }

  func write(_ texts: [String]) throws {
    // Statements may be private, so no other user can read the file.
    try NewFile.write(json: texts, to: url, .withoutEscapingSlashes)
  }
}

struct SQLHistoryFault: Error, CustomStringConvertible {
  let description: String
}
