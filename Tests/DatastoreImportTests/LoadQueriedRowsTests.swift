import DatastoreCore
import DatastoreImport
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// Files as `datastore query` writes them of a store of SwiftDatastore: the number of each row in `_id`, and
/// objects of relationships by their unique attribute in a column of its path.
@Suite("Loading what a query has written")
struct LoadQueriedRowsTests {
  /// A fixture with a store without rows: people, who have no unique attribute, of teams, which have one.
  private func makeFixture() throws -> LoadFixture {
    func toOne(_ name: String, _ destination: String) -> PropertyDescription {
      .relationship(
        RelationshipDescription(name: name, kind: .toOne, destination: destination, inverse: nil))
    }
    let schema = try Schema([
      EntityDescription(
        name: "Team",
        properties: [
          .attribute(AttributeDescription(name: "number", type: .integer64, isUnique: true)),
          .attribute(AttributeDescription(name: "title", type: .string)),
        ]),
      EntityDescription(
        name: "Person",
        properties: [
          .attribute(AttributeDescription(name: "name", type: .string)), toOne("team", "Team"),
          toOne("boss", "Person"),
        ]),
    ])
    let fixture = try LoadFixture()
    try SwiftDatastore(schema: schema, url: fixture.store).close()
    return fixture
  }

  private static let teams = "_id,number,title\n1,2,Red\n2,1,Blue\n"
  // The numbers of the teams are not those of their rows, and bosses come before and after.
  private static let people = "_id,name,team.number,boss\n5,Ada,1,6\n6,Bo,2,\n7,Cy,,5\n"

  /// The people of a store, each with the title of the team and the name of the boss.
  private func people(of fixture: LoadFixture) async throws -> [String] {
    let contents = try await fixture.contents()
    func text(_ value: Value) -> String { if case .text(let text) = value { text } else { "-" } }
    return contents["Person"].map { person in
      let team = contents["Team"].first { person["team"] == .key($0.key) }
      let boss = contents["Person"].first { person["boss"] == .key($0.key) }
      return [person["name"], team?["title"] ?? .null, boss?["name"] ?? .null].map(text)
        .joined(separator: " ")
    }
  }

  @Test("The relationships are the same in an empty store", arguments: [1, 100])
  func emptyStore(batchSize: Int) async throws {
    let fixture = try makeFixture()
    let teams = try fixture.directory.write(Self.teams, to: "Team.csv")
    let people = try fixture.directory.write(Self.people, to: "Person.csv")
    // References may lead into a later file.
    try await fixture.load([people, teams], batchSize: batchSize)
    #expect(try await self.people(of: fixture) == ["Ada Blue Bo", "Bo Red -", "Cy - Ada"])
  }

  @Test("Records with the numbers of other stored rows are new, and refer to each other")
  func otherRows() async throws {
    let fixture = try makeFixture()
    let former = try fixture.directory.write("name\nOld\nOlder\n", to: "former.csv")
    try await fixture.load([former], entity: "Person")
    let path = try fixture.directory.write("_id,name,boss\n1,Ada,2\n2,Bo,\n", to: "Person.csv")
    try await fixture.load([path], batchSize: 1)
    #expect(
      try await people(of: fixture) == ["Old - -", "Older - -", "Ada - Bo", "Bo - -"])
    // A number that no record has is that of a stored row.
    let more = try fixture.directory.write("name,boss\nDi,1\n", to: "more.csv")
    try await fixture.load([more], entity: "Person")
    #expect(try await people(of: fixture).last == "Di - Old")
    // A row without its number cannot be meant by the number that it will get.
    let unknown = try fixture.directory.write("name,boss\nEd,6\nFay,7\n", to: "unknown.csv")
    let failure = try await fixture.failure([unknown], entity: "Person")
    #expect(failure.contains("there is no Person with the key “6”"), "\(failure)")
  }

  @Test("The number of a row is a key where no attribute is one")
  func numberAsKey() async throws {
    let fixture = try makeFixture()
    let former = try fixture.directory.write("name\nOld\nOlder\n", to: "former.csv")
    try await fixture.load([former], entity: "Person")
    let path = try fixture.directory.write("_id,name,boss\n2,New,1\n", to: "Person.csv")
    let (report, _) = try await fixture.load([path], key: "_id")
    #expect(report.updated == 1 && report.inserted == 0)
    #expect(try await people(of: fixture) == ["Old - -", "New - Old"])
  }

  @Test("A path that does not end in the key of the related object is no column")
  func otherPath() async throws {
    let fixture = try makeFixture()
    let path = try fixture.directory.write("name,team.title\nAda,Red\n", to: "Person.csv")
    let failure = try await fixture.failure([path])
    #expect(failure.contains("Person has no property “team.title”"), "\(failure)")
  }
}
