import DatastoreCore
import DatastoreSQL
import DatastoreTestSupport
import Foundation
import Testing

@testable import DatastoreSQLite

// Promise: names of a database differ only in Unicode normalization, or in capitals beyond ASCII → both are
// shown, read and written; references lead to the right one.
// Also: `ReflectionTests.namesThatDifferInNormalizationAreToldApart`
/// Names that Swift holds equal and SQLite does not, since they differ in Unicode normalization, and those
/// that differ in capitals beyond ASCII.
@Suite("Names of another normalization")
struct NormalizedNameTests {
  private static let composed = "caf\u{E9}"
  private static let decomposed = "cafe\u{301}"

  private func file() throws -> ForeignFile {
    let (nfc, nfd) = (Self.composed, Self.decomposed)
    return try ForeignFile(
      """
      CREATE TABLE "\(nfc)" (id INTEGER PRIMARY KEY, "\(nfc)" TEXT UNIQUE, "\(nfd)" TEXT);
      CREATE TABLE "\(nfd)" (id INTEGER PRIMARY KEY, "\(nfd)" TEXT,
        owner INTEGER REFERENCES "\(nfd)" (id));
      CREATE TABLE visit (id INTEGER PRIMARY KEY, at INTEGER REFERENCES "\(nfd)" (id));
      INSERT INTO "\(nfc)" VALUES (1, 'c1', 'd1');
      INSERT INTO "\(nfd)" VALUES (1, 'other', NULL), (2, 'second', 1);
      INSERT INTO visit VALUES (1, 2);
      """)
  }

  private func bytes(_ text: String?) -> [UInt8] { Array((text ?? "").utf8) }

  @Test("Both tables and both columns are there, and the bytes of a name say which is meant")
  func reading() throws {
    let store = try file().open()
    #expect(
      store.schema.entities.map { bytes($0.name) } == [
        bytes(Self.composed), bytes(Self.decomposed + "_2"), bytes("visit"),
      ])
    for (name, values) in [(Self.composed, ["c1"]), (Self.decomposed, ["other", "second"])] {
      let entity = try #require(store.schema.entity(named: name))
      let slot = try #require(entity.slot(named: name))
      let page = try #require(try store.fetch(FetchRequest(entity: entity.name)).first)
      #expect(
        (0..<page.rowCount).map { page.value(row: $0, slot: slot) } == values.map { .text($0) })
    }
    let both = try #require(store.schema.entity(named: Self.composed))
    let second = try #require(both.slot(named: Self.decomposed))
    #expect(both.properties[second].name == Self.decomposed + "_2")
    #expect(bytes(both.properties[second].nameInFile) == bytes(Self.decomposed))
    #expect(
      both.properties[try #require(both.slot(named: Self.composed))].attribute?.isUnique == true)
    #expect(both.properties[second].attribute?.isUnique == false)
    let predicate = try Predicate.parse(
      "`\(Self.decomposed)` == \"d1\" AND `\(Self.composed)` == \"c1\"", entity: both,
      in: store.schema)
    #expect(
      try store.fetch(FetchRequest(entity: both.name, predicate: predicate)).first?.rowCount == 1)
    // References lead to the table of the same bytes.
    let visit = try #require(store.schema.entity(named: "visit"))
    let link = try #require(visit.links.compactMap(\.self).first { $0.entity == visit.index })
    #expect(store.schema.entities[link.destination].name == Self.decomposed + "_2")
    try store.close()
  }

  @Test("A write goes into the column of the same bytes")
  func writing() throws {
    let file = try file()
    let store = try file.open()
    let entity = try #require(store.schema.entity(named: Self.composed))
    let slot = try #require(entity.slot(named: Self.decomposed))
    _ = try store.update(
      entity: entity.index, where: nil, assigning: [(slot, .text("new"))], unless: nil)
    let other = try #require(store.schema.entity(named: Self.decomposed))
    let own = try #require(other.slot(named: Self.decomposed))
    _ = try store.update(
      entity: other.index, where: nil, assigning: [(own, .text("x"))], unless: nil)
    try store.close()
    #expect(try file.query("SELECT * FROM \"\(Self.composed)\"") == [["1", "\"c1\"", "\"new\""]])
    #expect(
      try file.query(
        "SELECT count(*) FROM \"\(Self.decomposed)\" WHERE \"\(Self.decomposed)\" = 'x'") == [["2"]]
    )
  }

  @Test("What is said of a column is said of the one of the same bytes, also when it is kept")
  func annotations() throws {
    let (nfc, nfd) = (Self.composed, Self.decomposed)
    var said = SchemaAnnotations()
    said.setType("DATE", of: nfc, in: nfc)
    said.setType("BOOLEAN", of: nfd, in: nfc)
    said.setDates(.plain, of: nfd, in: nfd)
    let kept = try JSONDecoder().decode(SchemaAnnotations.self, from: JSONEncoder().encode(said))
    #expect(kept == said)
    #expect(kept.type(of: nfc, in: nfc) == "DATE")
    #expect(kept.type(of: nfd, in: nfc) == "BOOLEAN")
    #expect(kept.type(of: nfd, in: nfd) == nil)
    #expect(kept.dates(of: nfd, in: nfc) == nil)
    #expect(kept.dates(of: nfd, in: nfd) == .plain)

    // The exact names, as they were stored once.
    let old = Data(#"{"types": {"Größe": {"länge": "INTEGER"}}}"#.utf8)
    let read = try JSONDecoder().decode(SchemaAnnotations.self, from: old)
    #expect(read.type(of: "länge", in: "Größe") == "INTEGER")
    #expect(
      read.statements == [.type(table: "Größe", column: "länge", "INTEGER")])
  }

  @Test("Capitals beyond ASCII are other names, as SQLite has them")
  func capitals() throws {
    let file = try ForeignFile(
      """
      CREATE TABLE "Über" (id INTEGER PRIMARY KEY, "Ä" TEXT, "ä" TEXT);
      CREATE TABLE "über" (id INTEGER PRIMARY KEY, "Über" INTEGER REFERENCES "Über" (id));
      INSERT INTO "Über" VALUES (1, 'big', 'small');
      INSERT INTO "über" VALUES (7, 1);
      """)
    let store = try file.open()
    #expect(store.schema.entities.map(\.name) == ["Über", "über"])
    let small = try #require(store.schema.entity(named: "über"))
    let link = try #require(small.links.compactMap(\.self).first)
    #expect(store.schema.entities[link.destination].name == "Über")
    try store.close()
  }
}
