import DatastoreImport
import DatastoreTestSupport
import Foundation
import Testing

// Promise: a loaded row refers by several columns → the row that all of them name, on both engines; what
// leads nowhere is told with its place.
// Also: (random tables, sqlite3 and psql are the witnesses)
@Suite("Loading into tables whose foreign keys have several columns")
struct LoadCompositeKeyTests {
  private func fixture(_ sql: String) throws -> LoadFixture {
    let fixture = try LoadFixture()
    try SQLiteFile.make(at: fixture.store, sql)
    return fixture
  }

  private static let sql = """
    CREATE TABLE campaigns (tenant INTEGER, id INTEGER, title TEXT, PRIMARY KEY (tenant, id));
    CREATE TABLE ads (
      number INTEGER PRIMARY KEY, tenant INTEGER, campaign_id INTEGER,
      FOREIGN KEY (tenant, campaign_id) REFERENCES campaigns (tenant, id));
    INSERT INTO campaigns VALUES (1, 1, 'a'), (2, 1, 'b'), (2, 2, 'c');
    """

  @Test("A row is found by all columns, not by one of them")
  func all() async throws {
    let fixture = try fixture(Self.sql)
    let path = try fixture.directory.write(
      "number,campaign_id,tenant\n10,1,2\n11,1,1\n12,2,2\n13,,\n", to: "ads.csv")
    let (report, _) = try await fixture.load([path], entity: "ads")
    #expect(report.inserted == 4)
    #expect(
      try SQLiteCommand.run("SELECT * FROM ads; PRAGMA foreign_key_check", on: fixture.store)
        == "10|2|1\n11|1|1\n12|2|2\n13||")
    // By a key, rows that are there change.
    try fixture.directory.write("number,campaign_id,tenant\n10,2,2\n14,1,1\n", to: "ads.csv")
    let (changed, _) = try await fixture.load([path], entity: "ads", key: "number")
    #expect(changed.updated == 1 && changed.inserted == 1)
    #expect(
      try SQLiteCommand.run("SELECT * FROM ads WHERE number IN (10, 14)", on: fixture.store)
        == "10|2|2\n14|1|1")
  }

  @Test("What leads nowhere is told with its place")
  func faults() async throws {
    let fixture = try fixture(Self.sql)
    let path = try fixture.directory.write("number,campaign_id,tenant\n10,2,1\n", to: "ads.csv")
    let told = try await fixture.failure([path], entity: "ads")
    #expect(
      told.hasPrefix(
        "ads.csv, line 2, column 4: there is no campaigns with the tenant “1” and the id “2”."),
      "\(told)")
  }

  @Test("With a NULL among the columns there is no reference, and the others are stored")
  func partial() async throws {
    let fixture = try fixture(Self.sql)
    let path = try fixture.directory.write(
      "number,campaign_id,tenant\n10,,1\n11,7,\n12,1,2\n", to: "ads.csv")
    let (report, _) = try await fixture.load([path], entity: "ads")
    #expect(report.inserted == 3)
    let rows = "SELECT * FROM ads; PRAGMA foreign_key_check"
    #expect(try SQLiteCommand.run(rows, on: fixture.store) == "10|1|\n11||7\n12|2|1")
    try fixture.directory.write("number,campaign_id,tenant\n12,,2\n", to: "ads.csv")
    try await fixture.load([path], entity: "ads", key: "number")
    #expect(try SQLiteCommand.run(rows, on: fixture.store) == "10|1|\n11||7\n12|2|")
  }

  @Test("A file without one of the columns, and one that names the relationship, are refused")
  func columns() async throws {
    let fixture = try fixture(Self.sql)
    let path = try fixture.directory.write("number,campaign_id\n10,2\n", to: "ads.csv")
    let missing = try await fixture.failure([path], entity: "ads")
    #expect(missing.contains("and there is no column “tenant”"), "\(missing)")
    try fixture.directory.write("number,campaigns\n10,2\n", to: "ads.csv")
    let whole = try await fixture.failure([path], entity: "ads")
    #expect(whole.contains("no single column can fill it"), "\(whole)")
  }

  // Promise: new rows must refer to new rows by columns that are not their key → inserted after them.
  @Test(
    "Random tables have the rows that sqlite3 makes of the same ones",
    .enabled(if: SQLiteCommand.isPresent, "\(SQLiteCommand.absence)"))
  func random() async throws {
    for round in RandomCases.rounds(of: 25) {
      let seed = RandomCases.seed(round)
      let tables = CompositeKeyTables(seed: seed, isServer: false)
      let witness = try LoadFixture()
      try SQLiteFile.make(at: witness.store, tables.declarations + tables.inserts)
      let fixture = try fixture(tables.declarations + tables.prepared)
      for file in tables.files { try fixture.directory.write(file.csv, to: file.entity + ".csv") }
      let manifest = try fixture.directory.write(tables.manifest, to: "manifest.yaml")
      do {
        try await fixture.load([manifest])
      } catch {
        Issue.record("seed \(seed): \(error)\n\(tables.declarations)\(tables.manifest)")
        continue
      }
      #expect(
        try SQLiteCommand.run(tables.contents, on: fixture.store)
          == SQLiteCommand.run(tables.contents, on: witness.store),
        "seed \(seed)\n\(tables.declarations)\(tables.manifest)")
    }
  }
}
