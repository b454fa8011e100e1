import DatastoreCore
import DatastoreTestSupport
import SwiftDatastore
import Testing

@testable import DatastoreImport

@Suite("Arrays inside of documents, objects inside of records")
struct JSONNestingTests {
  private static func read(
    _ text: String, path: String = "", flattens: Bool = false, chunkSize: Int = 7
  ) throws -> [[String: String?]] {
    var options = JSONReader.Options()
    options.path = ReadingOptions.path(path)
    options.flattens = flattens
    var reader = try JSONReader(
      ByteInput(Array(text.utf8), name: "t.json", chunkSize: chunkSize), options: options)
    var rows: [[String: String?]] = []
    while let record = try reader.next() {
      rows.append(
        Dictionary(uniqueKeysWithValues: record.fields.map { ($0.name, $0.value.text) }))
    }
    return rows
  }

  private static let collection = """
    {"type": "FeatureCollection", "crs": {"a": ["}", "\\"", {"features": [1]}]}, "n": -1.5e3, "t" : true ,
     "features": [{"id": 1, "name": {"common": "A", "native": {"de": "Ä"}}}, {"id": 2, "name": {}}],
     "after": [{"id": 3}]}
    """

  @Test("A path leads to the array that is read", arguments: [1, 2, 7, 4096])
  func path(chunkSize: Int) throws {
    let rows = try Self.read(Self.collection, path: "features", chunkSize: chunkSize)
    #expect(rows.map { $0["id"] } == ["1", "2"])
    #expect(
      try Self.read("{\"a\":{\"b\":[{\"x\":1}]},\"c\":2}", path: "a.b", chunkSize: chunkSize)
        == [["x": "1"]])
    #expect(
      try Self.read("{\"z\":[],\"a\":{\"x\":1}}", path: "a", chunkSize: chunkSize)
        == [["x": "1"]])
  }

  @Test("A path that leads nowhere is told with what is there")
  func noPath() throws {
    for (path, reason) in [
      ("feature", "has no member “feature”; it has “type”, “crs”, “n”, “t”, “features”, “after”"),
      ("type.x", "expected an object with the member “x”"),
      ("n", "expected '[' or '{'"),
    ] {
      do {
        _ = try Self.read(Self.collection, path: path)
        Issue.record("\(path) was read")
      } catch {
        #expect("\(error)".contains(reason), "\(error)")
      }
    }
    #expect(throws: ImportError.self) { try Self.read("[1]", path: "a") }
    #expect(throws: ImportError.self) { try Self.read("{\"b\": [", path: "a") }
  }

  @Test("Nested objects become columns")
  func flattened() throws {
    let rows = try Self.read(Self.collection, path: "features", flattens: true)
    #expect(rows == [["id": "1", "name.common": "A", "name.native.de": "Ä"], ["id": "2"]])
    #expect(throws: ImportError.self) {
      try Self.read("{\"a.b\": 1, \"a\": {\"b\": 2}}", flattens: true)
    }
  }

  @Test("A document that is one object says which array could be read; mixed types are told")
  func notes() async throws {
    let fixture = try LoadFixture()
    let file = try fixture.directory.write(Self.collection, to: "t.json")
    let notes = try await fixture.load([file]).report.notes
    #expect(
      notes.contains {
        $0.hasSuffix("whose “features” is a list of 2; --path features reads these.")
      }, "\(notes)")
    let preview = try ImportPreview(path: file, reading: ReadingOptions())
    #expect(preview.arrays == ["features", "after"])
    let nested = try fixture.directory.write(
      #"{"a": {"b": [{"x": 1}, {"x": 2}], "c": 3}, "z": 1}"#, to: "n.json")
    var reading = ReadingOptions()
    reading.format = .json
    reading.json.path = ["a"]
    let inside = try ImportPreview(path: nested, reading: reading)
    #expect(inside.arrays == ["a.b"])
    #expect(
      inside.notes.contains {
        $0.hasSuffix("“a” is one object, whose “b” is a list of 2; --path a.b reads these")
      }, "\(inside.notes)")
    let mixed = try fixture.directory.write(
      #"[{"a": 1}, {"a": 2.5}, {"a": "x"}, {"a": true}, {"a": [1]}, {"a": "y"}, {"a": null}]"#,
      to: "m.json")
    let told = try await fixture.load([mixed]).report.notes.joined()
    #expect(
      told.contains(
        "“a” has 2 numbers, 1 boolean, 2 texts (“x”), and 1 list, so all of them are kept as text."),
      "\(told)")
    #expect(
      try await fixture.contents()["m"].map { $0["a"] }.prefix(4) == ["1", "2.5", "x", "true"])
  }

  @Test("Columns with a point in their names are stored, found and sorted by")
  func columns() async throws {
    let fixture = try LoadFixture()
    let file = try fixture.directory.write(Self.collection, to: "t.json")
    var reading = ReadingOptions()
    reading.json.path = ["features"]
    reading.json.flattens = true
    let plan = try LoadPlan(paths: [file], reading: reading)
    #expect(try await fixture.load(plan).report.inserted == 2)
    #expect(
      try SQLiteFile.output(of: "SELECT \"name.common\" FROM t", at: fixture.store) == "A\n\n")
    let datastore = try SwiftDatastore(opening: fixture.store, readOnly: true)
    let entity = try #require(datastore.schema.entity(named: "t"))
    for text in [
      "name.common = \"A\"", "`name.common` = \"A\"", "name.native.de BEGINSWITH \"Ä\"",
    ] {
      let predicate = try Predicate.parse(text, entity: entity, in: datastore.schema)
      let count = try await datastore.newContext().perform { context in
        try context.core.graph.store.fetch(FetchRequest(entity: "t", predicate: predicate))
          .map(\.rowCount).reduce(0, +)
      }
      #expect(count == 1, "\(text)")
    }
    try datastore.close()
  }
}
