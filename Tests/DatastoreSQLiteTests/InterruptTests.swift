import DatastoreCore
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import Testing

/// Queries that would never end by themselves: cancelling the task is what ends them.
@Suite("Interrupting") struct InterruptTests {
  /// Runs a question that never ends, cancels it when SQLite has begun with it, and expects that it
  /// ends by that.
  private func interrupt(
    _ statement: String, _ ask: @escaping @Sendable (SQLiteStore) async throws -> Void
  ) async throws {
    let directory = try TemporaryDirectory()
    let url = directory.url.appendingPathComponent("endless.db")
    try SQLiteFile.make(
      at: url,
      """
      CREATE VIEW endless AS WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n)
        SELECT i FROM n;
      """)
    let (begun, continuation) = AsyncStream<Void>.makeStream()
    let store = try SQLiteStore(
      existing: url, isReadOnly: true,
      trace: { if $0.contains(statement) { continuation.yield() } })
    let task = Task { try await ask(store) }
    for await _ in begun { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try store.close()
  }

  @Test("A count", .timeLimit(.minutes(20)))
  func count() async throws {
    try await interrupt("count(*)") { store in
      _ = try await store.count(FetchRequest(entity: "endless"))
    }
  }

  @Test("The search for values", .timeLimit(.minutes(20)))
  func distinctValues() async throws {
    try await interrupt("SELECT DISTINCT") { store in
      _ = try await store.distinctValues(of: "i", entity: 0, beginningWith: "x", limit: 1)
    }
  }
}
