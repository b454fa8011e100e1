package import DatastoreCore
import GRDB

/// The same questions without blocking a thread. When the task is cancelled, SQLite is interrupted
/// and `CancellationError` is thrown.
extension SQLiteStore {
  package func fetchKeys(_ request: DatastoreCore.FetchRequest) async throws -> [Int64] {
    try await readAsync { try self.fetchKeys(request, in: $0) }
  }

  package func count(_ request: DatastoreCore.FetchRequest) async throws -> Int {
    try await readAsync { try self.count(request, in: $0) }
  }

  package func keyList(
    _ request: DatastoreCore.FetchRequest, groupBy path: [String]? = nil
  ) async throws -> KeyList {
    try await readAsync { try self.keyList(request, groupBy: path, in: $0) }
  }

  package func sections(
    _ request: DatastoreCore.FetchRequest, groupBy path: [String]
  ) async throws -> [KeyList.Section] {
    try await readAsync { try self.sections(request, groupBy: path, in: $0) }
  }

  /// Runs `body` on a reading connection, on the connection's queue, outside of the task.
  ///
  /// The connection is given back there, too. GRDB's own asynchronous `read` gives it back in the task:
  /// where threads of tasks wait for a connection, none may be left to do that.
  func readAsync<T: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> T
  ) async throws -> T {
    do {
      try requireOpen()
      do {
        return try await readOnce(body)
      } catch let error as DatabaseError where HotJournal.isCause(of: error) {
        try await BlockingWork.run { try HotJournal.rollBack(self.path) }
        return try await readOnce(body)
      }
    } catch let error as DatabaseError {
      if error.resultCode == .SQLITE_INTERRUPT || error.resultCode == .SQLITE_ABORT {
        try Task.checkCancellation()
      }
      throw storeError(error)
    }
  }

  private func readOnce<T: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> T
  ) async throws -> T {
    let read = InterruptibleRead()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        reader.asyncRead { result in
          continuation.resume(with: Result { try read.run(in: try result.get(), body) })
        }
      }
    } onCancel: {
      read.cancel()
    }
  }
}
