import Foundation
import SwiftDatastore
import Testing

/// Long mixed expressions, in one statement each: they must compile without help.
@Suite struct QueryTypeCheckingTests {
  @Test func longExpressionsCompile() async throws {
    let fixture = try await QueryFixture()
    try await fixture.expect(
      \.$age >= 18 && \.$age <= 65 && \.$name != "Bob" && \.$isActive == true
        && (\.$level == .senior || \.$level == nil || [.junior] ~= \.$level)
        && !(\.$phone == "555-1") && 1.0...2.5 ~= \.$height
        && (\.$firm ~ \.$name == "Initech" || \.$firm == nil || (\.$name ^= "T"))
        && \.$chores.count < 3 && (\.$chores ~ \.$hours).sum < 100
        && (\.$shift == .day || \.$shift == nil) && .like(\.$name, "*"),
      """
      age >= 18 AND age <= 65 AND name != "Bob" AND isActive == 1 AND (level == 1 OR level == NULL \
      OR level IN {0}) AND NOT phone == "555-1" AND height BETWEEN {1.0, 2.5} AND (firm.name == \
      "Initech" OR firm == NULL OR name BEGINSWITH "T") AND chores.@count < 3 AND chores.@sum.hours \
      < 100.0 AND (shift == "day" OR shift == NULL) AND name LIKE "*"
      """, finds: ["Åsa", "eve"])
  }

  @Test func longExpressionsCompileInAFetch() async throws {
    let datastore = try SwiftDatastore(
      inMemory: SwiftDatastoreModel(from: Person.self, Firm.self, Chore.self))
    try await datastore.newContext().perform { context in
      let person: Person = try context.createObject()
      person.name = "Tom"
      person.age = 30
      let found: [Person] = try context.fetch(
        where: \.$age > 20 && (\.$name ^= "T") || (\.$name |= "e") && \.$height >= 1.5
          || \.$level == .senior && !(\.$firm ~ \.$name == "x") || 20...30 ~= \.$age
          || ["a", "b"] ~= \.$name && \.$boss ~ \.$age > 50 && \.$reports.count > 2,
        orderBy: [
          .asc(\.$firm ~ \.$name), .desc(\.$age), .asc(\.$name, options: .caseInsensitive),
        ],
        offset: 0, limit: 20)
      #expect(found == [person])
    }
  }
}
