import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// A query is a value: it is put together, compared, printed, and handed to whatever reads.
@Suite("Queries as values")
struct FromTests {
  private static let model = Result {
    try SwiftDatastoreModel(from: Person.self, Firm.self, Chore.self)
  }

  // Promise: refining a query changes the one it was made from → it does not; equal queries are equal and
  // hash alike.
  @Test("Conditions are combined, orders appended, and the query before stays as it was")
  func clauses() {
    let all = From<Person>()
    let adults = all.where(\.$age >= 18)
    let named = adults.where(\.$name ?= "a").orderBy(.asc(\.$name)).orderBy(.desc(\.$age))
    #expect(all == From<Person>() && adults == From<Person>().where(\.$age >= 18))
    #expect(
      named
        == From<Person>().where(\.$age >= 18 && \.$name ?= "a")
        .orderBy(.asc(\.$name), .desc(\.$age)))
    #expect(Set([all, adults, named, adults.where(true), adults.limit(0)]).count == 4)
    #expect(adults.limit(1) != adults && adults.prefetching(\.$firm) != adults)
    #expect(adults.select(\.$name) == adults.select(\.$name))
    #expect(adults.select(\.$name) != adults.select(\.$name).where(true))
    let counts = all.groupBy(\.$age).select(.count())
    let first = all.groupBy(\.$age).limit(2).select(.count())
    #expect(counts != first && counts == all.groupBy(\.$age).select(.count()))
    #expect(
      "\(named.offset(2).limit(3))" == """
        FROM Person WHERE age >= 18 AND name CONTAINS "a" ORDER BY name, age desc LIMIT 3 OFFSET 2
        """)
    let groups = adults.groupBy(\.$firm ~ \.$name).having(.count(), .greaterThan, 1)
      .select(.count(), .average(\.$age))
    #expect(
      "\(groups)" == """
        SELECT firm.name, count(*), avg(age) FROM Person WHERE age >= 18 GROUP BY firm.name \
        HAVING count(*) > 1
        """)
  }

  @Test("Conditions that may be missing, and sequences of them")
  func combining() {
    let adult: Where<Person> = \.$age >= 18
    let ann: Where<Person> = \.$name == "Ann"
    let (some, none): (Where<Person>?, Where<Person>?) = (ann, nil)
    let alone: [Where<Person>] = [
      adult &&? none, none &&? adult, adult ||? none, none ||? adult, [adult].combinedByAnd(),
      [adult].combinedByOr(),
    ]
    #expect(Set(alone) == [adult])
    let both: [Where<Person>] = [adult &&? some, [adult, ann].combinedByAnd()]
    #expect(Set(both) == [adult && ann])
    let either: [Where<Person>] = [adult ||? some, [adult, ann].combinedByOr()]
    #expect(Set(either) == [adult || ann])
    let empty: [Where<Person>] = []
    #expect(empty.combinedByAnd().predicate == .and([]))
    #expect(Where<Person>(\.$name, isEqualTo: "Ann") == ann)
    let three: Where<Person> = [3] ~= \.$age
    #expect(Where<Person>(\.$age, isMemberOf: Set([3])) == three)
  }

  @Test("Conditions one below the other, some of them only now and then")
  func lines() {
    func found(_ name: String?, _ ages: [Int], _ isStrict: Bool) -> Where<Person> {
      .all {
        if let name { \.$name == name }
        Where.any { for age in ages { \.$age == age } }
        if isStrict { \.$firm != nil } else { \.$age > 1 }
        isStrict ? nil : Where<Person>(\.$name, isEqualTo: "Bob")
      }
    }
    let firm: Where<Person> = \.$firm != nil
    let three: Where<Person> = \.$age == 3
    let four: Where<Person> = \.$age == 4
    let all: Where<Person> = Where(\.$name, isEqualTo: "Ann") && (three || four) && firm
    #expect(found("Ann", [3, 4], true) == all)
    #expect("\(found(nil, [3], false))" == "age == 3 AND age > 1 AND name == \"Bob\"")
    #expect(Where<Person>.all {}.predicate == .and([]))
    #expect(Where<Person>.any {}.predicate == .or([]))
  }

  // Promise: one place takes a query and forgets a clause → fetch, first, count, IDs, prefetching,
  // controller, change, update and delete are each checked; what makes no sense there traps with the rule.
  // Also: `FromTests.misuse`
  @Test("Every place that reads or changes many objects takes the same value")
  func places() async throws {
    let datastore = try SwiftDatastore(inMemory: Self.model.get())
    let adults = From<Person>().where(\.$age >= 18).orderBy(.desc(\.$age))
    try await datastore.write { context in
      let firm: Firm = try context.createObject()
      firm.name = "Initech"
      for age in [10, 20, 30, 40] {
        let person: Person = try context.createObject()
        person.name = "p\(age)"
        person.age = age
        person.firm = firm
      }
    }
    try await datastore.newContext().perform { context in
      #expect(try context.fetch(adults).map(\.age) == [40, 30, 20])
      #expect(try context.fetchFirst(adults)?.age == 40 && context.count(adults) == 3)
      #expect(try context.count(adults.limit(2)) == 2)
      #expect(try context.fetchIDs(adults).count == 3)
      let ahead = try context.fetch(adults.prefetching(\.$firm, \.$chores))
      #expect(ahead.allSatisfy { $0.firm?.name == "Initech" })
      let deeper = try context.fetch(
        From<Chore>().prefetching(\.$person ~ \.$firm))
      #expect(deeper.isEmpty)
    }
    let controller = await FetchedObjectsController(
      viewContext: datastore.sharedViewContext, adults.sectionBy(\.$firm ~ \.$name))
    try await controller.performFetch()
    await MainActor.run {
      #expect(controller.numberOfFetchedObjects == 3 && controller.numberOfSections == 1)
      #expect(controller.sectionName(inSection: 0) == "Initech")
    }
    try await controller.change(to: From<Person>().orderBy(.asc(\.$age)).limit(2))
    await MainActor.run {
      #expect(controller.object(at: 0)?.age == 10 && controller.numberOfFetchedObjects == 2)
    }
    try await datastore.newContext().perform { context in
      let young = From<Person>().where(\.$age < 25)
      let updated = try context.updateMany(young, propertiesToUpdate: [.init(\.$phone, "1")])
      let deleted = try context.deleteMany(young.where(\.$phone == "1" && \.$age > 15))
      let left = try context.count(From<Person>())
      #expect(updated == 2 && deleted == 1 && left == 3)
    }
  }

  @Test("A query by name is one for entities without a class")
  func byName() async throws {
    let file = try TemporaryDirectory()
    let url = file.url.appending(path: "plain.sqlite")
    _ = try SQLiteFile.output(
      of:
        "CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER); INSERT INTO t(n) VALUES (3), (1), (2);",
      at: url)
    let datastore = try SwiftDatastore(opening: url)
    try await datastore.newContext().perform { context in
      let entity = try #require(datastore.schema.entity(named: "t"))
      let query = From<DynamicObject>(entityName: "t")
        .where(Where(try Predicate.parse("n > 1", entity: entity, in: datastore.schema)))
        .orderBy(OrderBy(SortDescriptor(["n"])))
      #expect(try context.fetch(query).map { $0["n"] } == [2, 3] && context.count(query) == 2)
    }
  }

  // Promise: a query prints something that means something else → each clause reads back to an equal one.
  @Test("Each part reads back from what is printed")
  func printing() async throws {
    let schema = try Self.model.get().schema
    let person = try #require(schema.entity(named: "Person"))
    let selections: [ValueQueryText] = [
      From<Person>().where(\.$firm ~ \.$name == "a\"b" && \.$born.year > 2020)
        .orderBy(.desc(\.$chores.count), .asc(\.$name, options: .caseInsensitive))
        .select(.value(\Person.$firm ~ \.$name), .value((\Person.$chores ~ \.$hours).sum)).text,
      From<Person>().where(\.$phone != nil).groupBy(\.$born.month, \.$level)
        .having(.average(\.$height), .lessThan, 1.9)
        .having(.count(distinct: \.$age), .greaterThan, 0)
        .orderBy(.desc(.sum(\.$age)), .asc(\.$level)).select(.count(), .count(distinct: \.$phone))
        .text,
      From<Person>().select(\.$age, \.$phone).orderBy(.desc(\.$phone)).distinct().text,
    ]
    for text in selections {
      let query = try ValueQuery(text, entity: person, in: schema)
      #expect(query.columns.map(\.term.description).joined(separator: ", ") == text.columns)
      #expect(query.predicate?.description == text.predicate)
      if query.grouping == nil {
        #expect(query.order.map(\.description).joined(separator: ", ") == text.order ?? "")
      }
      #expect(query.grouping?.keys.map(\.term.description).joined(separator: ", ") == text.groupBy)
    }
  }

  @Test("What says nothing of groups, or cannot be ordered by, traps with the rule")
  func misuse() async {
    let grouped = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = From<Person>().orderBy(.asc(\.$name)).groupBy(\.$age)
    }
    #expect(text(grouped).contains("groups have an order, an offset and a limit of their own"))
    let many = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      print(SelectTerm<Person, String?>.value(\.$chores ~ \.$title))
    }
    #expect(text(many).contains("chores.title of Person cannot be selected"))
    let order = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      print(From<Person>().select(\.$age).orderBy(.asc(\.$name)).distinct())
    }
    #expect(text(order).contains("ordered by what they share (age)"))
    let deleting = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = try SwiftDatastore(inMemory: FromTests.model.get()).newLocalContext()
      try context.deleteMany(From<Person>().limit(1))
    }
    #expect(text(deleting).contains("deleted by their condition alone"))
  }

  private func text(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }
}
