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
}
