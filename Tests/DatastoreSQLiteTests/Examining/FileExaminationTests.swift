import DatastoreCore
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import Testing

// Promise: a file is examined → no byte of it changes, nor of what lies beside it; also an unfinished save
// stays as it is.
// Also: (every test compares all bytes)
/// What is found in files that something has happened to, and that nothing is written while it is.
@Suite(
  "Examining files", .enabled(if: SQLiteCommand.isPresent, "\(SQLiteCommand.absence)"))
struct FileExaminationTests {
  private let folder: TemporaryDirectory
  private var file: URL { folder.file("f.sqlite") }

  init() throws {
    folder = try TemporaryDirectory()
  }

  /// Examines the file, and requires that it and all files beside it are unchanged.
  private func examine(_ version: Int32 = 3_053_004, ownProgram: String? = nil) throws
    -> FileExamination
  {
    let before = try contents()
    let examination = try FileExamination(of: file, libraryVersion: version, ownProgram: ownProgram)
    #expect(try contents() == before)
    return examination
  }

  /// By name. The index of a log is left out, which SQLite writes whenever it reads.
  private func contents() throws -> [String: Data] {
    let names = try folder.names().filter { !$0.hasSuffix("-shm") }
    return try Dictionary(
      uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: folder.file($0))) })
  }

  private func found(_ examination: FileExamination, _ topic: String) -> [String] {
    examination.findings.filter { $0.topic == topic }.map(\.text)
  }

  private func concerns(_ examination: FileExamination) -> [String] {
    examination.findings.filter { $0.weight > .fact }.map { "\($0.topic): \($0.text)" }
  }

  @Test("A file in order: what wrote it, how it keeps what is saved, what it holds")
  func sound() throws {
    try SQLiteCommand.run(
      """
      PRAGMA page_size = 8192; PRAGMA encoding = 'UTF-16le'; CREATE TABLE p (id INTEGER PRIMARY KEY);
      CREATE TABLE c (p REFERENCES p); INSERT INTO p VALUES (1); INSERT INTO c VALUES (1), (NULL)
      """, on: file)
    let examination = try examine()
    #expect(examination.weight == .fact, "\(concerns(examination))")
    #expect(
      found(examination, "SQLite") == ["this program uses 3.53.4"]
        && found(examination, "journal") == ["a rollback journal"])
    #expect(found(examination, "pages") == ["8192 bytes each"])
    #expect(found(examination, "text") == ["UTF-16le"])
    #expect(found(examination, "quick_check") == ["ok"])
    #expect(found(examination, "integrity_check") == ["ok"])
    #expect(found(examination, "open in").first?.hasPrefix("no one else") ?? false)
    #expect(found(examination, "beside it") == ["nothing"])
    // The sqlite3 program uses another copy of the library, whose version it prints first.
    let version = try SQLiteCommand.run("SELECT sqlite_version()", on: file)
    #expect(
      found(examination, "written by").first?.hasPrefix("SQLite \(version)") ?? false)
  }

  @Test(
    "Bytes that were overwritten are damage, as SQLite's own program finds it",
    arguments: [1, 2, 3])
  func damaged(seed: UInt64) throws {
    try SQLiteCommand.run(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT); CREATE INDEX i ON t (x);
      WITH n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
      INSERT INTO t SELECT i, hex(randomblob(20)) FROM n
      """, on: file)
    #expect(try examine().weight == .fact)
    var random = SeededRandom(seed: seed)
    var bytes = try Data(contentsOf: file)
    // The beginning of a page of a tree, which describes its content.
    let page = 2 + random.below(bytes.count / 4_096 - 3)
    for place in 0..<200 { bytes[page * 4_096 + place] = UInt8(random.below(256)) }
    try bytes.write(to: file)
    let oracle = try? SQLiteCommand.run("PRAGMA integrity_check", on: file)
    #expect(oracle != "ok")
    let examination = try examine()
    #expect(examination.weight == .damage)
    let advice = examination.findings.compactMap(\.advice)
    #expect(advice.contains { $0.contains(".recover") }, "seed \(seed)")
  }

  @Test("A schema that cannot be read is damage, what is no database is an error")
  func unreadable() throws {
    try SQLiteCommand.run("CREATE TABLE t (x); INSERT INTO t VALUES (1)", on: file)
    var bytes = try Data(contentsOf: file)
    for place in 100..<200 { bytes[place] = 0xFF }
    try bytes.write(to: file)
    #expect(try examine().weight == .damage)
    try Data("name,age\nAda,36\n".utf8).write(to: file)
    #expect(throws: StoreError.self) { try FileExamination(of: file) }
    try FileManager.default.removeItem(at: file)
    #expect(throws: StoreError.missingFile(path: file.path)) { try FileExamination(of: file) }
  }

  @Test("References to rows that are not there, and foreign keys that cannot be checked")
  func orphans() throws {
    try SQLiteCommand.run(
      """
      CREATE TABLE owner (id INTEGER PRIMARY KEY);
      CREATE TABLE pet (name TEXT, owner INTEGER REFERENCES owner);
      CREATE TABLE vet (a, b, PRIMARY KEY (a, b)) WITHOUT ROWID;
      CREATE TABLE visit (x, y, FOREIGN KEY (x, y) REFERENCES vet);
      CREATE TABLE odd (x REFERENCES pet (name));
      INSERT INTO pet VALUES ('Rex', 7), ('Tom', NULL), ('Bo', 8);
      INSERT INTO visit VALUES (1, 2); INSERT INTO odd VALUES ('nobody')
      """, on: file)
    let examination = try examine()
    #expect(examination.weight == .attention)
    #expect(
      found(examination, "foreign keys") == [
        "2 rows of pet (rows 1 to 3) refer by owner to owner, where no row has that key",
        "a row of visit (row 1) refers by x, y to vet, where no row has that key",
        "odd: foreign key mismatch - \"odd\" referencing \"pet\"",
      ])
    #expect(found(examination, "integrity_check") == ["ok"])
  }

  @Test(
    "A log and a journal that a killed program has left, and a log that belongs to another file")
  func leftovers() throws {
    let other = try SQLiteProgram(file)
    _ = other.run("PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (1);")
    func copy(_ suffixes: [String], to name: String) throws {
      for suffix in suffixes {
        #expect(
          try spawn(
            "/bin/cp", [file.path + suffix, folder.path(name) + suffix],
            output: URL(fileURLWithPath: "/dev/null")) == 0)
      }
    }
    try copy(["", "-wal"], to: "killed.sqlite")
    _ = other.run(
      """
      PRAGMA journal_mode = DELETE; PRAGMA cache_size = 5; BEGIN;
      WITH n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 200)
      INSERT INTO t SELECT randomblob(4000) FROM n;
      """)
    try copy(["", "-journal"], to: "half.sqlite")
    _ = other.run("ROLLBACK;")
    func beside(_ name: String) throws -> String {
      let before = try contents()
      let examination = try FileExamination(of: folder.file(name))
      #expect(try contents() == before)
      #expect(examination.weight == .attention, "\(concerns(examination))")
      return examination.findings.first { $0.topic == "beside it" }?.advice ?? ""
    }
    #expect(try beside("killed.sqlite").contains("ended without closing the file"))
    #expect(try beside("half.sqlite").contains("in the middle of a save"))
    // The sqlite3 program rolls it back; then all is well.
    #expect(try SQLiteCommand.run("SELECT count(*) FROM t", on: folder.file("half.sqlite")) == "1")
    #expect(try FileExamination(of: folder.file("half.sqlite")).weight == .fact)
    try FileManager.default.moveItem(
      atPath: folder.path("killed.sqlite-wal"), toPath: folder.path("half.sqlite-wal"))
    #expect(try beside("half.sqlite").contains("one of the two has been replaced"))
  }

  // Promise: another program with an affected SQLite has a file in WAL mode open → not prevented;
  // `datastore doctor` says so.
  @Test(
    "Another program that has a file in WAL mode open is told, where a SQLite with the bug is in use"
  )
  func openElsewhere() throws {
    let other = try SQLiteProgram(file)
    _ = other.run("PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (1);")
    let affected = try examine(3_040_001)
    let who = try #require(found(affected, "open in").first)
    #expect(who.contains(/sqlite3 \(process \d+\)/), "\(who)")
    #expect(found(affected, "SQLite").first?.contains("has the WAL-reset bug") ?? false)
    #expect(concerns(affected) == ["open in: \(who)"])
    #expect(
      affected.findings.compactMap(\.advice).contains {
        $0.contains("https://sqlite.org/wal.html#walresetbug")
      })
    // Our own processes guard their checkpoints.
    #expect(try examine(3_040_001, ownProgram: "sqlite3").weight == .fact)
    // Without WAL the bug does not exist.
    _ = other.run("PRAGMA journal_mode = DELETE; SELECT * FROM t;")
    let without = try examine(3_040_001)
    #expect(without.weight == .fact, "\(concerns(without))")
    #expect(found(without, "open in").first?.contains("sqlite3") ?? false)
  }

  @Test("The version that wrote a file last counts, too, and one that is not affected does not")
  func writers() throws {
    let other = try SQLiteProgram(file)
    _ = other.run("PRAGMA journal_mode = WAL; CREATE TABLE t (x); PRAGMA wal_checkpoint(TRUNCATE);")
    for (version, isAffected) in [(3_044_005, true), (3_044_006, false), (3_051_003, false)] {
      var bytes = try Data(contentsOf: file)
      for place in 0..<4 { bytes[96 + place] = UInt8(version >> (24 - place * 8) & 0xFF) }
      try bytes.write(to: folder.file("copy.sqlite"))
      let examination = try FileExamination(
        of: folder.file("copy.sqlite"), libraryVersion: 3_053_004)
      let writer = found(examination, "written by").first ?? ""
      #expect(writer.contains("which has the WAL-reset bug") == isAffected, "\(writer)")
    }
  }

  @Test("Counters of keys: as they should be, behind the rows, of a table that is gone")
  func counters() throws {
    try SQLiteCommand.run(
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT); INSERT INTO a VALUES (5);
      CREATE TABLE b (id INTEGER PRIMARY KEY AUTOINCREMENT); INSERT INTO b VALUES (9);
      UPDATE sqlite_sequence SET seq = 2 WHERE name = 'b'; INSERT INTO sqlite_sequence VALUES ('gone', 3)
      """, on: file)
    let examination = try examine()
    #expect(
      found(examination, "counters") == [
        "5 for a", "2 for b, whose greatest key is 9", "3 for gone, which is not a table any more",
      ])
    #expect(concerns(examination) == ["counters: 2 for b, whose greatest key is 9"])
  }

  @Test(
    "A native store: sound, with tables that somebody has changed, with fingerprints that are not its own"
  )
  func native() throws {
    try SQLiteStore(CompanySchema.schema, at: file).close()
    let sound = try examine()
    #expect(sound.weight == .fact, "\(concerns(sound))")
    let maker = try #require(found(sound, "made by").first)
    #expect(maker.hasPrefix("SwiftDatastore, format 2"))
    #expect(
      maker.hasSuffix(
        try SQLiteCommand.run("SELECT value FROM _datastore WHERE key = 'uuid'", on: file)))
    #expect(found(sound, "journal") == ["a write-ahead log (WAL mode)"])

    try SQLiteCommand.run(
      "UPDATE _datastore SET value = '0' WHERE key = 'hash:Tag'; DROP TABLE Tag", on: file)
    let changed = try examine()
    #expect(changed.weight == .attention)
    #expect(found(changed, "fingerprints") == ["of Tag: not as computed"])
    #expect(
      found(changed, "entities").first?.contains("Other tools have changed this store") ?? false)

    try SQLiteCommand.run("UPDATE _datastore SET value = '77' WHERE key = 'format'", on: file)
    #expect(try concerns(examine()).contains { $0.hasPrefix("entities: ") && $0.contains("77") })
  }

  @Test("What browsers, migrations and copies have left")
  func ownLeftovers() throws {
    try SQLiteCommand.run("CREATE TABLE t (x)", on: file)
    for name in [".f.sqlite.datastore-recovery", ".f.sqlite.migrating", "f.sqlite.1234.partial"] {
      try folder.write("x", to: name)
    }
    let examination = try examine()
    #expect(concerns(examination).count == 3)
    let advice = examination.findings.compactMap(\.advice).joined()
    #expect(advice.contains("it offers them") && advice.contains("it can be removed"))
  }
}
