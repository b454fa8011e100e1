import DatastoreCore
import SwiftDatastore
import Testing

/// Requests of a condition editor to the view context.
@MainActor
@Suite struct FilteringTests {
  private static let people = """
    CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, age INTEGER);
    INSERT INTO person VALUES
      (1, 'Ann', 30), (2, 'ann', 31), (3, 'Bob', 30), (4, NULL, NULL), (5, 'A%n', 3), (6, 'Ann', 7);
    """

  @Test func findsDifferentValuesByTheirBeginning() async throws {
    let file = try ForeignDatabase(Self.people)
    let view = try file.open().sharedViewContext
    func find(_ attribute: String, _ prefix: String, limit: Int = 100) async throws -> [Value] {
      try await view.answer(
        DistinctValuesQuestion(
          of: attribute, entity: 0, beginningWith: prefix, limit: limit))
    }
    #expect(try await find("name", "") == [.text("A%n"), .text("Ann"), .text("Bob"), .text("ann")])
    #expect(try await find("name", "an") == [.text("Ann"), .text("ann")])
    #expect(try await find("name", "a%") == [.text("A%n")])
    #expect(try await find("age", "3") == [.integer(3), .integer(30), .integer(31)])
    #expect(try await find("age", "", limit: 2).count == 2)
  }
}
