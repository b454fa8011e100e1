import CoreStoreCompatibility
import Foundation
import Testing

/// Each name of CoreStore's queries for values, by the file that declares it there.
@MainActor
@Suite struct SelectNamesTests {
  private let dataStack: DataStack
  private let all = From<Owner>()
  private let byAge = OrderBy<Owner>(.ascending("age"))

  init() throws { dataStack = try namedStack() }

  /// Select.swift
  @Test func terms() throws {
    #expect(try dataStack.queryValue(all, Select<Int>("age"), byAge) == 20)
    #expect(try dataStack.queryValue(all, Select<Owner, Int>("age"), byAge) == 20)
    #expect(try dataStack.queryValue(all, Select<Owner, Int>(.attribute("age")), byAge) == 20)
    #expect(try dataStack.queryValue(all, Select<Owner, Int>(.attribute(\.$age)), byAge) == 20)
    #expect(try dataStack.queryValue(all, Select<Owner, Double>(.average("age"))) == 30)
    #expect(try dataStack.queryValue(all, Select<Owner, Double>(.average(\.$age))) == 30)
    #expect(try dataStack.queryValue(all, Select<Owner, Int>(.count("nickname"))) == 1)
    #expect(try dataStack.queryValue(all, Select<Owner, Int>(.count(\.$nickname))) == 1)
    #expect(try dataStack.queryValue(all, Select<Owner, Int>(.count())) == 3)
    #expect(try dataStack.queryValue(all, Select<Owner, Int>(.maximum("age"))) == 40)
    #expect(try dataStack.queryValue(all, Select<Owner, Int>(.maximum(\.$age))) == 40)
    #expect(try dataStack.queryValue(all, Select<Owner, Int>(.minimum("age"))) == 20)
    #expect(try dataStack.queryValue(all, Select<Owner, Int>(.minimum(\.$age))) == 20)
    #expect(try dataStack.queryValue(all, Select<Owner, Int>(.sum("age"))) == 90)
    #expect(try dataStack.queryValue(all, Select<Owner, Int>(.sum(\.$age))) == 90)
    let first = try dataStack.fetchObjectID(all, byAge)
    #expect(try dataStack.queryValue(all, Select<Owner, NSManagedObjectID>(), byAge) == first)
    #expect(
      try dataStack.queryValue(all, Select<Owner, NSManagedObjectID>(.objectID()), byAge) == first)
    let terms: [SelectTerm<Owner>] = ["name", .attribute(\.$age), .objectID(as: "id")]
    let term: SelectTerm<Owner> = .sum(\.$age)
    #expect(try dataStack.queryValue(all, Select<Owner, Int>(term)) == 90)
    #expect(
      try dataStack.queryAttributes(all, Select<Owner, NSDictionary>(terms)).first?.count == 3)
  }

  /// Select.swift, GroupBy.swift, QueryableSource.swift
  @Test func dictionaries() throws {
    let counted = Select<Owner, NSDictionary>("age", .count(\.$age, as: "count"))
    for rows in [
      try dataStack.queryAttributes(all, Select("age", .count("age", as: "count")), GroupBy("age")),
      try dataStack.queryAttributes(all, counted, GroupBy<Owner>("age")),
      try dataStack.queryAttributes(all, counted, [GroupBy<Owner>(["age"])]),
      try dataStack.queryAttributes(all, counted, GroupBy<Owner>(\.$age)),
      try dataStack.queryAttributes(all.select(counted).groupBy(GroupBy<Owner>(\.$age))),
      try dataStack.queryAttributes(all.select(counted).groupBy("age")),
      try dataStack.queryAttributes(all.select(counted).groupBy(["age"])),
      try dataStack.queryAttributes(all.select(counted).groupBy(\.$age)),
      try dataStack.queryAttributes(
        all.select(.attribute(\.$age), .count(\.$age, as: "count")).groupBy(\.$age)),
      try dataStack.queryAttributes(
        all.select(NSDictionary.self, "age", .count("age", as: "count")).appending(
          GroupBy<Owner>("age"))),
    ] {
      #expect(rows.compactMap { $0["age"] as? Int }.sorted() == [20, 30, 40])
      #expect(rows.compactMap { $0["count"] as? Int } == [1, 1, 1])
    }
    #expect(GroupBy<Owner>("age", "name").keyPaths == ["age", "name"])
    let rows = try dataStack.queryAttributes(
      all, Select<Owner, NSDictionary>(.objectID(), "name"), [byAge])
    #expect(
      rows.map { $0["objectID"] as? NSManagedObjectID }
        == (try dataStack.fetchObjectIDs(all, byAge)))
    #expect(rows.map { $0["name"] as? String } == ["Ann", "Bob", "Cyd"])
  }

  /// From+Querying.swift, QueryChainBuilder.swift
  @Test func chains() throws {
    let ages = all.select(Int.self, .sum(\.$age))
    #expect(try dataStack.queryValue(ages) == 90)
    #expect(try dataStack.queryValue(ages.where(\.$age > 20)) == 70)
    #expect(try dataStack.queryValue(ages.where { $0.$age > 30 }) == 40)
    #expect(try dataStack.queryValue(ages.where(combineByAnd: \.$age > 20, \.$age < 40)) == 30)
    #expect(try dataStack.queryValue(ages.where(combineByOr: \.$age > 30, \.$age < 30)) == 60)
    #expect(try dataStack.queryValue(ages.where(format: "age > %d", 20)) == 70)
    #expect(try dataStack.queryValue(ages.where(format: "age > %d", argumentArray: [20])) == 70)
    #expect(try dataStack.queryValue(ages.appending(Where<Owner>("age > 20"))) == 70)
    #expect(
      try dataStack.queryValue(
        ages.appending(contentsOf: [Where<Owner>("age > 20"), Tweak { $0.fetchLimit = 1 }])) != nil)
    let age = all.select(Int.self, [.attribute("age")])
    #expect(try dataStack.queryValue(age.orderBy(byAge)) == 20)
    #expect(try dataStack.queryValue(age.orderBy(.descending(\.$age))) == 40)
    #expect(try dataStack.queryValue(age.orderBy([.descending("age")])) == 40)
    #expect(try dataStack.queryValue(age.orderBy(byAge).tweak { $0.fetchOffset = 1 }) == 30)
    #expect(try dataStack.queryValue(all.select(\.$age).orderBy(.descending(\.$age))) == 40)
    #expect(
      try dataStack.queryValue(all.select(NSManagedObjectID.self, .objectID()).orderBy(byAge))
        == dataStack.fetchObjectID(all, byAge))
    #expect(try dataStack.queryValue(all.select(Int.self, .count(\.$age)).groupBy(\.$age)) == 1)
  }
}
