import DatastoreCore
import GRDB
import GRDBSQLite
import Synchronization

/// A question being answered on a queue of the store, which can be cancelled.
final class InterruptibleRead: Sendable {
  private let isCancelled = Atomic(false)
  /// The connection, while it answers. Used only under the lock, so that it stays open meanwhile.
  private let connection = Lock<OpaquePointer?>(nil)
  /// The number of executed instructions counted so far; written by the connection's queue.
  private let executed = Atomic(0)
  private let progress: ReadProgress?

  /// Instructions of SQLite's virtual machine between two checks for cancellation: some tens of microseconds.
  private static let instructions: Int32 = 4_000

  /// - Parameter progress: receives the number of executed instructions now and then.
  init(reporting progress: ReadProgress?) {
    self.progress = progress
  }

  /// Answers on a connection, until it is cancelled. Called once.
  ///
  /// - Throws: `CancellationError` when the question was cancelled before; otherwise the errors of `body`. A
  ///   statement that is running when it is cancelled, or begins later, ends with `SQLITE_INTERRUPT`.
  func run<Answer>(in database: Database, _ body: (Database) throws -> Answer) throws -> Answer {
    let pointer = database.sqliteConnection
    connection.withLock { $0 = pointer }
    // An interrupt ends only running statements; this handler also ends later ones.
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

  /// Cancels the question. From any thread.
  func cancel() {
    isCancelled.store(true, ordering: .relaxed)
    // Counting all rows of a table is one instruction, which only an interrupt ends.
    connection.withLock { connection in
      if let connection { sqlite3_interrupt(connection) }
    }
  }
}
