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

  func readAsync<T: Sendable>(
    _ body: @Sendable (Database) throws -> T
  ) async throws -> T {
    do {
      try requireOpen()
      return try await reader.read { database in
        // An interrupt that comes before the first step would be lost.
        try Task.checkCancellation()
        return try body(database)
      }
    } catch let error as DatabaseError {
      if error.resultCode == .SQLITE_INTERRUPT || error.resultCode == .SQLITE_ABORT {
        try Task.checkCancellation()
      }
      throw storeError(error)
    }
  }
}
