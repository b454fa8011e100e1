import DatastoreCore
import DatastoreSQL
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import GRDB
import SQLiteFiles
import Testing

// Promise: another process commits before or after the first save → seen once.
// Also: `FileLockTests`, `LiveChangeTests`, `OtherProcessTests`
@Suite("Opening files beside other programs")
struct OpeningTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  /// A file in WAL mode that was closed cleanly.
  private func makeWALFile() throws -> URL {
    let url = folder.file("wal.db")
    let queue = try DatabaseQueue(path: url.path)
    try queue.writeWithoutTransaction {
      try $0.execute(
        sql: """
          PRAGMA journal_mode = WAL;
          CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT);
          INSERT INTO t VALUES (1, 'a');
          """)
    }
    try queue.close()
    #expect(try folder.names() == ["wal.db"])
    return url
  }

  @Test("Looking at a WAL file leaves nothing beside it", arguments: [true, false])
  func noSideFiles(isReadOnly: Bool) throws {
    let url = try makeWALFile()
    let before = try Data(contentsOf: url)
    let store = try SQLiteStore(existing: url, isReadOnly: isReadOnly)
    #expect(try store.count(FetchRequest(entity: "t")) == 1)
    try store.close()
    #expect(try folder.names() == ["wal.db"])
    #expect(try Data(contentsOf: url) == before)
  }

  @Test("Side files of a program that is still there stay")
  func sideFilesOfOthers() throws {
    let url = try makeWALFile()
    let other = try DatabaseQueue(path: url.path)
    try other.write { try $0.execute(sql: "INSERT INTO t VALUES (2, 'b')") }
    let store = try SQLiteStore(existing: url, isReadOnly: true)
    #expect(try store.count(FetchRequest(entity: "t")) == 2)
    try store.close()
    #expect(try folder.names().contains("wal.db-wal"))
    #expect(try other.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 2)
    try other.close()
  }

  @Test("A WAL file whose side files cannot be made is read as it is, unless a log lies beside it")
  func immutable() throws {
    let url = try makeWALFile()
    // A link that leads to itself cannot be opened, not even by root.
    let index = folder.file("wal.db-shm").path
    try FileManager.default.createSymbolicLink(atPath: index, withDestinationPath: index)
    let store = try SQLiteStore(existing: url, isReadOnly: true)
    #expect(try store.row("t", 1)?["n"] == "a")
    try store.close()
  }

  @Test("A WAL file whose side files cannot be made is read with its log from a copy that goes")
  func privateCopy() throws {
    let url = try makeWALFile()
    let other = try DatabaseQueue(path: url.path)
    try other.write { try $0.execute(sql: "INSERT INTO t VALUES (2, 'b')") }
    let place = try TemporaryDirectory()
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: url.path + suffix, toPath: place.file("wal.db" + suffix).path)
    }
    try other.close()
    let index = place.file("wal.db-shm").path
    try FileManager.default.createSymbolicLink(atPath: index, withDestinationPath: index)
    func copies() throws -> Set<String> {
      Set(
        try FileManager.default.contentsOfDirectory(
          atPath: FileManager.default.temporaryDirectory.path
        ).filter { $0.hasPrefix("datastore-copy-") })
    }
    let names = try place.names()
    let before = try copies()
    let store = try SQLiteStore(existing: place.file("wal.db"), isReadOnly: true)
    #expect(try store.row("t", 2)?["n"] == "b")
    #expect(try copies().subtracting(before).count > 0)
    try store.close()
    #expect(try place.names() == names)
  }

  @Test("Opening does not wait for somebody who saves, and says soon that a file is locked")
  func locks() throws {
    let url = folder.file("ours.db")
    try SQLiteStore(CompanySchema.schema, at: url).close()
    // Transactions stay open between the closures.
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: url.path, configuration: configuration)
    try other.write { try $0.execute(sql: "INSERT INTO Tag (label) VALUES ('x')") }
    try other.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
    let store = try SQLiteStore(CompanySchema.schema, at: url)
    #expect(try store.count(FetchRequest(entity: "Tag")) == 1)
    try other.inDatabase { try $0.execute(sql: "ROLLBACK") }
    try store.close()
    try other.close()

    let file = try ForeignFile("CREATE TABLE t (id INTEGER PRIMARY KEY)")
    let holder = try DatabaseQueue(path: file.url.path, configuration: configuration)
    try holder.inDatabase { try $0.execute(sql: "BEGIN EXCLUSIVE") }
    #expect(throws: StoreError.locked(path: file.url.path)) { _ = try file.open() }
    try holder.inDatabase { try $0.execute(sql: "ROLLBACK") }
    #expect(try file.open().count(FetchRequest(entity: "t")) == 0)
  }

  @Test(
    "Looking leaves what lay beside a file: no index where only a log was, and nothing after a refusal"
  )
  func sideFilesOfCrashes() throws {
    let url = try makeWALFile()
    // A log as a crash leaves it, with a row that is not yet in the file.
    let other = try DatabaseQueue(path: url.path)
    try other.write { try $0.execute(sql: "INSERT INTO t VALUES (2, 'b')") }
    let crashed = folder.file("crashed.db")
    for suffix in ["", "-wal"] {
      #expect(
        try spawn(
          "/bin/cp", [url.path + suffix, crashed.path + suffix],
          output: URL(fileURLWithPath: "/dev/null")) == 0)
    }
    try other.close()
    let names = try folder.names()
    let before = try [crashed.path, crashed.path + "-wal"].map {
      try Data(contentsOf: URL(fileURLWithPath: $0))
    }
    for isReadOnly in [true, false] {
      let store = try SQLiteStore(existing: crashed, isReadOnly: isReadOnly)
      #expect(try store.count(FetchRequest(entity: "t")) == 2)
      try store.close()
      #expect(try folder.names() == names)
      #expect(
        throws: StoreError.self,
        performing: {
          try SQLiteStore(CompanySchema.schema, at: crashed, isReadOnly: isReadOnly).close()
        }
      )
      #expect(try folder.names() == names)
    }
    let after = try [crashed.path, crashed.path + "-wal"].map {
      try Data(contentsOf: URL(fileURLWithPath: $0))
    }
    #expect(after == before)
    #expect(
      throws: StoreError.self,
      performing: { try SQLiteStore(CompanySchema.schema, at: url).close() })
    #expect(try folder.names() == names)
  }

  @Test("An index that another program uses stays, and so does its file")
  func indexInUse() throws {
    let url = try makeWALFile()
    let store = try SQLiteStore(existing: url)
    #expect(try store.count(FetchRequest(entity: "t")) == 1)
    let other = try DatabaseQueue(path: url.path)
    try other.write { try $0.execute(sql: "INSERT INTO t VALUES (2, 'b')") }
    try store.close()
    #expect(try folder.names() == ["wal.db", "wal.db-shm", "wal.db-wal"])
    try other.close()
    #expect(try folder.names() == ["wal.db"])
  }

  // Promise: a file is looked at → no byte of it changes, nothing is left beside it.
  // Also: `OpeningTests.sideFilesOfCrashes`, `OtherProcessTests.looking`
  @Test(
    "Looking at a native store does not write it; the first save does", arguments: [true, false])
  func lookingAtOurs(hasModel: Bool) throws {
    let url = folder.file("ours.db")
    let maker = try SQLiteStore(CompanySchema.schema, at: url)
    var changes = Changes(maker)
    try changes.insert("Tag", ["label": "red"])
    try changes.save()
    try maker.close()
    #expect(try folder.names() == ["ours.db"])
    let before = try Data(contentsOf: url)
    func open() throws -> SQLiteStore {
      try hasModel ? SQLiteStore(CompanySchema.schema, at: url) : SQLiteStore(existing: url)
    }
    for _ in 0..<2 {
      let store = try open()
      #expect(try store.count(FetchRequest(entity: "Tag")) == 1)
      #expect(try !store.checkForExternalChanges())
      try store.close()
      #expect(try Data(contentsOf: url) == before)
      #expect(try folder.names() == ["ours.db"])
    }
    let store = try open()
    changes = Changes(store)
    try changes.insert("Tag", ["label": "blue"])
    try changes.save()
    #expect(try !store.checkForExternalChanges())
    #expect(try store.count(FetchRequest(entity: "Tag")) == 2)
    try store.close()
    #expect(try Data(contentsOf: url) != before)
    #expect(try folder.names() == ["ours.db"])
  }

  // Promise: a third-party table is called `_datastore` → it is a table like any other.
  @Test(
    "A third-party table that is called _datastore is a table like any other",
    arguments: [
      "CREATE TABLE _datastore (key TEXT, value TEXT)",
      "CREATE TABLE _datastore (key INTEGER PRIMARY KEY, value TEXT)",
      "CREATE TABLE _datastore (key TEXT PRIMARY KEY, value TEXT, note TEXT)",
      "CREATE TABLE _datastore (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
      "CREATE TABLE _datastore (key TEXT PRIMARY KEY, value TEXT); INSERT INTO _datastore VALUES ('a', 'b')",
    ])
  func tableOfOurName(sql: String) throws {
    let file = try ForeignFile("\(sql); CREATE TABLE t (id INTEGER PRIMARY KEY)")
    let store = try file.open()
    #expect(!store.isNative)
    #expect(store.schema.entities.map(\.name) == ["_datastore", "t"])
    try store.close()
    #expect(throws: StoreError.self) {
      _ = try SQLiteStore(CompanySchema.schema, at: file.url)
    }
  }

  @Test("What is not a regular file is refused without being opened", .timeLimit(.minutes(20)))
  func namedPipe() throws {
    let pipe = folder.file("pipe")
    #expect(mkfifo(pipe.path, 0o600) == 0)
    for path in [pipe.path, "/dev/null"] {
      let url = URL(fileURLWithPath: path)
      #expect(throws: StoreError.notRegularFile(path: path)) { _ = try SQLiteStore(existing: url) }
      #expect(throws: StoreError.notRegularFile(path: path)) {
        _ = try SQLiteStore(CompanySchema.schema, at: url)
      }
      #expect(!FileHeader.isDatabase(path))
    }
  }

  @Test("Only addresses of files are opened")
  func addresses() throws {
    let url = try #require(URL(string: "http://example.org/a.sqlite"))
    #expect(throws: StoreError.notAFile(address: "http://example.org/a.sqlite")) {
      _ = try SQLiteStore(existing: url)
    }
    #expect(throws: StoreError.notAFile(address: "http://example.org/a.sqlite")) {
      _ = try SQLiteStore(CompanySchema.schema, at: url)
    }
  }

  // Promise: power fails after "Saved" in the browser → SQLite was asked for every sync there is before it
  // was said (`synchronous` EXTRA).
  @Test("A save is as sure to be on the disk as was asked for", arguments: Synchronous.allCases)
  func synchronous(level: Synchronous) throws {
    // SQLite's own numbers: https://www.sqlite.org/pragma.html#pragma_synchronous
    let number: [Synchronous: Value] = [.normal: 1, .full: 2, .extra: 3]
    func found(_ store: SQLiteStore) throws -> Value? {
      // On the connection that saves.
      defer { try? store.close() }
      return try store.synchronousOfSaves()
    }
    let ours = folder.file("ours.db")
    #expect(
      try found(SQLiteStore(CompanySchema.schema, at: ours, synchronous: level)) == number[level])
    #expect(
      try found(SQLiteStore(CompanySchema.schema, at: ours, synchronous: level)) == number[level])
    #expect(try found(SQLiteStore(existing: ours, synchronous: level)) == number[level])
    for mode in ["DELETE", "WAL"] {
      let file = try ForeignFile("PRAGMA journal_mode = \(mode); CREATE TABLE t (id INTEGER)")
      #expect(
        try found(SQLiteStore(existing: file.url, synchronous: level))
          == number[level == .normal ? .full : level])
    }
  }
}
