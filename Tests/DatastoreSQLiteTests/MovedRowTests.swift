import DatastoreCore
import DatastoreSQL
import DatastoreTestSupport
import Foundation
import Testing

@testable import DatastoreSQLite

/// Looking for rows that have come to have other rowids.
@Suite("The search for moved rows") struct MovedRowTests {
  private func makeStore(_ sql: String) throws -> (TemporaryDirectory, URL, SQLiteStore) {
    let directory = try TemporaryDirectory()
    let url = directory.url.appendingPathComponent("moved.db")
    try SQLiteFile.make(at: url, sql)
    return (directory, url, try SQLiteStore(existing: url))
  }

  @Test("Finds each row by all that it holds: class of storage, case and bytes")
  func exactly() throws {
    let (directory, _, store) = try makeStore(
      """
      CREATE TABLE t (a, b TEXT COLLATE NOCASE, c BLOB);
      INSERT INTO t VALUES (1, 'x', NULL), (1.0, 'x', NULL), ('1', 'x', NULL), (1, 'X', NULL),
        (1, NULL, x'00'), (1, NULL, x'0000'), (NULL, NULL, NULL), (2, 'y', NULL), (2, 'y', NULL);
      """)
    defer { withExtendedLifetime(directory) {} }
    let pages = try store.fetch(FetchRequest(entity: "t"))
    let rows = pages.flatMap { page in (0..<page.rowCount).map { RowReference(page, $0) } }
    #expect(rows.count == 9)
    for (index, row) in rows.enumerated() {
      let found = try store.findRows(entity: 0, equalTo: [row])
      #expect(found == (index < 7 ? [0: RowKey(index + 1)] : [:]), "\(index)")
    }
    // All at once; those that are equal to each other are found for neither.
    let found = try store.findRows(entity: 0, equalTo: rows + [rows[0]])
    #expect(found == [1: 2, 2: 3, 3: 4, 4: 5, 5: 6, 6: 7])
    #expect(try store.findRows(entity: 0, equalTo: []).isEmpty)
    try store.close()
  }

  @Test("A save that looks through a large table for a row can be stopped")
  func stopping() throws {
    let (directory, url, store) = try makeStore(
      """
      CREATE TABLE t (a TEXT, n INT);
      WITH RECURSIVE i (x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM i WHERE x < 200000)
      INSERT INTO t SELECT 'row ' || x, x FROM i;
      """)
    defer { withExtendedLifetime(directory) {} }
    let page = try #require(try store.rows(entity: 0, keys: [5]).first)
    try SQLiteFile.make(at: url, "DELETE FROM t WHERE n < 3 OR n = 5; VACUUM")
    var changes = ChangeSet()
    var change = EntityChanges(entity: 0)
    let new = RowReference([.text("row 5"), .integer(50)], key: 5, columnCount: 2)
    change.updated = [
      RowUpdate(
        key: 5, page: new.page, row: new.row, original: page, originalRow: 0, slots: SlotSet([1]))
    ]
    changes.entities = [change]
    let questions = Lock(0)
    #expect(throws: CancellationError.self) {
      try store.save(changes) {
        questions.withLock { count in
          count += 1
          return count > 100
        }
      }
    }
    // Without a stop, it searches the whole table, and reports that the row is nowhere.
    #expect(throws: ConflictError.self) { try store.save(changes) }
    #expect(try SQLiteFile.output(of: "SELECT count(*) FROM t WHERE n = 50", at: url) == "1\n")
    try store.close()
  }

  @Test("A single row that cannot be read is an error, not the end of the program")
  func lockedRow() throws {
    let (directory, url, store) = try makeStore(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); INSERT INTO t VALUES (1, 'x');")
    defer { withExtendedLifetime(directory) {} }
    #expect(try store.rows(entity: 0, keys: [1]).map(\.rowCount) == [1])
    let lock = try SQLiteLock(url)
    let error = #expect(throws: StoreError.self) { try store.rows(entity: 0, keys: [1]) }
    #expect("\(error.map(String.init(describing:)) ?? "")".contains("locked"))
    withExtendedLifetime(lock) {}
    try store.close()
  }
}
