import DatastoreCore
import DatastoreImport
import DatastoreTestSupport
import Foundation
import Testing

@Suite("Loading files")
struct LoadTests {
  private static let people = """
    id,name,age,boss
    1,Ada,36,2
    2,Grace,45,
    3,Zoë,,1
    4,Lin,51,1
    """

  @Test("Each format fills a new store with inferred types", arguments: ["csv", "json", "jsonl"])
  func formats(format: String) async throws {
    let texts = [
      "csv": "id,name,age,ok\n1,Ada,36,true\n2,Zoë,,false\n",
      "json": """
      [{"id":1,"name":"Ada","age":36,"ok":true},
       {"id":2,"name":"Zoë","ok":false}]
      """,
      "jsonl": """
      {"id":1,"name":"Ada","age":36,"ok":true}
      {"id":2,"name":"Zoë","age":null,"ok":false}
      """,
    ]
    let fixture = try LoadFixture()
    let path = try fixture.directory.write(try #require(texts[format]), to: "Person.\(format)")
    let (report, _) = try await fixture.load([path], key: "id")
    #expect(report.inserted == 2)
    let people = try await fixture.contents()["Person"]
    #expect(people.map { $0["name"] } == [.text("Ada"), .text("Zoë")])
    #expect(people.map { $0["age"] } == [.integer(36), .null])
    #expect(people.map { $0["ok"] } == [.integer(1), .integer(0)])
  }

  @Test("A new store leaves nothing beside it")
  func noRemains() async throws {
    let fixture = try LoadFixture()
    let path = try fixture.directory.write(Self.people, to: "people.csv")
    try await fixture.load([path])
    #expect(try fixture.directory.names() == ["people.csv", "store.sqlite"])
  }

  @Test("What an ended process left is removed, what a running one builds is not")
  func remainsOfOthers() async throws {
    let fixture = try LoadFixture()
    let path = try fixture.directory.write(Self.people, to: "people.csv")
    let running = ".store.sqlite.loading-\(ProcessInfo.processInfo.processIdentifier)-x"
    // The kernel gives no process a number above 4,194,304.
    try fixture.directory.write("old", to: ".store.sqlite.loading-2147483647-x")
    try fixture.directory.write("old", to: ".store.sqlite.loading-2147483647-x-wal")
    try fixture.directory.write("new", to: running)
    try await fixture.load([path])
    #expect(try fixture.directory.names() == [running, "people.csv", "store.sqlite"])
  }

  @Test("An empty file becomes the store")
  func emptyFile() async throws {
    let fixture = try LoadFixture()
    let path = try fixture.directory.write(Self.people, to: "people.csv")
    try fixture.directory.write("", to: "store.sqlite")
    try await fixture.load([path])
    #expect(try await fixture.contents()["people"].count == 4)
  }

  @Test(
    "Records with a key update, others insert, and absent members stay", arguments: [1, 2, 100])
  func updates(batchSize: Int) async throws {
    let fixture = try LoadFixture()
    let first = try fixture.directory.write(Self.people, to: "first.csv")
    try await fixture.load([first], entity: "Person", key: "id")
    let second = try fixture.directory.write(
      """
      [{"id": 3, "age": 20}, {"id": 9, "name": "Neu"}, {"id": 1, "name": null}]
      """, to: "second.json")
    let (report, _) = try await fixture.load(
      [second], entity: "Person", key: "id", batchSize: batchSize)
    #expect(report.updated == 2)
    #expect(report.inserted == 1)
    let contents = try await fixture.contents()
    #expect(contents["Person"].count == 5)
    let zoe = try #require(contents.row("Person", where: "id", is: .integer(3)))
    #expect(zoe["age"] == .integer(20))
    #expect(zoe["name"] == .text("Zoë"))
    #expect(contents.row("Person", where: "id", is: .integer(1))?["name"] == .null)
    #expect(contents.row("Person", where: "id", is: .integer(9))?["name"] == .text("Neu"))
  }

  @Test("Without a key every record is a new object")
  func withoutKey() async throws {
    let fixture = try LoadFixture()
    let path = try fixture.directory.write(Self.people, to: "people.csv")
    try await fixture.load([path])
    try await fixture.load([path])
    #expect(try await fixture.contents()["people"].count == 8)
  }

  @Test("References point backwards, forwards and to themselves", arguments: [1, 2, 100])
  func references(batchSize: Int) async throws {
    let fixture = try LoadFixture()
    try fixture.directory.write(Self.people + "\n5,Self,1,5\n", to: "people.csv")
    let manifest = try fixture.directory.write(
      """
      files:
        - file: people.csv
          entity: Person
          key: id
          columns:
            boss: { refers-to: Person, inverse: team }
      """, to: "manifest.yaml")
    try await fixture.load([manifest], batchSize: batchSize)
    let contents = try await fixture.contents()
    func key(_ id: Int64) -> RowKey? {
      contents.row("Person", where: "id", is: .integer(id))?.key
    }
    let ids: [Int64?] = [2, nil, 1, 1, 5]
    let bosses = try ids.map { id -> Value in
      guard let id else { return .null }
      return .key(try #require(key(id)))
    }
    #expect(contents["Person"].map { $0["boss"] } == bosses)
  }

  @Test("A key column that is ignored identifies all the same")
  func ignoredKey() async throws {
    let fixture = try LoadFixture()
    try fixture.directory.write("n,name,next\n1,a,2\n2,b,\n", to: "things.csv")
    let manifest = try fixture.directory.write(
      """
      files:
        - file: things.csv
          entity: Thing
          key: n
          columns:
            n: { ignore: true }
            next: { refers-to: Thing }
      """, to: "manifest.yaml")
    try await fixture.load([manifest])
    let things = try await fixture.contents()["Thing"]
    #expect(things.count == 2)
    #expect(things[0]["next"] == .key(things[1].key))
    #expect(things[0].values["n"] == nil)
  }

  @Test("Lists of keys and files of links fill many-to-many relationships")
  func manyToMany() async throws {
    let fixture = try LoadFixture()
    try fixture.directory.write(
      #"[{"id":1,"tags":["x","y"]},{"id":2,"tags":[]},{"id":3,"tags":["y"]}]"#, to: "notes.json")
    try fixture.directory.write("name\nx\ny\nz\n", to: "tags.csv")
    try fixture.directory.write("note,tag\n2,z\n1,z\n1,x\n", to: "links.csv")
    let manifest = try fixture.directory.write(
      """
      files:
        - file: notes.json
          entity: Note
          key: id
          columns:
            tags: { refers-to: Tag, many: true, inverse: notes }
        - file: tags.csv
          entity: Tag
          key: name
      """, to: "manifest.yaml")
    try await fixture.load([manifest])
    let links = try fixture.directory.write(
      """
      files:
        - { file: tags.csv, entity: Tag, key: name }
        - { file: notes.json, entity: Note, key: id, columns: { tags: { ignore: true } } }
        - file: links.csv
          links:
            { entity: Note, from: note, relationship: tags, destination: Tag, to: tag }
      """, to: "links.yaml")
    let (report, _) = try await fixture.load([links])
    #expect(report.linked == 3)
    let contents = try await fixture.contents()
    let tagKeys = Dictionary(
      uniqueKeysWithValues: contents["Tag"].map { ($0["name"], $0.key) })
    func tags(_ names: [String]) -> Value {
      let keys = names.compactMap { tagKeys[.text($0)] }.sorted()
      return .text(keys.map(String.init).joined(separator: ","))
    }
    #expect(
      contents["Note"].map { $0["tags"] } == [tags(["x", "y", "z"]), tags(["z"]), tags(["y"])])
    let changes = try fixture.directory.write(
      #"[{"id":1,"tags":["x"]},{"id":2,"tags":["y","z"]}]"#, to: "changes.json")
    let again = try await fixture.load([changes], entity: "Note", key: "id").report
    #expect(again.updated == 2)
    #expect(
      again.notes.contains {
        $0.hasSuffix("“tags” has the objects that the records list, and 2 others have left it.")
      },
      "\(again.notes)")
    #expect(
      try await fixture.contents()["Note"].map { $0["tags"] }
        == [tags(["x"]), tags(["y", "z"]), tags(["y"])])
    let same = try await fixture.load([changes], entity: "Note", key: "id").report
    #expect(!same.notes.contains { $0.contains("left it") }, "\(same.notes)")
  }
}
