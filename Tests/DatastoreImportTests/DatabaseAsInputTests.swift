import DatastoreCore
import DatastoreImport
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import Testing

@Suite("A database given as a file of rows")
struct DatabaseAsInputTests {
  @Test("It is refused without being opened beside SQLite")
  func refused() throws {
    let directory = try TemporaryDirectory()
    let url = directory.url.appendingPathComponent("f.csv")
    try SQLiteFile.make(
      at: url, "PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (1)")
    let store = try SQLiteStore(existing: url)
    #expect(try store.answer(SQLQuestion("SELECT x FROM t", [])).rows == [[1]])
    let index = URL(fileURLWithPath: url.path + "-shm")
    let locks = (FileLocks.held(on: url), FileLocks.held(on: index))
    #expect(!locks.0.isEmpty && !locks.1.isEmpty)
    for suffix in ["", "-wal", "-shm"] {
      #expect(throws: ImportError.self) { _ = try ByteInput(path: url.path + suffix) }
      #expect(throws: ImportError.self) {
        _ = try ImportPreview(path: url.path + suffix, reading: ReadingOptions())
      }
    }
    #expect(FileLocks.held(on: url) == locks.0)
    #expect(FileLocks.held(on: index) == locks.1)
    try store.close()
  }
}
