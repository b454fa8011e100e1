import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

@testable import DatastoreImport

@Suite("Loading into tables that a store lacks")
struct LoadNewTableTests {
  private static let people = "id,name,born,tall\n1,Ada,1815-12-10,1.65\n2,Bo,,1.8\n"

  @Test("A third-party file gets a plain table", arguments: [nil, "id"])
  func foreign(key: String?) async throws {
    let fixture = try LoadFixture()
    try SQLiteFile.make(at: fixture.store, "CREATE TABLE other (x); INSERT INTO other VALUES (7)")
    let file = try fixture.directory.write(Self.people, to: "people.csv")
    let report = try await fixture.load([file], key: key).report
    #expect(report.inserted == 2)
    let contents = try await fixture.contents()
    #expect(contents["other"].map { $0["x"] } == [7])
    #expect(contents["people"].map { $0["name"] } == ["Ada", "Bo"])
    #expect(contents["people"].map { $0["born"] } == ["1815-12-10", .null])
    #expect(contents["people"].map { $0["tall"] } == [1.65, 1.8])
    let again = try await fixture.load([file], key: key).report
    #expect(again.updated == (key == nil ? 0 : 2))
    #expect(again.inserted == (key == nil ? 2 : 0))
  }

  @Test("A table is found whatever the case of its name, and a trial refuses names that are taken")
  func takenNames() async throws {
    let fixture = try LoadFixture()
    try SQLiteFile.make(
      at: fixture.store,
      "CREATE TABLE Emp (id INTEGER PRIMARY KEY, n TEXT); CREATE INDEX ix ON Emp (n)")
    let file = try fixture.directory.write("id,n\n1,x\n", to: "emp.csv")
    try await fixture.load([file])
    #expect(try SQLiteCommand.run("SELECT * FROM Emp", on: fixture.store) == "1|x")
    for name in ["IX", "sqlite_x"] {
      for isTrial in [true, false] {
        var options = LoadOptions()
        options.isTrial = isTrial
        let loader = StoreLoader(
          try LoadPlan(paths: [file], entity: name), into: fixture.store, options: options)
        let error = await #expect(throws: LoadError.self) { try await loader.run { _ in } }
        #expect(error?.description.contains("say another name with --entity") == true)
      }
    }
  }

  @Test("An object inside of a record is stored with its numbers as they are written")
  func nestedNumbers() async throws {
    let fixture = try LoadFixture()
    let object = #"{"big":12345678901234567890123,"e":1e400,"d":3.14159265358979323846,"f":1.10}"#
    let file = try fixture.directory.write(#"[{"id":1,"o":\#(object)}]"#, to: "r.json")
    try await fixture.load([file])
    #expect(try SQLiteCommand.run("SELECT o FROM r", on: fixture.store) == object)
  }

  @Test("A member without a name becomes a column with one")
  func nameless() async throws {
    let fixture = try LoadFixture()
    let file = try fixture.directory.write(#"[{"a":1,"":2},{"a":3,"":4}]"#, to: "jj.json")
    let report = try await fixture.load([file]).report
    #expect(report.notes.contains { $0.contains("without a name is called “column_2”") })
    #expect(try await fixture.contents()["jj"].map { $0["column_2"] } == [2, 4])
  }

  @Test("A native store gets an entity")
  func native() async throws {
    let fixture = try LoadFixture()
    let file = try fixture.directory.write(Self.people, to: "people.csv")
    let cities = try fixture.directory.write("name\nParis\n", to: "cities.csv")
    try await fixture.load([cities])
    try await fixture.load([file], key: "id")
    let contents = try await fixture.contents()
    #expect(contents["cities"].map { $0["name"] } == ["Paris"])
    #expect(contents["people"].map { $0["id"] } == [1, 2])
    let datastore = try SwiftDatastore(opening: fixture.store, readOnly: true)
    let entity = try #require(datastore.schema.entity(named: "people"))
    let types = entity.properties.map { $0.attribute?.type }
    #expect(types == [.integer64, .string, .calendarDate, .double])
    try datastore.close()
    // The file's description of itself matches its tables.
    let same = try SwiftDatastore(schema: datastore.schema, url: fixture.store)
    try same.close()
  }

  @Test("A load that fails takes the table with it", arguments: [true, false])
  func failure(isNative: Bool) async throws {
    let fixture = try LoadFixture()
    if isNative {
      try await fixture.load([fixture.directory.write("name\nParis\n", to: "cities.csv")])
    } else {
      try SQLiteFile.make(at: fixture.store, "CREATE TABLE cities (name TEXT)")
    }
    let file = try fixture.directory.write("a,b\n1,2\n3\n", to: "people.csv")
    let sentence = try await fixture.failure([file])
    #expect(sentence.contains("Nothing was loaded"), "\(sentence)")
    let contents = try await fixture.contents()
    #expect(Array(contents.entities.keys) == ["cities"])
    let datastore = try SwiftDatastore(opening: fixture.store)
    let same = datastore.schema
    try datastore.close()
    if isNative { try SwiftDatastore(schema: same, url: fixture.store).close() }
  }

  @Test("New rows without relationships stop, and leave nothing, at a fault")
  func streamed() async throws {
    let fixture = try LoadFixture()
    try SQLiteFile.make(
      at: fixture.store, "CREATE TABLE t (a INTEGER NOT NULL, b TEXT NOT NULL DEFAULT 'x', c REAL)")
    let good = (1...1000).map { "\($0),,\($0).5\n" }.joined()
    let file = try fixture.directory.write("a,b,c\n" + good, to: "t.csv")
    #expect(try await fixture.load([file]).report.inserted == 1000)
    let before = try await fixture.contents()
    #expect(before["t"].last?.values == ["a": 1000, "b": "x", "c": 1000.5])
    let bad = try fixture.directory.write("a,b,c\n" + good + ",y,1\nno,y,1\n5,z,2\n", to: "t.csv")
    #expect(try await fixture.failure([bad]).contains("line 1002"))
    #expect(try await fixture.contents() == before)
    let (report, faults) = try await fixture.load([bad], faults: .skip)
    #expect(report.inserted == 1001)
    #expect(report.skippedRows == 2)
    #expect(faults.map(\.position.line) == [1002, 1003])
    #expect(try await fixture.contents()["t"].count == 2001)
  }

  @Test("A trial changes nothing", arguments: [true, false])
  func trial(isNewTable: Bool) async throws {
    let fixture = try LoadFixture()
    try SQLiteFile.make(
      at: fixture.store,
      isNewTable
        ? "CREATE TABLE other (x)"
        : "CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, born TEXT, tall REAL); "
          + "INSERT INTO people (id) VALUES (2)")
    let before = try Data(contentsOf: fixture.store)
    let file = try fixture.directory.write(Self.people, to: "people.csv")
    let plan = try LoadPlan(paths: [file], key: "id")
    var options = LoadOptions()
    options.isTrial = true
    let report = try await StoreLoader(plan, into: fixture.store, options: options).run { _ in }
    #expect(report.rows == 2)
    #expect(report.updated == (isNewTable ? 0 : 1))
    #expect(report.inserted == (isNewTable ? 2 : 1))
    #expect(try Data(contentsOf: fixture.store) == before)
    #expect(try fixture.directory.names() == ["people.csv", "store.sqlite"])
    let new = fixture.directory.url.appending(path: "new.sqlite")
    #expect(try await StoreLoader(plan, into: new, options: options).run { _ in }.inserted == 2)
    #expect(try fixture.directory.names() == ["people.csv", "store.sqlite"])
  }
}
