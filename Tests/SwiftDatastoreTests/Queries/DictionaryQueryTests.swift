import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

private class Being: DatastoreObject {
  @Attribute.NotOptional var name: String = ""
  @Relationship.ToOne(inverse: \.$beings) var home: Place?
}

private final class Human: Being {
  @Attribute.NotOptional var age: Int = 0
  @Attribute.Optional var phone: String?
}

private final class Place: DatastoreObject {
  @Attribute.NotOptional var city: String = ""
  @Relationship.ToMany var beings: Set<Being>
}

/// Rows as dictionaries, and conditions of texts that are read without a datastore.
@Suite struct DictionaryQueryTests {
  private let datastore: SwiftDatastore
  private let url: URL

  init() async throws {
    datastore = try SwiftDatastore(
      dataModel: SwiftDatastoreModel(from: Being.self, Human.self, Place.self),
      storeName: UUID().uuidString, storingType: .test)
    url = try #require(datastore.url)
    try await datastore.write { context in
      let place: Place = try context.createObject()
      place.city = "Umeå"
      for (name, age) in [("Ann", 30), ("Bob", 20), ("Cyd", 30)] {
        let person: Human = try context.createObject()
        (person.name, person.age) = (name, age)
        if name != "Cyd" { person.home = place }
      }
    }
  }

  @Test("A dictionary for each row or group, as sqlite3 has it")
  func dictionaries() async throws {
    let (rows, groups) = try await datastore.newContext().perform { context in
      let query = From<Human>().orderBy(.asc(\.$name))
      let rows = try context.dictionaries(
        query.dictionaries(.attribute(\.$name), .attribute(\.$phone))
      )
      .map { $0.mapValues { "\($0)" } }
      let groups = try context.dictionaries(
        From<Human>()
          .dictionaries(.attribute(\.$age), .count(\.$age, as: "number"), .maximum(\.$name))
          .where(\.$age > 0)
          .groupBy(\.$age)
          .orderBy(.asc(\.$age))
      ).map { "\($0["age"] ?? "")|\($0["number"] ?? "")|\($0["max(name)"] ?? "")" }
      return (rows, groups)
    }
    #expect(rows == [["name": "Ann"], ["name": "Bob"], ["name": "Cyd"]])
    #expect(
      try SQLiteCommand.run(
        "SELECT age, count(age), max(name) FROM Being GROUP BY age ORDER BY age", on: url)
        == groups.joined(separator: "\n"))
  }

  @Test("A text is checked against the class, what it inherits, and where its relationships lead")
  func conditionsWithoutASchema() async throws {
    let conditions: [(Where<Human>, Int)] = [
      (try Where(format: "name BEGINSWITH %@", arguments: [.of("A")]), 1),
      (try Where(format: "home.city == %@", arguments: [.of("Umeå")]), 2),
      (try Where(format: "home.beings.@count > 1"), 2),
      (try Where(format: "home == nil AND %K > %d", arguments: [.of("age"), .of(20)]), 1),
    ]
    for (condition, count) in conditions {
      let found = try await datastore.newContext().perform {
        try $0.count(From<Human>().where(condition))
      }
      #expect(found == count, "\(condition)")
    }
    for text in ["nmae == 1", "home.ctiy == 'x'", "name ==", "age == 'x'"] {
      #expect(throws: PredicateSyntaxError.self, "\(text)") { try Where<Human>(format: text) }
    }
  }

  @Test("Sections have the names that the query makes of their values")
  @MainActor func sectionTitles() throws {
    let context = datastore.sharedViewContext
    let query = From<Human>().sectionBy(\.$age) { "\($0) years old" }
      .orderBy(.asc(\.$age), .asc(\.$name))
    let controller = FetchedObjectsController(viewContext: context, query)
    try controller.performFetch()
    #expect(
      (0..<3).map { controller.sectionName(inSection: $0) } == [
        "20 years old", "30 years old", nil,
      ])
    let publisher = ListPublisher(viewContext: context, query)
    try publisher.performFetch()
    #expect(publisher.snapshot.sections.map(\.name) == ["20 years old", "30 years old"])
    #expect(publisher.snapshot.sections.map(\.value) == [.integer(20), .integer(30)])
    #expect(query == query.limit(0) && query != query.sectionBy(\.$age))
    #expect(
      query.sectionBy(\.$age)
        == From<Human>().sectionBy(\.$age).orderBy(.asc(\.$age), .asc(\.$name)))
    let byPhone = From<Human>().sectionBy(\.$phone) { "\($0)!" }.orderBy(.asc(\.$phone))
    let other = FetchedObjectsController(viewContext: context, byPhone)
    try other.performFetch()
    #expect(other.numberOfSections == 1 && other.sectionName(inSection: 0) == nil)
  }

  @Test("A query with other names of sections takes the place of one")
  @MainActor func changedSectionTitles() async throws {
    let query = From<Human>().orderBy(.asc(\.$age))
    let publisher = ListPublisher(viewContext: datastore.sharedViewContext, query.sectionBy(\.$age))
    try await publisher.performFetch()
    try await publisher.refetch(query.sectionBy(\.$age) { "<\($0)>" })
    #expect(publisher.snapshot.sections.map(\.name) == ["<20>", "<30>"])
  }
}
