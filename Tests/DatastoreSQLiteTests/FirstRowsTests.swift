import DatastoreCore
import DatastoreTestSupport
import Foundation
import Testing

@testable import DatastoreSQLite

/// The first rows of an order that no index has, looked for by several connections.
@Suite("First rows of an order")
struct FirstRowsTests {
  /// Records the statements of connections, and runs a closure when one of them begins to look in a range.
  private final class Statements: Sendable {
    private struct State {
      var ranges = 0
      var hook: (@Sendable () -> Void)?
    }

    private let state = Lock(State())

    var ranges: Int { state.withLock { $0.ranges } }

    func atFirstRange(_ body: @escaping @Sendable () -> Void) {
      state.withLock { $0.hook = body }
    }

    func record(_ sql: String) {
      let body = state.withLock { state -> (@Sendable () -> Void)? in
        guard sql.contains("`id` >= ?"), !sql.hasPrefix("EXPLAIN") else { return nil }
        state.ranges += 1
        defer { state.hook = nil }
        return state.hook
      }
      body?()
    }
  }

  private let file: ForeignFile
  private let store: SQLiteStore
  private let statements = Statements()

  init() throws {
    // Values come many times, some are missing, and names differ in more than case.
    file = try ForeignFile(
      """
      CREATE TABLE thing (id INTEGER PRIMARY KEY, size REAL, name TEXT, kind INTEGER);
      CREATE INDEX thing_kind ON thing (kind);
      WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
      INSERT INTO thing SELECT i * 7 - 1000, nullif((i * 7919) % 997, 5) / 2.0,
        char(65 + (i * 31) % 58) || (i * 101) % 89, i % 10 FROM n;
      CREATE TABLE part (id INTEGER PRIMARY KEY, thing_id INTEGER REFERENCES thing);
      CREATE INDEX part_thing ON part (thing_id);
      CREATE TABLE label (id INTEGER PRIMARY KEY, thing_id INTEGER REFERENCES thing);
      INSERT INTO part SELECT i, (SELECT id FROM thing WHERE id <= (i * 7919) % 400000 ORDER BY id DESC LIMIT 1)
        FROM (SELECT id AS i FROM thing WHERE id > 0 LIMIT 3000);
      INSERT INTO label SELECT * FROM part;
      """)
    let statements = statements
    store = try SQLiteStore(existing: file.url, trace: { statements.record($0) })
  }

  private var canReadRanges: Bool { ProcessInfo.processInfo.activeProcessorCount > 1 }

  private func keys(_ pages: [RowPage]) -> [RowKey] {
    pages.flatMap { page in (0..<page.rowCount).map { page.key(ofRow: $0) } }
  }

  private func request(
    _ order: [SortDescriptor], limit: Int = 100, offset: Int = 0, where predicate: Predicate? = nil
  ) -> FetchRequest {
    var request = FetchRequest(
      entity: "thing", predicate: predicate, sortDescriptors: order)
    request.limit = limit
    request.offset = offset
    return request
  }

  @Test("They are those that one connection finds, in the same order")
  func sameRows() async throws {
    let isHigh = Predicate.comparison(.init(.keyPath(["size"]), .greaterThan, .value(.real(400))))
    let requests = [
      request([SortDescriptor(["size"])]),
      request([SortDescriptor(["size"], ascending: false)], limit: 999),
      request([SortDescriptor(["name"]), SortDescriptor(["size"], ascending: false)], offset: 60),
      request([SortDescriptor(["name"], options: .caseInsensitive)], where: isHigh),
      request([SortDescriptor(["size"], ascending: false)], limit: 1),
      request([SortDescriptor(.count(["part"]), ascending: false)]),
    ]
    for request in requests {
      let before = statements.ranges
      let found = keys(try await store.fetch(request))
      #expect(statements.ranges > before || !canReadRanges)
      let expected = keys(try store.read { try self.store.fetch(request, in: $0) })
      #expect(found == expected)
      #expect(found.count == request.limit)
    }
  }

  @Test("Orders that an index has, and rows that one finds, are left to one connection")
  func indexed() async throws {
    let isThird = Predicate.comparison(.init(.keyPath(["kind"]), .equal, .value(.integer(3))))
    _ = try await store.fetch(request([SortDescriptor(["kind"])]))
    _ = try await store.fetch(request([SortDescriptor(["size"])], where: isThird))
    _ = try await store.fetch(request([SortDescriptor(["size"])], limit: 5000))
    // Here SQLite makes an index of its own, which each connection would have to.
    let byLabels = request([SortDescriptor(.count(["label"]), ascending: false)], limit: 3000)
    let counted = keys(try await store.fetch(byLabels))
    let byParts = request([SortDescriptor(.count(["part"]), ascending: false)], limit: 3000)
    #expect(counted == keys(try await store.fetch(byParts)))
    #expect(statements.ranges == 0)
  }

  @Test("When the task is cancelled while they are looked for, the fetch ends")
  func cancelling() async throws {
    guard canReadRanges else { return }
    let store = store
    let request = request([SortDescriptor(["size"])])
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    let isCancelled = DispatchSemaphore(value: 0)
    statements.atFirstRange {
      continuation.yield()
      isCancelled.wait()
    }
    let fetch = Task { try await store.fetch(request) }
    for await _ in stream { break }
    fetch.cancel()
    isCancelled.signal()
    await #expect(throws: CancellationError.self) { _ = try await fetch.value }
    // The connections can be used again.
    #expect(keys(try await store.fetch(request)).count == 100)
  }

  @Test("A whole table whose keys have no gaps is listed without reading them")
  func unbroken() throws {
    let list = try store.answer(KeyListQuestion(FetchRequest(entity: "thing")))
    #expect(list.keys.elementsEqual((1...60_000).map { RowKey($0 * 7 - 1000) }))
    let dense = try ForeignFile(
      """
      CREATE TABLE thing (id INTEGER PRIMARY KEY);
      WITH RECURSIVE n (i) AS (VALUES (-5) UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO thing SELECT i FROM n;
      """)
    let statements = Lock<[String]>([])
    let other = try SQLiteStore(
      existing: dense.url, trace: { sql in statements.withLock { $0.append(sql) } })
    #expect(
      try other.answer(KeyListQuestion(FetchRequest(entity: "thing"))).keys.elementsEqual(
        [RowKey](-5...5000))
    )
    #expect(!statements.withLock { $0.contains { $0.contains("ORDER BY") } })
    let isSmall = Predicate.comparison(.init(.keyPath(["id"]), .lessThan, .value(.integer(0))))
    #expect(
      try other.answer(KeyListQuestion(FetchRequest(entity: "thing", predicate: isSmall))).keys
        == [-5, -4, -3, -2, -1])
  }
}

/// Which columns of references hold integers only, so that their index gives the order.
@Suite("References in index order")
struct IntegerReferenceTests {
  private func order(_ values: String) throws -> (list: KeyList, sections: [KeyList.Section]) {
    let file = try ForeignFile(
      """
      CREATE TABLE part (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE thing (id INTEGER PRIMARY KEY, part_id INTEGER REFERENCES part (id));
      CREATE INDEX thing_part ON thing (part_id);
      PRAGMA foreign_keys = OFF;
      INSERT INTO thing (part_id) VALUES \(values);
      """)
    let store = try file.open(isReadOnly: true)
    let request = FetchRequest(entity: "thing")
    let list = try store.answer(KeyListQuestion(request, groupBy: ["part"]))
    return (list, try store.answer(SectionsQuestion(request, groupBy: ["part"])))
  }

  @Test("Sections are the same whatever else the column holds")
  func sections() throws {
    let plain = try order("(2), (NULL), (1), (2), (1)")
    #expect(plain.list.keys == [2, 3, 5, 1, 4])
    #expect(plain.list.sections.map(\.value) == [.null, .integer(1), .integer(2)])
    #expect(plain.sections == plain.list.sections)
    // A value that is not an integer leads nowhere, and has a section of its own after NULL.
    for other in ["1.5", "'x'", "x'00'", "1e300"] {
      let mixed = try order("(2), (NULL), (1), (\(other)), (1)")
      #expect(mixed.list.keys == [2, 4, 3, 5, 1], "\(other)")
      #expect(mixed.list.sections.map(\.count) == [1, 1, 2, 1])
      #expect(mixed.list.sections.first?.value == .null)
      #expect(mixed.sections == mixed.list.sections)
    }
  }

  @Test("A column of very many different values is read whole")
  func manyValues() throws {
    let values = (1...5000).map { "(\($0 * 3))" }.joined(separator: ", ")
    let plain = try order(values)
    #expect(plain.list.sections.count == 5000)
    let mixed = try order(values + ", ('x')")
    #expect(mixed.list.sections.count == 5001)
    #expect(mixed.list.sections.first?.count == 1)
    #expect(mixed.list.keys.first == 5001)
  }
}
