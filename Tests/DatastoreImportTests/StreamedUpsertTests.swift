import DatastoreCore
import DatastoreTestSupport
import Foundation
import Testing

@testable import DatastoreImport

/// Loads with a key into a table that has rows, in one transaction.
@Suite("Updating and inserting by a key")
struct StreamedUpsertTests {
  private func fixture() throws -> LoadFixture {
    let fixture = try LoadFixture()
    try SQLiteFile.make(
      at: fixture.store,
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY, code TEXT, name TEXT NOT NULL DEFAULT 'x', age INTEGER);
      INSERT INTO p VALUES (5, 'a', 'Ada', 36), (6, 'b', 'Bo', 40), (7, 'b', 'Bob', 41);
      """)
    return fixture
  }

  @Test(
    "Rows are updated where the key is there, and inserted where it is not", arguments: [1, 3, 99])
  func upsert(batchSize: Int) async throws {
    let fixture = try fixture()
    let file = try fixture.directory.write(
      "code,age,name\nb,50,\"Beth\"\nc,1,Cid\nd,2,\na,36,Ada\n", to: "p.csv")
    let report = try await fixture.load(
      [file], key: "code", faults: .skip, batchSize: batchSize
    ).report
    #expect(report.inserted == 2)
    #expect(report.updated == 1)
    #expect(report.skippedRows == 1)
    #expect(report.rows == 4)
    let rows = try await fixture.contents()["p"]
    // Several rows have the key “b”; missing values are those of new rows.
    #expect(rows.map { $0["name"] } == ["Ada", "Bo", "Bob", "Cid", "x"])
    #expect(rows.map { $0["age"] } == [36, 40, 41, 1, 2])
    #expect(rows.map(\.key) == [5, 6, 7, 8, 9])
  }

  @Test("A repeated key and a value that must be there are faults with their places")
  func faults() async throws {
    let fixture = try fixture()
    let text = "code,name\na,New\nz,Zoe\nz,Again\na,Twice\nb,\n,None\n"
    let file = try fixture.directory.write(text, to: "p.csv")
    for batchSize in [1, 2, 50] {
      let (report, faults) = try await fixture.load(
        [file], key: "code", faults: .skip, batchSize: batchSize)
      #expect(report.skippedRows == 4)
      #expect(faults.compactMap(\.record).sorted() == [3, 4, 5, 6])
      #expect(faults.map(\.position.line).sorted() == [4, 5, 6, 7])
    }
    let before = try await fixture.contents()
    let told = try await fixture.failure([file], key: "code")
    #expect(
      told.hasPrefix("p.csv, line 4, column 1: a record before this one has the same key, “z”"))
    #expect(try await fixture.contents() == before)
  }

  @Test(
    "A key that several rows have is a fault of its record",
    arguments: [
      "",
      // Found row by row.
      "CREATE INDEX p_code ON p (code);",
      // Loaded as objects.
      "CREATE TABLE q (id INTEGER PRIMARY KEY); ALTER TABLE p ADD COLUMN q_id REFERENCES q(id);",
    ])
  func ambiguous(sql: String) async throws {
    let fixture = try fixture()
    try SQLiteFile.make(at: fixture.store, "INSERT INTO p VALUES (8, 'b', 'Ben', 42);" + sql)
    let before = try await fixture.contents()
    let isLinked = sql.contains("q_id")
    let file = try fixture.directory.write(
      isLinked ? "code,age,q_id\na,1,\nb,50,\n" : "code,age\na,1\nb,50\n", to: "p.csv")
    let told = try await fixture.failure([file], key: "code")
    #expect(told.hasPrefix("p.csv, line 3, column 1: 3 stored rows have the key “b”"), "\(told)")
    #expect(try await fixture.contents() == before)
    let (report, faults) = try await fixture.load([file], key: "code", faults: .skip)
    #expect(report.updated == 1)
    #expect(faults.map(\.position.line) == [3])
    let rows = try await fixture.contents()["p"]
    #expect(rows.map { $0["age"] } == [1, 40, 41, 42])
  }

  @Test("A part of a primary key does not identify rows that share it")
  func partOfKey() async throws {
    let fixture = try LoadFixture()
    try SQLiteFile.make(
      at: fixture.store,
      "CREATE TABLE p (a INT, b INT, c INT, PRIMARY KEY (a, b)); "
        + "INSERT INTO p VALUES (1, 1, 1), (1, 2, 2);")
    let before = try await fixture.contents()
    let file = try fixture.directory.write("a,b,c\n1,3,30\n", to: "p.csv")
    let told = try await fixture.failure([file], key: "a")
    #expect(told.contains("2 stored rows have the key “1”"), "\(told)")
    #expect(try await fixture.contents() == before)
  }

  @Test("What the store refuses undoes everything")
  func refused() async throws {
    let fixture = try LoadFixture()
    try SQLiteFile.make(
      at: fixture.store,
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY, code TEXT UNIQUE);
      INSERT INTO p VALUES (1, 'a'), (2, 'b');
      """)
    let before = try await fixture.contents()
    let file = try fixture.directory.write("id,code\n1,c\n3,d\n4,b\n", to: "p.csv")
    let told = try await fixture.failure([file], key: "id")
    #expect(
      told.hasPrefix("p.csv, line 4, column 1: code: there is another p with the same code."),
      "\(told)")
    #expect(try await fixture.contents() == before)
  }

  @Test("Random files leave what the same changes one by one leave")
  func property() async throws {
    for round in 0..<40 {
      var random = SeededRandom(seed: RandomCases.seed(round))
      let fixture = try fixture()
      var expected: [String: Int] = ["a": 36, "b": 40]
      var text = "code,age\n"
      var used: Set<String> = []
      for _ in 0..<random.below(60) {
        let key = "k\(random.below(40))"
        guard used.insert(key).inserted else { continue }
        let age = random.below(100)
        expected[key] = age
        text += "\(key),\(age)\n"
      }
      let file = try fixture.directory.write(text, to: "p.csv")
      try await fixture.load([file], key: "code", batchSize: 1 + random.below(20))
      var again = "code,age\n"
      for key in used.sorted() where random.below(2) == 0 {
        expected[key] = -1
        again += "\(key),-1\n"
      }
      let second = try fixture.directory.write(again, to: "p.csv")
      try await fixture.load([second], key: "code", batchSize: 1 + random.below(20))
      var found: [String: Int] = [:]
      for row in try await fixture.contents()["p"] {
        guard case .text(let code) = row["code"], case .integer(let age) = row["age"] else {
          continue
        }
        if found[code] == nil { found[code] = Int(age) }
      }
      try #require(found == expected, "seed \(random.seed)")
    }
  }
}
