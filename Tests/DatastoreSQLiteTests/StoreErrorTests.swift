import DatastoreCore
import DatastoreSQL
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import GRDB
import Testing

@Suite("What goes wrong with files")
struct StoreErrorTests {
  let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  private func failure(_ body: () throws -> Void) throws -> StoreError {
    try #require(throws: StoreError.self) { try body() }
  }

  @Test("A table that another process has dropped", arguments: [[1], [1, 2], Array(1...100)])
  func droppedTable(keys: [RowKey]) throws {
    let file = folder.file("dropped.db")
    try SQLiteFile.make(
      at: file, "CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1), (2)")
    let store = try SQLiteStore(existing: file)
    #expect(
      try store.rows(entity: 0, keys: keys).reduce(0) { $0 + $1.rowCount } == min(2, keys.count))
    try SQLiteFile.make(at: file, "DROP TABLE t")
    let error = try failure { _ = try store.rows(entity: 0, keys: keys) }
    #expect(error == .tablesChanged(path: file.path, tables: ["t"]))
  }

  @Test("A path without a file, a directory, a file of another kind")
  func notAFile() throws {
    let path = folder.url.path
    #expect(
      try failure { _ = try SQLiteStore(existing: folder.file("none.db")) }
        == .missingFile(path: "\(path)/none.db"))
    #expect(
      try failure { _ = try SQLiteStore(existing: folder.url, isReadOnly: true) }
        == .isDirectory(path: path))
    #expect(
      try failure { _ = try SQLiteStore(CompanySchema.schema, at: folder.url) }
        == .isDirectory(path: path))
    let text = folder.file("notes.txt")
    try Data("Dear diary\n".utf8).write(to: text)
    #expect(
      try failure { _ = try SQLiteStore(existing: text) }
        == .notADatabase(path: text.path, looksLike: "it looks like a text file"))
    let noise = folder.file("noise.db")
    try Data((0..<200).map { UInt8(truncatingIfNeeded: $0 &* 37 | 0x80) }).write(to: noise)
    let unknown = try failure { _ = try SQLiteStore(CompanySchema.schema, at: noise) }
    #expect("\(unknown)".contains("encrypted"))
    #expect(try Data(contentsOf: noise).count == 200)
  }

  @Test(
    "A file that cannot be read on is told with SQLite's words, and not called damaged unasked",
    arguments: [true, false])
  func malformed(isNative: Bool) throws {
    let url = folder.file("a.db")
    if isNative {
      let store = try SQLiteStore(CompanySchema.schema, at: url)
      var changes = Changes(store)
      for index in 0..<2000 { try changes.insert("Tag", ["label": .text("label \(index)")]) }
      try changes.save()
      try store.close()
    } else {
      try SQLiteFile.make(
        at: url,
        """
        CREATE TABLE Tag (label TEXT); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n
        LIMIT 2000) INSERT INTO Tag SELECT 'label ' || i FROM n
        """)
    }
    var data = try Data(contentsOf: url)
    for index in 8192..<data.count { data[index] = 0xA5 }
    try data.write(to: url)
    let error = try failure {
      let store = try SQLiteStore(existing: url)
      _ = try store.fetch(FetchRequest(entity: "Tag"))
    }
    let detail =
      isNative
      ? "its table _datastore cannot be read"
      : "SQLite says “database disk image is malformed”"
    #expect(error == .malformed(path: url.path, detail: detail))
    #expect("\(error)".contains("sqlite3 \(url.path) \"PRAGMA integrity_check\""))
    #expect(!"\(error)".contains("damaged"))
  }

  @Test("A file without write permission opens only read-only, and then refuses to save")
  func writeProtected() throws {
    let file = try ForeignFile("CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT)")
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: file.url.path)
    let error = try failure { _ = try file.open() }
    #expect(error == .readOnly(path: file.url.path) && "\(error)".contains("open it read-only"))
    let store = try file.open(isReadOnly: true)
    #expect(store.isReadOnly)
    #expect(try store.count(FetchRequest(entity: "t")) == 0)
    var changes = Changes(store)
    try changes.insert("t", ["n": "x"])
    #expect(try failure { try changes.save() } == .readOnly(path: file.url.path))
  }

  @Test("A file that another process writes is locked", .timeLimit(.minutes(10)))
  func locked() throws {
    let file = try ForeignFile("CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT)")
    let store = try file.open()
    var changes = Changes(store)
    try changes.insert("t", ["n": "x"])
    let other = try DatabaseQueue(path: file.url.path)
    let error = try other.inDatabase { database in
      try database.execute(sql: "BEGIN EXCLUSIVE")
      defer { try? database.execute(sql: "ROLLBACK") }
      return try failure { try changes.save() }
    }
    #expect(error == .locked(path: file.url.path))
    try changes.save()
    #expect(try store.count(FetchRequest(entity: "t")) == 1)
  }

  @Test("Another model: every differing entity is named, indexes do not count")
  func schemaMismatch() throws {
    let url = folder.file("a.db")
    try SQLiteStore(CompanySchema.schema, at: url).close()
    var other = CompanySchema.descriptions
    other[2].properties.removeFirst()
    other.append(EntityDescription(name: "Office", properties: []))
    let error = try failure { _ = try SQLiteStore(Schema(other), at: url) }
    #expect(
      error
        == .schemaMismatch(
          path: url.path, differences: ["Office is not in the file", "Task differs"]))
    var indexed = CompanySchema.descriptions
    indexed[0].properties[0] = .attribute(
      AttributeDescription(name: "name", type: .string, isOptional: false, isIndexed: true))
    indexed.reverse()
    let store = try SQLiteStore(Schema(indexed), at: url)
    #expect(try store.related("Employee", "tags", 1) == [])
    try store.close()
    let names = try ForeignFile.query(
      url, "SELECT name FROM sqlite_master WHERE name = 'Company_name_index'")
    #expect(names == [["\"Company_name_index\""]])
  }

  @Test("Third-party tables are not replaced, a later format is not guessed at")
  func notOurs() throws {
    let file = try ForeignFile("CREATE TABLE t (id INTEGER PRIMARY KEY)")
    #expect(
      try failure { _ = try SQLiteStore(CompanySchema.schema, at: file.url) }
        == .notNative(path: file.url.path))
    #expect(try file.query("PRAGMA journal_mode") == [["\"delete\""]])
    let url = folder.file("a.db")
    try SQLiteStore(CompanySchema.schema, at: url).close()
    let queue = try DatabaseQueue(path: url.path)
    try queue.write {
      try $0.execute(sql: "UPDATE _datastore SET value = '3' WHERE key = 'format'")
    }
    try queue.close()
    #expect(
      try failure { _ = try SQLiteStore(existing: url) }
        == .unknownFormat(path: url.path, version: "3"))
  }

  @Test("A closed store says so")
  func closed() throws {
    let url = folder.file("a.db")
    let store = try SQLiteStore(CompanySchema.schema, at: url)
    try store.close()
    #expect(
      try failure { _ = try store.count(FetchRequest(entity: "Tag")) } == .closed(path: url.path))
    var changes = ChangeSet()
    changes.orders = [OrderChange(entity: 1, slot: 7, key: 1, members: [])]
    #expect(try failure { _ = try store.save(changes) } == .closed(path: url.path))
  }

  @Test("A full disk: the save fails as a whole and the file stays as it was")
  func diskFull() throws {
    let file = try ForeignFile(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, n BLOB); INSERT INTO t VALUES (1, 'kept')")
    let store = try file.open()
    var first = Changes(store)
    try first.insert("t", ["n": "small"])
    try first.save()
    let before = try Data(contentsOf: file.url)
    try store.limitPages(to: before.count / 4096)
    var changes = Changes(store)
    try changes.insert("t", ["n": .blob(Data(count: 100_000))])
    #expect(try failure { try changes.save() } == .diskFull(path: file.url.path))
    #expect(try Data(contentsOf: file.url) == before)
  }

  @Test("A message of a trigger is told with its name, also of another table and a made up one")
  func triggers() throws {
    let file = try ForeignFile(
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, n); CREATE TABLE log (n);
      CREATE TRIGGER first AFTER INSERT ON a BEGIN INSERT INTO log VALUES (new.n); END;
      CREATE TRIGGER "it's full" BEFORE INSERT ON log WHEN new.n = 1 BEGIN
        SELECT RAISE(FAIL, 'that''s enough'); END;
      CREATE TRIGGER one BEFORE INSERT ON a WHEN new.n = 2 BEGIN SELECT RAISE(ABORT, 'no'); END;
      CREATE TRIGGER two BEFORE DELETE ON a BEGIN SELECT RAISE(ABORT, 'no'); END;
      """)
    let store = try file.open()
    func insert(_ n: Value) throws -> String {
      var changes = Changes(store)
      try changes.insert("a", ["n": n])
      return "\(try failure { try changes.save() })"
    }
    let enough = try insert(1)
    #expect(
      enough.hasSuffix("that's enough (said by the trigger “it's full” of log)."), "\(enough)")
    let no = try insert(2)
    #expect(no.hasSuffix("no (said by the trigger “one” of a or “two” of a)."), "\(no)")
  }

  @Test("CHECK, foreign key and trigger of a third-party file refuse a save as a whole")
  func foreignConstraints() throws {
    let file = try ForeignFile(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY);
      CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER, p_id INTEGER REFERENCES p,
        CONSTRAINT small CHECK (n < 10));
      CREATE TRIGGER stop BEFORE INSERT ON t WHEN new.n = 5 BEGIN SELECT raise(ABORT, 'no fives'); END;
      """)
    let store = try file.open()
    func insert(_ values: [String: Value]) throws -> StoreError {
      var changes = Changes(store)
      try changes.insert("p", [:])
      try changes.insert("t", key: 77, values)
      return try failure { try changes.save() }
    }
    #expect(try insert(["n": 11]) == .checkFailed(entity: "t", constraint: "small", key: 77))
    #expect(
      try insert(["n": 5])
        == .refused(
          entity: "t", key: 77, detail: "no fives (said by the trigger “stop” of t)"))
    #expect(
      try insert(["n": 1, "p": 99])
        == .brokenReference(entity: "t", property: "p", key: 77, detail: "t 77 to p"))
    let entity = try #require(store.schema.entity(named: "t"))
    let n = try #require(entity.slot(named: "n"))
    #expect(store.slots(ofCheck: "small", in: entity) == [n])
    #expect(store.slots(ofCheck: "N < 10 AND p_id > n", in: entity).first == n)
    #expect(store.slots(ofCheck: "N < 10 AND p_id > n", in: entity).count == 2)
    #expect(store.slots(ofCheck: "large", in: entity).isEmpty)
    #expect(try store.count(FetchRequest(entity: "p")) == 0)
  }
}
