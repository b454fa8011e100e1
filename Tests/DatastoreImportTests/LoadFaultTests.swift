import DatastoreCore
import DatastoreImport
import DatastoreTestSupport
import Foundation
import SampleModel
import SwiftDatastore
import Testing

@Suite("Faults while loading")
struct LoadFaultTests {
  /// A value that does not fit, the type of its column and the message about it.
  struct Misfit: Sendable, CustomTestStringConvertible {
    let type: String
    let value: String
    let reason: String

    init(_ type: String, _ value: String, _ reason: String) {
      self.type = type
      self.value = value
      self.reason = reason
    }

    var testDescription: String { "\(type) \(value)" }
  }

  static let misfits = [
    Misfit("integer", "abc", "“abc” is not an integer"),
    Misfit("integer", "1.5", "“1.5” is not an integer"),
    Misfit(
      "integer", "9223372036854775808",
      "“9223372036854775808” is not within a 64-bit integer, "
        + "-9223372036854775808 to 9223372036854775807"),
    Misfit("double", "0x10", "“0x10” is not a number"),
    Misfit("double", "1e999", "“1e999” is too large for a number"),
    Misfit("decimal", "12a", "“12a” is not a decimal number"),
    Misfit(
      "decimal", "123456789012345678901234567890123456789",
      "“123456789012345678901234567890123456789” has more digits than the 38 that a decimal keeps"),
    Misfit("boolean", "perhaps", "“perhaps” is neither true nor false"),
    Misfit(
      "date", "2024-02-30",
      "“2024-02-30” is not a date; write it like 2024-05-01 or 2024-05-01T09:30:00Z"),
    Misfit("uuid", "12", "“12” is not a UUID"),
    Misfit("url", "a b", "“a b” is not a URL"),
    Misfit("data", "?", "“?” is not Base64"),
    Misfit("integer", "a\u{1B}[2J\u{202E}b", "“a␛[2J·b” is not an integer"),
  ]

  @Test("A value that does not fit is told with its place", arguments: misfits)
  func misfit(_ misfit: Misfit) async throws {
    let fixture = try LoadFixture()
    try fixture.directory.write("name,value\nfirst,\nsecond,\(misfit.value)\n", to: "t.csv")
    let manifest = try fixture.directory.write(
      """
      files:
        - { file: t.csv, entity: T, columns: { value: { type: \(misfit.type) } } }
      """, to: "manifest.yaml")
    let told = try await fixture.failure([manifest])
    #expect(
      told
        == "t.csv, line 3, column 8: value: \(misfit.reason). Nothing was loaded; correct it, or "
        + "skip invalid records with --on-error skip.")
    #expect(!fixture.exists)
  }

  @Test("Values outside the range of a compiled attribute are refused")
  func compiledRanges() async throws {
    let fixture = try LoadFixture()
    try fixture.directory.write(#"[{"id":1,"title":"x","priority":300}]"#, to: "tasks.json")
    let manifest = try fixture.directory.write(
      "model: company\nfiles: [{ file: tasks.json, entity: Task, key: id }]", to: "manifest.yaml")
    #expect(
      try await fixture.failure([manifest]).hasPrefix(
        "tasks.json, line 1, column 22: priority: “300” is not within an 8-bit integer, -128 to "
          + "127. Nothing"))
  }

  @Test("A value that must be there is missed")
  func missingValue() async throws {
    let fixture = try LoadFixture()
    try fixture.directory.write(
      #"[{"id":1,"title":"x"},"# + "\n" + #"{"id":2,"priority":1}]"#, to: "tasks.json")
    let manifest = try fixture.directory.write(
      "model: company\nfiles: [{ file: tasks.json, entity: Task, key: id }]", to: "manifest.yaml")
    #expect(
      try await fixture.failure([manifest]).hasPrefix(
        "tasks.json, line 2, column 1: “title” must have a value, but has none here."))
  }

  @Test(
    "Keys must be there and differ within a file",
    arguments: [
      ("id,a\n1,x\n,y\n", "k.csv, line 3, column 1: the key “id” has no value."),
      (
        "id,a\n1,x\n2,y\n3,z\n1,w\n",
        "k.csv, line 5, column 1: a record before this one has the same key, “1”."
      ),
      ("a,b\n1,x\n", "k.csv, line 2, column 1: the key “id” is none of the columns (a, b)."),
    ])
  func keys(text: String, expected: String) async throws {
    let fixture = try LoadFixture()
    let path = try fixture.directory.write(text, to: "k.csv")
    #expect(try await fixture.failure([path], key: "id").hasPrefix(expected))
    #expect(!fixture.exists)
  }

  @Test("A reference that leads nowhere is told after everything has been read")
  func dangling() async throws {
    let fixture = try LoadFixture()
    try fixture.directory.write("id,boss\n1,2\n2,7\n3,1\n", to: "p.csv")
    let manifest = try fixture.directory.write(
      "files: [{ file: p.csv, entity: P, key: id, columns: { boss: { refers-to: P } } }]",
      to: "manifest.yaml")
    #expect(
      try await fixture.failure([manifest]).hasPrefix(
        "p.csv, line 3, column 3: there is no P with the id “7”."))
    let (report, faults) = try await fixture.load([manifest], faults: .skip)
    #expect(report.skippedReferences == 1)
    #expect(report.inserted == 3)
    #expect(faults.map(\.reason) == ["there is no P with the id “7”"])
    let bosses = try await fixture.contents()["P"].map { $0["boss"] }
    #expect(bosses == [.integer(2), .null, .integer(1)])
  }

  @Test("A link to an object that is not there is told")
  func danglingLink() async throws {
    let fixture = try LoadFixture()
    try fixture.directory.write("id\na\n", to: "a.csv")
    try fixture.directory.write("from,to\na,a\na,b\n", to: "l.csv")
    let manifest = try fixture.directory.write(
      """
      files:
        - { file: a.csv, entity: A, key: id }
        - file: l.csv
          links: { entity: A, from: from, relationship: others, destination: A, to: to }
      """, to: "manifest.yaml")
    #expect(
      try await fixture.failure([manifest]).hasPrefix(
        "l.csv, line 3, column 3: there is no A with the id “b”."))
  }

  @Test("Skipping leaves out the malformed records, and only those", arguments: [1, 2, 100])
  func skip(batchSize: Int) async throws {
    let fixture = try LoadFixture()
    let path = try fixture.directory.write(
      "id,age\n1,10\n2,x\n3,30,9\n1,40\n5,50\n\"6,60\n", to: "p.csv")
    try fixture.directory.write(
      "files: [{ file: p.csv, entity: P, key: id, columns: { age: { type: integer } } }]",
      to: "manifest.yaml")
    let (report, faults) = try await fixture.load(
      [fixture.directory.url.path], faults: .skip, batchSize: batchSize)
    #expect(report.inserted == 2)
    #expect(report.skippedRows == faults.count)
    #expect(faults.map(\.position.line).sorted() == [3, 4, 5, 7])
    #expect(faults.allSatisfy { $0.position.file == path })
    #expect(try await fixture.contents()["P"].map { $0["age"] } == [.integer(10), .integer(50)])
  }

  @Test("A column that the entity does not have ends the load, skipping or not")
  func unknownColumn() async throws {
    let fixture = try LoadFixture()
    let path = try fixture.directory.write("id,age\n1,2\n", to: "P.csv")
    try await fixture.load([path], key: "id")
    let other = try fixture.directory.write("id,size\n1,2\n", to: "other.csv")
    #expect(
      try await fixture.failure([other], entity: "P", key: "id", faults: .skip)
        == "other.csv, line 2, column 3: P has no property “size”; it has id, age. "
        + "Nothing was loaded.")
  }

  @Test(
    "A value that only one row can have is a fault of the second record that has it",
    arguments: [nil, "id"])
  func repeatedValue(key: String?) async throws {
    let fixture = try LoadFixture()
    try SQLiteFile.make(
      at: fixture.store, "CREATE TABLE t (id INTEGER PRIMARY KEY, u TEXT UNIQUE)")
    let rows = "id,u\n1,a\n2,\n3,a\n4,c\n5,\n"
    let file = try fixture.directory.write(rows, to: "t.csv")
    let told = try await fixture.failure([file], key: key)
    #expect(
      told.hasPrefix("t.csv, line 4, column 3: a record before this one has the same u, “a”"),
      "\(told)")
    let other = try fixture.directory.write(rows + "x,d\n", to: "other.csv")
    let (report, faults) = try await fixture.load([other], entity: "t", key: key, faults: .skip)
    #expect(report.inserted == 4)
    #expect(report.skippedRows == 2)
    #expect(faults.map(\.position.line).sorted() == [4, 7])
    #expect(try await fixture.contents()["t"].map(\.key) == [1, 2, 4, 5])
  }

  private static let guarded = """
    CREATE TABLE g (id INTEGER PRIMARY KEY, name TEXT UNIQUE, age INTEGER CHECK (age < 100),
      boss INTEGER REFERENCES g);
    INSERT INTO g VALUES (1, 'Ann', 30, NULL);
    CREATE TRIGGER t BEFORE INSERT ON g WHEN NEW.name = 'bad' BEGIN
      SELECT RAISE(ABORT, 'no bad names');
    END;
    """

  // Promise: the store refuses records of a file, as a unique value, a rule or a trigger says → they are told
  // with their lines, and left out with --on-error skip.
  @Test(
    "What the store refuses is a fault of its record, with and without objects",
    arguments: ["name,age", "id,name,age", "id,name,age,boss"])
  func refusedRecords(header: String) async throws {
    let fixture = try LoadFixture()
    try SQLiteFile.make(at: fixture.store, Self.guarded)
    let before = try await fixture.contents()
    let records = [
      "Bob,1", "Ann,2", "Cid,3", "Dan,500", "bad,5", "Eve,6", "Fay,7",
    ]
    let columns = header.split(separator: ",").count
    func write(_ chosen: [Int]) throws -> String {
      let lines = chosen.map { place in
        var line = records[place]
        if columns > 2 { line = "\(place + 10)," + line }
        if columns > 3 { line += ",1" }
        return line + "\n"
      }
      return try fixture.directory.write(header + "\n" + lines.joined(), to: "g.csv")
    }
    let key = columns > 2 ? "id" : nil
    for (bad, reason) in [
      (1, "there is another g with the same name"), (3, "it breaks the rule “age < 100”"),
      (4, "no bad names"),
    ] {
      let told = try await fixture.failure([write([0, bad, 5])], key: key)
      #expect(told.hasPrefix("g.csv, line 3, column 1: "), "\(told)")
      #expect(told.contains(reason), "\(told)")
      #expect(told.contains("Nothing was loaded"), "\(told)")
    }
    #expect(try await fixture.contents() == before)
    let (report, faults) = try await fixture.load(
      [write(Array(records.indices))], key: key, faults: .skip)
    #expect(report.rows == 7)
    #expect(report.inserted == 4)
    #expect(report.skippedRows == 3)
    #expect(faults.map(\.position.line).sorted() == [3, 5, 6])
    #expect(
      try await fixture.contents()["g"].map { $0["name"] } == ["Ann", "Bob", "Cid", "Eve", "Fay"])
  }
}
