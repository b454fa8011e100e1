import DatastoreTestSupport
import Foundation
import Testing

/// `datastore copy` of a file into another one.
@Suite("datastore copy of files")
struct CopyFileTests {
  private let program: Program

  init() throws { program = try Program() }

  private func url(_ name: String) -> URL { program.directory.file(name) }

  private func mode(of name: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: url(name).path)
    return try #require(attributes[.posixPermissions] as? NSNumber).intValue
  }

  @Test("A copy has the permissions of the file, whether it is another program's or a store")
  func permissions() async throws {
    try SQLiteFile.make(at: url("private.sqlite"), "CREATE TABLE t (a)")
    try program.directory.write("id\n1\n", to: "a.csv")
    _ = try await program.run("load", "a.csv", "--into", "store.sqlite", "--quiet")
    for name in ["private.sqlite", "store.sqlite"] {
      for mode in [0o600, 0o664] {
        try FileManager.default.setAttributes(
          [.posixPermissions: mode], ofItemAtPath: url(name).path)
        let copied = try await program.run("copy", name, "--into", "copy-\(mode)-\(name)")
        #expect(copied.status == 0, "\(copied)")
        #expect(try self.mode(of: "copy-\(mode)-\(name)") == mode)
      }
    }
  }

  @Test("The copy of a file in WAL mode is a single file in that mode")
  func journalMode() async throws {
    try SQLiteFile.make(
      at: url("log.sqlite"),
      "PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES ('one')")
    let copied = try await program.run("copy", "log.sqlite", "--into", "copy.sqlite")
    #expect(copied.status == 0, "\(copied)")
    #expect(try program.directory.names().filter { $0.hasPrefix("copy") } == ["copy.sqlite"])
    #expect(
      try SQLiteFile.values("SELECT journal_mode FROM pragma_journal_mode", in: url("copy.sqlite"))
        == ["wal"])
    #expect(try SQLiteFile.values("SELECT a FROM t", in: url("copy.sqlite")) == ["one"])
  }

  @Test("A symbolic link that leads nowhere is no place for a copy")
  func danglingLink() async throws {
    try SQLiteFile.make(at: url("a.sqlite"), "CREATE TABLE t (a)")
    try FileManager.default.createSymbolicLink(
      atPath: url("link.sqlite").path, withDestinationPath: "nowhere.sqlite")
    let copied = try await program.run("copy", "a.sqlite", "--into", "link.sqlite")
    #expect(copied.status == 73, "\(copied)")
    #expect(copied.errors.contains("link.sqlite is a symbolic link"), "\(copied)")
    #expect(try !program.directory.names().contains("nowhere.sqlite"))
  }

  @Test("Damaged pages are told, and copied")
  func damage() async throws {
    try SQLiteFile.make(
      at: url("damaged.sqlite"),
      """
      PRAGMA page_size = 4096; CREATE TABLE t (a TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO t SELECT hex(zeroblob(20)) FROM n
      """)
    let file = try FileHandle(forWritingTo: url("damaged.sqlite"))
    // The header counts free pages that there are not.
    try file.seek(toOffset: 36)
    try file.write(contentsOf: Data([0, 0, 0, 5]))
    try file.close()
    let copied = try await program.run("copy", "damaged.sqlite", "--into", "copy.sqlite")
    #expect(copied.status == 1, "\(copied)")
    #expect(
      copied.errors.contains("damaged.sqlite has faults, which the copy has, too: Main "),
      "\(copied)")
    #expect(try program.directory.names().contains("copy.sqlite"))
  }
}
