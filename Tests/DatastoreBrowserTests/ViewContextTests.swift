import DatastoreCore
import SwiftDatastore
import Testing

@testable import DatastoreBrowser

/// Requests to the view context that only the browser makes.
@MainActor
@Suite struct ViewContextTests {
  @Test("Matches of a condition are counted with what is not saved yet")
  func countsWithUnsavedChanges() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, age INTEGER);
      INSERT INTO person VALUES
        (1, 'Ann', 30), (2, 'ann', 31), (3, 'Bob', 30), (4, NULL, NULL), (5, 'A%n', 3), (6, 'Ann', 7);
      """)
    let datastore = try SwiftDatastore(opening: file.url)
    let view = datastore.sharedViewContext
    let entity = try #require(datastore.schema.entity(named: "person"))
    let over20 = FetchRequest(
      entity: "person",
      predicate: try Predicate.parse("age > 20", entity: entity, in: datastore.schema))
    #expect(try await view.countMatches(over20) == 3)
    let all = try await view.load(entity: 0, keys: [1, 2, 3, 5])
    all[0]["age"] = .integer(1)
    all[3]["age"] = .integer(50)
    view.deleteObject(all[1])
    #expect(try await view.countMatches(over20) == 2)
    #expect(try await view.countMatches(FetchRequest(entity: "person")) == 5)
    view.revertChanges()
    #expect(try await view.countMatches(over20) == 3)
  }
}
