import DatastoreCore
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import Testing

/// One change of a model, the rows of the older file, and the results of a query of the newer one.
struct MigrationCase: CustomTestStringConvertible, Sendable {
  let name: String
  let kind: MigrationKind
  let old: [EntityDescription]
  let new: [EntityDescription]
  let sql: String
  let query: String
  let expected: [String]
  var policy = MigrationPolicy.lossless

  var testDescription: String { name }
}

// Promise: the model has changed → the migrated file has the tables of a fresh one, and all rows.
// Also: `RandomMigrationTests`, `MigrationOpeningTests`
@Suite("Inferred migrations")
struct InferredMigrationTests {
  @Test(
    "A migrated file is a fresh file of the newer model, with the rows of the older",
    arguments: cases)
  func migrated(_ item: MigrationCase) throws {
    let file = try MigratedFile(item.old, item.sql)
    let forecast = try file.forecast(of: item.new)
    #expect(forecast.kind == item.kind, "\(forecast)")
    #expect(forecast.obstacles.isEmpty)
    try file.migrate(to: item.new, item.policy)
    #expect(try file.declarations() == MigratedFile.freshDeclarations(item.new))
    #expect(try file.rows(item.query) == item.expected)
    #expect(try file.rows("PRAGMA integrity_check") == ["ok"])
    #expect(try file.rows("SELECT parent FROM pragma_foreign_key_check") == [])
    // Nothing is left to do.
    #expect(try file.forecast(of: item.new).kind == .none)
    try SQLiteStore(try Schema(item.new), at: file.url).close()
  }

  @Test(
    "Where rows would be written, the policy for instant changes refuses, and says what to call",
    arguments: cases)
  func instantOnly(_ item: MigrationCase) throws {
    let file = try MigratedFile(item.old, item.sql)
    let before = try file.dump()
    if item.kind <= .instant {
      try file.migrate(to: item.new, .instant)
      #expect(try file.rows(item.query) == item.expected)
    } else {
      let error = #expect(throws: MigrationError.self) { try file.migrate(to: item.new, .instant) }
      #expect(try #require(error).description.contains("SwiftDatastore.open"))
      #expect(try file.dump() == before)
    }
  }

  static let people = """
    INSERT INTO Person (_id, name, tel) VALUES (1, 'Ann', '1'), (2, 'Bob', NULL), (3, 'Cid', '3');
    """
  static let person = entity(
    "Person", attribute("name", isOptional: false), attribute("tel"))
  static let firms = [
    entity("Firm", attribute("name"), relationship("staff", .toMany, "Person", "firm")),
    entity("Person", attribute("name"), relationship("firm", .toOne, "Firm", "staff")),
  ]
  static let firmRows = """
    INSERT INTO Firm (_id, name) VALUES (1, 'A'), (2, 'B');
    INSERT INTO Person (_id, name, firm) VALUES (1, 'Ann', 1), (2, 'Bob', 1), (3, 'Cid', 2), (4, 'Dan', NULL);
    """
  static let tags = [
    entity("Person", attribute("name"), relationship("tags", .toMany, "Tag", "people")),
    entity("Tag", attribute("label"), relationship("people", .toMany, "Person", "tags")),
  ]
  static let tagRows = """
    INSERT INTO Person (_id, name) VALUES (1, 'Ann'), (2, 'Bob');
    INSERT INTO Tag (_id, label) VALUES (1, 'x'), (2, 'y');
    INSERT INTO Person_tags (Person, tags) VALUES (1, 1), (1, 2), (2, 2);
    """

  static let cases: [MigrationCase] = attributeCases + entityCases + relationshipCases
}
