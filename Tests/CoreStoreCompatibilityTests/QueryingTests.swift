import CoreStoreCompatibility
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// The chapters on tweaks and querying of CoreStore's document. The line of a block is that of its first
/// fence.
@MainActor
@Suite struct QueryingTests {
  typealias Person = V2.Person

  private let folder: TemporaryDirectory
  private let url: URL
  private let dataStack = DataStack(V2.schema)

  init() throws {
    folder = try TemporaryDirectory()
    url = folder.file("MyStore.sqlite")
    try dataStack.addStorageAndWait(SQLiteStore(fileURL: url))
    try dataStack.perform(synchronous: { transaction in
      for (name, age) in [("John Smith", 30), ("Jane Doe", 22), ("Kim Lee", 42), ("Ann Ek", 42)] {
        let person = try transaction.create(Into<Person>())
        (person.name, person.age) = (name, age)
      }
    })
  }

  @Test("CoreStore.md:168, 1301, 1316: one value, as sqlite3 computes it")
  func values() throws {
    let maxAge = try dataStack.queryValue(
      From<Person>()
        .select(Int.self, .maximum(\.$age)))
    #expect(maxAge == 42)
    let johnsAge = try dataStack.queryValue(
      From<Person>()
        .select(\.$age)
        .where(\.$name == "John Smith"))
    #expect(johnsAge == 30)
    let typed = try dataStack.queryValue(
      From<Person>().orderBy(.descending(\.$name)).select(String.self, .attribute(\.$name)))
    #expect(typed == "Kim Lee")
    let computed: [(String, String?)] = [
      (
        "max(age)",
        try text(dataStack.queryValue(From<Person>().select(Int.self, .maximum(\.$age))))
      ),
      (
        "min(name)", try dataStack.queryValue(From<Person>().select(String.self, .minimum(\.$name)))
      ),
      ("sum(age)", try text(dataStack.queryValue(From<Person>().select(Int.self, .sum(\.$age))))),
      (
        "count(age)",
        try text(dataStack.queryValue(From<Person>().select(Int.self, .count(\.$age))))
      ),
      (
        "avg(age)",
        try text(dataStack.queryValue(From<Person>().select(Double.self, .average(\.$age))))
      ),
    ]
    for (term, value) in computed {
      #expect(try SQLiteCommand.run("SELECT \(term) FROM Person", on: url) == value)
    }
  }

  private func text(_ value: (some CustomStringConvertible)?) -> String? {
    value?.description
  }

  // Promise: a value of a query is missing, or its group does not share it → nil, no key; a trap with the
  // rule.
  // Also: `QueryingTests.whatAGroupDoesNotShareTraps`
  @Test func whatIsMissingIsNil() throws {
    // No row, a row without a value, and nothing to compute it of.
    let nobody = From<Person>().where(\.$age > 100)
    #expect(try dataStack.queryValue(nobody.select(\.$name)) == nil)
    #expect(try dataStack.queryValue(From<Person>().select(\.$nickname)) == nil)
    #expect(try dataStack.queryValue(nobody.select(Int.self, .maximum(\.$age))) == nil)
    #expect(try dataStack.queryValue(nobody.select(Int.self, .count(\.$age))) == 0)
  }

  @Test func valuesAreThoseThatAreSaved() throws {
    try dataStack.perform(synchronous: { transaction in
      let person = try transaction.create(Into<Person>())
      person.age = 99
      let maximum = From<Person>().select(Int.self, .maximum(\.$age))
      #expect(try transaction.queryValue(maximum) == 42)
      try transaction.saveChanges()
      #expect(try transaction.queryValue(maximum) == 99)
      let all = From<Person>().where(\.$age > 30)
      person.age = 20
      #expect(try transaction.fetchCount(all) == 2)
      #expect(try transaction.fetchCount(all.tweak { $0.includesPendingChanges = false }) == 3)
    })
  }

  @Test("CoreStore.md:1253: a tweak says what clauses of SwiftDatastore say")
  func tweaks() throws {
    let query = From<Person>().where(\.$age > 30).orderBy(.ascending(\.$name))
    let people = try dataStack.fetchAll(
      query
        .tweak {
          $0.includesPendingChanges = false
          $0.includesSubentities = false
        })
    #expect(people.map(\.name) == ["Ann Ek", "Kim Lee"])
    #expect(
      query.tweak {
        $0.includesPendingChanges = false
        $0.includesSubentities = false
        $0.fetchOffset = 1
        $0.fetchLimit = 3
      } == query.includingPendingChanges(false).includingSubentities(false).offset(1).limit(3))
    #expect(query.limit(2).tweak { _ in } == query.limit(2))
  }
}

extension QueryingTests {
  @Test("CoreStore.md:1294, 1324, 1344: a dictionary for each object, without what is missing")
  func attributes() throws {
    try dataStack.perform(synchronous: { transaction in
      try transaction.fetchOne(From<Person>().where(\.$name == "Ann Ek"))?.nickname = "Annie"
    })
    let personJSON = try dataStack.queryAttributes(
      From<Person>()
        .select(.attribute(\.$name), .attribute(\.$age, as: "years"), .attribute(\.$nickname))
        .where(\.$age >= 30)
        .orderBy(.ascending(\.$name)))
    #expect(personJSON.map { $0["name"] as? String } == ["Ann Ek", "John Smith", "Kim Lee"])
    #expect(personJSON.map { $0["years"] as? Int } == [42, 30, 42])
    #expect(personJSON.map(\.count) == [3, 2, 2])
    #expect(personJSON[0]["nickname"] as? String == "Annie")
  }

  @Test("CoreStore.md:1387, 1395: groups, as sqlite3 makes them")
  func groups() throws {
    let groups = try dataStack.queryAttributes(
      From<Person>()
        .select(.attribute(\.$age), .count(\.$age, as: "count"), .minimum(\.$name))
        .groupBy(\.$age)
        .orderBy(.descending(\.$age)))
    let lines = groups.map { group in
      "\(group["age"] as? Int ?? -1)|\(group["count"] as? Int ?? -1)|\(group["min(name)"] as? String ?? "-")"
    }
    #expect(
      try SQLiteCommand.run(
        "SELECT age, count(age), min(name) FROM Person GROUP BY age ORDER BY age DESC", on: url)
        == lines.joined(separator: "\n"))
    #expect(lines.count == 3)
  }

  @Test func aggregatesWithoutGroupsAreThoseOfAllObjects() throws {
    let rows = try dataStack.queryAttributes(
      From<Person>().select(
        .maximum(\.$age), .sum(\.$age), .average(\.$age), .count(\.$nickname)))
    #expect(rows.count == 1)
    #expect(rows[0].keys.sorted() == ["average(age)", "count(nickname)", "max(age)", "sum(age)"])
    #expect(rows[0]["max(age)"] as? Int == 42)
    #expect(rows[0]["sum(age)"] as? Int == 136)
    #expect(rows[0]["average(age)"] as? Double == 34)
    #expect(rows[0]["count(nickname)"] as? Int == 0)
    // Without rows there is a count, and no other value.
    let none = try dataStack.queryAttributes(
      From<Person>().where(\.$age > 100).select(.maximum(\.$age), .count(\.$age)))
    #expect(none.map { $0.keys.sorted() } == [["count(age)"]])
  }

  private final class Member: CoreStoreObject {
    @Attribute.NotOptional var name: String = ""
    @Relationship.ToMany(isSymmetric: true) var friends: Set<Member>
  }

  @Test("CoreStore.md:1344, 1364: how many objects a relationship leads to")
  func countOfRelatedObjects() throws {
    let dataStack = DataStack(
      CoreStoreSchema(modelVersion: "V1", entities: [Entity<Member>("Member")]))
    let url = folder.file("Members.sqlite")
    try dataStack.addStorageAndWait(SQLiteStore(fileURL: url))
    try dataStack.perform(synchronous: { transaction in
      let members = try ["Ann", "Bo", "Cy"].map { name in
        let member = try transaction.create(Into<Member>())
        member.name = name
        return member
      }
      members[0].friends = [members[1], members[2]]
    })
    let personJSON = try dataStack.queryAttributes(
      From<Member>()
        .select(.attribute(\.$name), .attribute(\.$friends.count, as: "friendsCount"))
        .orderBy(.ascending(\.$name)))
    #expect(personJSON.map { $0["friendsCount"] as? Int } == [2, 1, 1])
  }

  @Test func whatAGroupDoesNotShareTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      @MainActor in
      let dataStack = DataStack(V2.schema)
      try dataStack.addStorageAndWait(InMemoryStore())
      _ = try dataStack.queryAttributes(
        From<V2.Person>().select(.attribute(\.$name), .count(\.$age)).groupBy(\.$age))
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("name is selected beside aggregates"), "\(text)")
  }
}
