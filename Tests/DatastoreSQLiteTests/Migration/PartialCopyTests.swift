import DatastoreCore
import DatastoreTestSupport
import Foundation
import Testing

@testable import DatastoreSQLite

// Promise: `kill -9` while the old file is copied → the next migration removes what is left of the copy.
@Suite("What is left of a copy before a migration")
struct PartialCopyTests {
  @Test("It goes with the next migration of its file, and that of another file stays")
  func left() throws {
    let file = try MigratedFile([InferredMigrationTests.person], InferredMigrationTests.people)
    let other = file.url.deletingLastPathComponent().appendingPathComponent("other.sqlite")
    try SQLiteFile.make(at: other, "CREATE TABLE t (x)")
    func leave(of url: URL) throws -> String {
      let path = try #require(PartialCopies(of: url.path, for: file.backupPath)).newPath
      for ending in ["", "-journal"] {
        try Data("incomplete".utf8).write(to: URL(fileURLWithPath: path + ending))
      }
      return path
    }
    let own = try leave(of: file.url)
    let foreign = try leave(of: other)
    func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
    func migrate() throws {
      let new = [entity("Person", attribute("name", isOptional: false))]
      try file.migrate(to: new, .declared(["Person.tel"])) { $0.backupPath = file.backupPath }
    }
    // Whoever has locked the file may be making it.
    let lock = try SQLiteLock(file.url, forWriting: true)
    #expect(throws: StoreError.self) { try migrate() }
    #expect(isThere(own))
    try lock.release()
    try migrate()
    #expect(!isThere(own) && !isThere(own + "-journal"))
    #expect(isThere(foreign) && isThere(file.backupPath))
  }
}
