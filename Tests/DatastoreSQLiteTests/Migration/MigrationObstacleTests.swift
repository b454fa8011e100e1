import DatastoreCore
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import Testing

// Promise: a migration would lose values, or they do not fit → all are listed with counts; nothing is
// changed.
// Also: `MigrateCommandTests`
@Suite("What keeps a file from being migrated")
struct MigrationObstacleTests {
  private let person = InferredMigrationTests.person
  private let people = InferredMigrationTests.people

  /// Tries it, and finds the file as it was.
  private func obstacles(
    _ file: MigratedFile, _ new: [EntityDescription], _ policy: MigrationPolicy = .lossless
  ) throws -> [String] {
    let before = try file.dump()
    let error = #expect(throws: MigrationError.self) { try file.migrate(to: new, policy) }
    #expect(try file.dump() == before)
    return try #require(error).obstacles.map(\.description)
  }

  @Test("Everything is listed at once, with counts")
  func all() throws {
    let file = try MigratedFile(
      [
        entity(
          "Person", attribute("name"), attribute("age", .string), attribute("fax"),
          attribute("code")),
        entity("Visit", attribute("day")),
      ],
      """
      INSERT INTO Person (_id, name, age, fax, code) VALUES (1, NULL, 'old', '1', 'x'), (2, 'Bob', '7', '2', 'x'), \
      (3, NULL, '007', NULL, 'y');
      INSERT INTO Visit (_id, day) VALUES (1, 'today');
      """)
    let new = [
      entity(
        "Person", attribute("name", isOptional: false),
        attribute("age", .integer32, isOptional: false, default: 1),
        attribute("code", isUnique: true), attribute("grade", .integer64, isOptional: false))
    ]
    let forecast = try file.forecast(of: new)
    #expect(forecast.kind == .loss)
    let expected = [
      "2 of 3 People have no name; give it a default value or an `initial:` closure, or leave it optional",
      "3 of 3 People have no grade; give it a default value or an `initial:` closure, or leave it optional",
      "1 Visit would be lost, since the model has no Visit; if that is meant, declare it "
        + "with `removes: [\"Visit\"]` in the version of the model, or with "
        + "`migration: .declared([\"Visit\"])`",
      "2 values of Person.fax would be lost, since the model does not have it; if that is meant, declare it "
        + "with `removes: [\"Person.fax\"]` in the version of the model, or with "
        + "`migration: .declared([\"Person.fax\"])`",
      "2 values of Person.age would be lost, since they do not fit integer32 (such as “old”, “007”); if that is meant, "
        + "declare it with `removes: [\"Person.age\"]` in the version of the model, or with "
        + "`migration: .declared([\"Person.age\"])`",
      "Person.code is to be unique, but several have “x”",
    ].map { $0.replacingOccurrences(of: "People", with: "Persons") }
    #expect(Set(try obstacles(file, new)) == Set(expected))
    #expect(
      Set(forecast.obstacles.map(\.description) + forecast.losses.map(\.description)).count == 6)
  }

  @Test("A policy of none refuses everything, and names it")
  func none() throws {
    let file = try MigratedFile([person], people)
    let error = #expect(throws: StoreError.self) {
      try file.migrate(
        to: [entity("Person", attribute("name", isOptional: false), attribute("fax"))], .none)
    }
    #expect(try #require(error).description.contains("another version of the model"))
  }

  @Test("A loss that is declared goes, and one that is not stays")
  func declared() throws {
    let file = try MigratedFile(
      [entity("A", attribute("a"), attribute("b"), attribute("c"))],
      "INSERT INTO A (_id, a, b, c) VALUES (1, 'a', 'b', 'c')")
    let new = [entity("A", attribute("a"))]
    #expect(try obstacles(file, new, .declared(["A.b"])).count == 1)
    try file.migrate(to: new, .declared(["A.b", "A.c"])) { $0.backupPath = file.backupPath }
    #expect(try file.rows("SELECT a FROM A") == ["a"])
    // The copy is the old file.
    let backup = URL(fileURLWithPath: file.backupPath)
    #expect(try SQLiteFile.values("SELECT a || b || c FROM A", in: backup) == ["abc"])
  }

  @Test("No copy is kept where nothing is lost")
  func noBackup() throws {
    let file = try MigratedFile([person], people)
    try file.migrate(to: [entity("Person", attribute("name"), attribute("tel"))]) {
      $0.backupPath = file.backupPath
    }
    #expect(!FileManager.default.fileExists(atPath: file.backupPath))
  }

  @Test("Values that do not fit are lost only where that is declared, and the others are kept")
  func misfits() throws {
    let file = try MigratedFile(
      [entity("A", attribute("n", .string))],
      "INSERT INTO A (_id, n) VALUES (1, '5'), (2, 'five'), (3, NULL)")
    let new = [entity("A", attribute("n", .integer64))]
    #expect(try obstacles(file, new).count == 1)
    try file.migrate(to: new, .declared(["A.n"]))
    #expect(try file.rows("SELECT coalesce(n, 'none') || '' FROM A") == ["5", "none", "none"])
  }

  @Test("A narrower integer keeps nothing that does not fit")
  func narrower() throws {
    let file = try MigratedFile(
      [entity("A", attribute("n", .integer64))], "INSERT INTO A (_id, n) VALUES (1, 5), (2, 500)")
    let new = [entity("A", attribute("n", .integer8))]
    #expect(try obstacles(file, new).count == 1)
    try file.migrate(to: new, .declared(.all))
    #expect(try file.rows("SELECT coalesce(n, 'none') || '' FROM A") == ["5", "none"])
  }

  // Promise: views, triggers and indexes of the user's → kept, or the migration stops with their name.
  @Test("Views, triggers and indexes that a user has made are kept")
  func userMade() throws {
    let file = try MigratedFile(
      [person],
      people
        + """
        CREATE VIEW names AS SELECT name FROM Person;
        CREATE INDEX mine ON Person (name, tel);
        CREATE TABLE log (what TEXT);
        CREATE TRIGGER noted AFTER INSERT ON Person BEGIN INSERT INTO log VALUES (new.name); END;
        """)
    try file.migrate(to: [
      entity("Person", attribute("name"), attribute("tel"), attribute("age", .integer64))
    ])
    #expect(try file.rows("SELECT name FROM names") == ["Ann", "Bob", "Cid"])
    #expect(
      try file.rows(
        "SELECT name FROM sqlite_master WHERE name IN ('mine', 'noted', 'log', 'names') ORDER BY 1")
        == ["log", "mine", "names", "noted"])
    #expect(try file.rows("SELECT what FROM log").isEmpty)
    try SQLiteFile.make(at: file.url, "INSERT INTO Person (name) VALUES ('Dan')")
    #expect(try file.rows("SELECT what FROM log") == ["Dan"])
  }

  @Test(
    "The forecast tells of what a user has made as the migration does",
    arguments: [
      ("column", "CREATE INDEX mine ON Person (tel);"),
      ("view", "CREATE VIEW mine AS SELECT name, tel FROM Person;"),
      (
        "trigger",
        "CREATE TRIGGER mine AFTER INSERT ON Person BEGIN DELETE FROM Person WHERE tel = 'x'; END;"
      ),
    ])
  func userMadeForecast(kind: String, sql: String) throws {
    let file = try MigratedFile([person], people + sql)
    let new = [entity("Person", attribute("name", isOptional: false))]
    let found = try obstacles(file, new, .declared(["Person.tel"]))
    #expect(found.count == 1 && found[0].hasPrefix("the \(kind) “"), "\(found)")
    let before = try file.dump()
    let forecast = try file.forecast(of: new) { $0.policy = .declared(["Person.tel"]) }
    #expect(forecast.obstacles.map(\.description) == found)
    #expect(forecast.losses.count == 1)
    #expect(try file.dump() == before)
    // A table that is made again, with everything that fits it.
    let retyped = [
      entity("Person", attribute("name", isOptional: false), attribute("tel", .integer64))
    ]
    #expect(try file.forecast(of: retyped).obstacles.isEmpty)
    try file.migrate(to: retyped)
    #expect(try file.rows("SELECT name FROM sqlite_master WHERE name = 'mine'") == ["mine"])
  }

  @Test("An index of a user’s that the converted values break stops it, by its name")
  func indexInTheWay() throws {
    let file = try MigratedFile(
      [entity("A", attribute("n"))],
      """
      INSERT INTO A (_id, n) VALUES (1, 'five'), (2, 'six');
      CREATE UNIQUE INDEX mine ON A (coalesce(n, 'none'));
      """)
    let found = try obstacles(
      file, [entity("A", attribute("n", .integer64))], .declared(["A.n"]))
    #expect(found.count == 1 && found[0].contains("the index “mine” is in the way"), "\(found)")
  }

  @Test("A view that does not fit the new tables stops it, by its name")
  func viewInTheWay() throws {
    let file = try MigratedFile([person], people + "CREATE VIEW phones AS SELECT tel FROM Person;")
    let new = [
      entity("Person", attribute("name", isOptional: false), attribute("phone", from: "tel"))
    ]
    let found = try obstacles(file, new)
    #expect(found.count == 1)
    #expect(found[0].contains("the view “phones” is in the way"))
  }

  @Test("A trigger that would fail on the new tables stops it; one that has failed before does not")
  func triggerInTheWay() throws {
    let new = [
      entity("Person", attribute("name", isOptional: false), attribute("phone", from: "tel"))
    ]
    let log = "CREATE TABLE log (what TEXT);"
    let file = try MigratedFile(
      [person],
      people + log
        + """
        CREATE TRIGGER noted AFTER INSERT ON Person BEGIN INSERT INTO log VALUES (new.name); END;
        CREATE TRIGGER rung AFTER INSERT ON log BEGIN UPDATE Person SET tel = '1' WHERE name = new.what; END;
        CREATE TRIGGER told AFTER UPDATE ON log BEGIN DELETE FROM log WHERE what IS NULL; END;
        """)
    let found = try obstacles(file, new)
    #expect(found.count == 1)
    #expect(found.first?.contains("the trigger “rung” is in the way") ?? false)
    #expect(found.first?.contains("no such column") ?? false)
    let broken = try MigratedFile(
      [person],
      people + log
        + "CREATE TRIGGER lost AFTER INSERT ON log BEGIN DELETE FROM nowhere; END;")
    try broken.migrate(to: new)
    #expect(try broken.rows("SELECT name FROM sqlite_master WHERE type = 'trigger'") == ["lost"])
  }

  @Test("A table of a user’s that has the name of a new entity stops it")
  func tableInTheWay() throws {
    let file = try MigratedFile([person], people + "CREATE TABLE Visit (day TEXT);")
    #expect(try obstacles(file, [person, entity("Visit", attribute("day"))]).count == 1)
    #expect(try file.rows("SELECT count(*) || '' FROM Visit") == ["0"])
  }

  @Test("A reference that led nowhere before is no obstacle, and stays")
  func dangling() throws {
    let file = try MigratedFile(
      InferredMigrationTests.firms,
      "PRAGMA foreign_keys = OFF; INSERT INTO Person (_id, name, firm) VALUES (1, 'Ann', 99);")
    try file.migrate(to: [
      InferredMigrationTests.firms[0],
      entity(
        "Person", attribute("name", isOptional: false),
        relationship("firm", .toOne, "Firm", "staff")),
    ])
    #expect(try file.rows("SELECT firm || '' FROM Person") == ["99"])
  }

  @Test("Someone who writes the file is waited for, and then told of")
  func locked() throws {
    let file = try MigratedFile([person], people)
    let before = try file.dump()
    let lock = try SQLiteLock(file.url, forWriting: true)
    let error = #expect(throws: StoreError.self) {
      try file.migrate(to: [entity("Person", attribute("name"), attribute("tel"))])
    }
    #expect(error == .locked(path: file.url.path))
    try lock.release()
    #expect(try file.dump() == before)
  }

  @Test("A cancellation at the last moment is told and changes nothing, or comes too late")
  func cancelledLast() throws {
    let new = [entity("Person", attribute("name", isOptional: false), attribute("tel", .integer64))]
    /// Migrates a new file, cancelled from one question on.
    func questions(cancelledAt moment: Int) throws -> Int {
      let file = try MigratedFile(
        [person], "INSERT INTO Person (_id, name, tel) VALUES (1, 'A', '7')")
      let before = try file.dump()
      let count = Lock(0)
      var isTold = false
      do {
        try file.migrate(to: new) {
          $0.isCancelled = {
            count.withLock {
              $0 += 1
              return $0 >= moment
            }
          }
        }
      } catch is CancellationError {
        isTold = true
      }
      #expect(try (file.dump() == before) == isTold, "at question \(moment)")
      return count.withLock { $0 }
    }
    let all = try questions(cancelledAt: .max)
    for moment in max(1, all - 3)...all { _ = try questions(cancelledAt: moment) }
  }

  @Test("The closure of the model makes a value for each object")
  func initialValues() throws {
    let file = try MigratedFile([person], people)
    let counter = Lock(Int64(0))
    let new = [
      entity(
        "Person", attribute("name", isOptional: false), attribute("tel"),
        attribute("number", .integer64, isOptional: false, isUnique: true))
    ]
    try file.migrate(to: new) {
      $0.initialValues = [
        [
          (
            2,
            {
              counter.withLock {
                $0 += 1
                return .integer($0 * 10)
              }
            }
          )
        ]
      ]
    }
    #expect(
      try file.rows("SELECT name || number FROM Person ORDER BY _id") == [
        "Ann10", "Bob20", "Cid30",
      ])
  }

  @Test("Names are followed through the versions between")
  func versions() throws {
    let file = try MigratedFile(
      [entity("A", attribute("a"))], "INSERT INTO A (_id, a) VALUES (1, 'x')")
    let between = try Schema([entity("B", from: "A", attribute("b", from: "a"))])
    try file.migrate(to: [entity("C", from: "B", attribute("c", from: "b"))]) {
      $0.versions = [between]
    }
    #expect(try file.rows("SELECT c FROM C") == ["x"])
  }

  @Test("Erasing makes an empty file, and only where the model differs")
  func recreating() throws {
    let file = try MigratedFile([person], people + "CREATE VIEW names AS SELECT name FROM Person;")
    try file.migrate(to: [person], .recreating)
    #expect(try file.rows("SELECT name FROM Person").count == 3)
    let new = [entity("Visit", attribute("day"))]
    try file.migrate(to: new, .recreating)
    #expect(try file.declarations() == MigratedFile.freshDeclarations(new))
    try SQLiteStore(try Schema(new), at: file.url).close()
  }
}
