import DatastoreCore
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import Testing

/// Queries that would never end by themselves: cancelling the task ends them.
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
      _ = try await store.answer(CountQuestion(FetchRequest(entity: "endless")))
    }
  }

  @Test("The search for values", .timeLimit(.minutes(20)))
  func distinctValues() async throws {
    try await interrupt("SELECT DISTINCT") { store in
      _ = try await store.answer(
        DistinctValuesQuestion(of: "i", entity: 0, beginningWith: "x", limit: 1))
    }
  }

  @Test("A statement that writes", .timeLimit(.minutes(20)), arguments: ["DELETE", "WAL"])
  func writing(journalMode: String) throws {
    let directory = try TemporaryDirectory()
    let url = directory.url.appendingPathComponent("endless.db")
    try SQLiteFile.make(
      at: url,
      """
      PRAGMA journal_mode = \(journalMode);
      CREATE TABLE t (id INTEGER PRIMARY KEY, n INT);
      INSERT INTO t VALUES (1, 1);
      """)
    let store = try SQLiteStore(existing: url)
    // SQLite asks again and again while rows are written; the hundredth answer is yes.
    let questions = Lock(0)
    #expect(throws: CancellationError.self) {
      _ = try store.execute(
        """
        INSERT INTO t (n) WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n)
          SELECT i FROM n
        """, [],
        unless: {
          questions.withLock { count in
            count += 1
            return count >= 100
          }
        })
    }
    #expect(try SQLiteFile.values("SELECT count(*) || '' FROM t", in: url) == ["1"])
    // A query that was cancelled before it began does nothing; the next one works as usual.
    #expect(throws: CancellationError.self) {
      _ = try store.execute("DELETE FROM t", [], unless: { true })
    }
    let update = try store.execute("UPDATE t SET n = 2", [], unless: { false })
    #expect(update.rows == 1 && !update.changesSchema)
    #expect(try store.execute("ALTER TABLE t ADD COLUMN m INT", []).changesSchema)
    try store.close()
    #expect(try SQLiteFile.values("SELECT n || '' FROM t", in: url) == ["2"])
  }
}
