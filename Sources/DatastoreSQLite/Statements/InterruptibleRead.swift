import DatastoreCore
import GRDB
import GRDBSQLite
import Synchronization

/// A question that is being answered on a queue of the store, which can be cancelled.
final class InterruptibleRead: Sendable {
  private let isCancelled = Atomic(false)
  /// The connection that answers, while it does. Used under the lock only, so that it stays open that
  /// long.
  private let connection = Lock<OpaquePointer?>(nil)
  /// The instructions that were executed, as far as they were counted; written by the connection's queue.
  private let executed = Atomic(0)
  private let progress: ReadProgress?

  /// Instructions of SQLite's machine between two looks at whether the question was taken back: some tens
  /// of microseconds.
  private static let instructions: Int32 = 4_000

  /// - Parameter progress: hears now and then how many instructions were executed.
  init(reporting progress: ReadProgress?) {
    self.progress = progress
  }

  /// Answers on that connection, until it is cancelled. Called once.
  ///
  /// - Throws: `CancellationError` when the question was taken back before; else what `body` throws. A
  ///   statement that is running then, or is begun later, ends with `SQLITE_INTERRUPT`.
  func run<Answer>(in database: Database, _ body: (Database) throws -> Answer) throws -> Answer {
    let pointer = database.sqliteConnection
    connection.withLock { $0 = pointer }
    // An interrupt ends the statements that run just then; this one stays for those that come later.
    sqlite3_progress_handler(
      pointer, Self.instructions,
      { context in
        guard let context else { return 0 }
        let read = Unmanaged<InterruptibleRead>.fromOpaque(context).takeUnretainedValue()
        if let progress = read.progress {
          let step = Int(InterruptibleRead.instructions)
          progress(read.executed.wrappingAdd(step, ordering: .relaxed).newValue)
        }
        return read.isCancelled.load(ordering: .relaxed) ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
    defer {
      sqlite3_progress_handler(pointer, 0, nil, nil)
      connection.withLock { $0 = nil }
    }
    if isCancelled.load(ordering: .relaxed) { throw CancellationError() }
    return try body(database)
  }

  /// Takes the question back. From any thread.
  func cancel() {
    isCancelled.store(true, ordering: .relaxed)
    // Counting all rows of a table is one instruction, which only this ends.
    connection.withLock { connection in
      if let connection { sqlite3_interrupt(connection) }
    }
  }
}
