import DatastoreCore
import GRDB

/// Reading without blocking a thread. When the task is cancelled, SQLite is interrupted and
/// `CancellationError` is thrown.
extension SQLiteStore {
  /// Runs `body` on a reading connection, on the connection's queue, outside of the task.
  ///
  /// The connection is also returned to the pool there. GRDB's own asynchronous `read` returns it in the
  /// task: if threads of tasks wait for a connection, none may be left to do that.
  func readAsync<T: Sendable>(
    reporting progress: ReadProgress? = nil, _ body: @escaping @Sendable (Database) throws -> T
  ) async throws -> T {
    do {
      try requireOpen()
      do {
        return try await readOnce(reporting: progress, body)
      } catch let error as DatabaseError where HotJournal.isCause(of: error) {
        try await BlockingWork.run { try HotJournal.rollBack(self.path) }
        return try await readOnce(reporting: progress, body)
      }
    } catch let error as DatabaseError {
      if error.resultCode == .SQLITE_INTERRUPT || error.resultCode == .SQLITE_ABORT {
        try Task.checkCancellation()
      }
      throw storeError(error)
    }
  }

  private func readOnce<T: Sendable>(
    reporting progress: ReadProgress?, _ body: @escaping @Sendable (Database) throws -> T
  ) async throws -> T {
    let read = InterruptibleRead(reporting: progress)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        reader.asyncRead { result in
          continuation.resume(
            with: Result {
              try read.run(in: try result.get()) { try self.onKnownTables($0, body) }
            })
        }
      }
    } onCancel: {
      read.cancel()
    }
  }
}
