import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

private final class Sample: DatastoreObject {
  @Attribute.NotOptional(unique: true) var id: Int = 0
  @Attribute.Optional var text: String?
  @Attribute.Optional var number: Int?
  @Attribute.Optional var decimal: Decimal?
  @Attribute.Optional var flag: Bool?
  @Attribute.Optional var date: Date?
  @Attribute.Optional var data: Data?
}

/// Typical uses of CoreStore's clauses, fetch by fetch and query by query: five objects numbered 1 to 5, of
/// which the even ones have flags, and one without any value.
@Suite("Scenarios of CoreStore: fetching and querying")
struct CoreStoreQueryScenarioTests {
  private let all: StoresOfAllEngines
  private let start = Date(timeIntervalSinceReferenceDate: 700_000_000)

  init() async throws {
    let start = start
    all = try await StoresOfAllEngines(SwiftDatastoreModel(from: Sample.self)) { context in
      for id in 1...5 {
        let sample: Sample = try context.createObject()
        sample.id = 100 + id
        sample.text = "nil:\(id)"
        sample.number = id
        sample.decimal = Decimal(id) / 2
        sample.flag = id.isMultiple(of: 2)
        sample.date = start.addingTimeInterval(Double(id) * 86_400)
        sample.data = Data("data \(id)".utf8)
      }
      let empty: Sample = try context.createObject()
      empty.id = 106
    }
  }

  /// Runs the scenario as a program would: in the view context, in a context of its own, and in a
  /// transaction.
  private func everywhere(
    _ body: @escaping @Sendable (any ObjectContext) throws -> Void
  ) async throws {
    for datastore in all.stores {
      try await MainActor.run { try body(datastore.sharedViewContext) }
      try await datastore.newContext().perform { try body($0) }
      try await datastore.write { try body($0) }
      try body(datastore.newLocalContext())
    }
  }

  @Test("The first object, by condition and order; nil where there is none")
  func fetchOne() async throws {
    try await everywhere { context in
      let all = From<Sample>()
      let last = try context.fetchFirst(all.orderBy(.desc(\.$id)))
      #expect(last?.id == 106)
      #expect(
        try context.fetchFirst(all.where(\.$number > 1).orderBy(.asc(\.$number)))?.id == 102)
      #expect(try context.fetchFirst(all.where(\.$number > 5)) == nil)
      #expect(try context.fetchFirst(all.where(\.$text == "nil:3" && \.$number == 3))?.id == 103)
      #expect(try context.fetchFirst(all.where(false)) == nil)
    }
  }

  @Test("All objects, in order, a page of them, members of a list, and those without a value")
  func fetchAll() async throws {
    try await everywhere { context in
      func ids(_ query: From<Sample>) throws -> [Int] { try context.fetch(query).map(\.id) }
      let all = From<Sample>().orderBy(.asc(\.$id))
      #expect(try ids(all) == Array(101...106) && ids(all.where(true)) == Array(101...106))
      #expect(try ids(all.where(\.$number >= 2).where(\.$number < 4)) == [102, 103])
      #expect(try ids(all.offset(2).limit(2)) == [103, 104])
      #expect(try ids(all.where([2, 4, 9] ~= \.$number)) == [102, 104])
      let none: [Int] = []
      #expect(try ids(all.where(none ~= \.$number)).isEmpty, "a member of nothing")
      #expect(try ids(all.where(\.$flag == nil)) == [106])
      #expect(try ids(all.where(\.$flag == true)) == [102, 104])
      #expect(try ids(all.where(!(\.$flag == true))) == [101, 103, 105, 106])
      let byFlag = From<Sample>().orderBy(.desc(\.$flag)).orderBy(.asc(\.$number))
      let flagged = try ids(byFlag)
      #expect(flagged == [102, 104, 101, 103, 105, 106], "orders are appended")
    }
  }

  @Test("Numbers and identifiers of objects")
  func countsAndIdentifiers() async throws {
    try await everywhere { context in
      let some = From<Sample>().where(\.$number > 2).orderBy(.desc(\.$number))
      #expect(try context.count(some) == 3 && context.count(some.limit(2)) == 2)
      let ids = try context.fetchIDs(some)
      let objects: [Sample] = try context.objects(with: ids)
      #expect(objects.map(\.id) == [105, 104, 103])
      #expect(try context.fetchIDs(some.limit(1)) == [ids[0]])
      #expect(try context.fetchIDs(some.where(\.$number > 9)).isEmpty)
    }
  }

  @Test("One value of the first object, or one that is computed of all")
  func queryValue() async throws {
    let start = start
    try await everywhere { context in
      let all = From<Sample>()
      #expect(try context.firstRow(all.where(\.$id == 103).select(\.$text)) == "nil:3")
      let missing = try context.firstRow(all.where(\.$id == 106).select(\.$text))
      #expect(missing == .some(nil), "the object is there, its value is not")
      #expect(try context.firstRow(all.where(\.$id == 999).select(\.$text)) == nil)
      #expect(try context.aggregate(.average(\Sample.$number)) == 3)
      #expect(try context.aggregate(.count(\Sample.$number)) == 5, "missing values do not count")
      #expect(try context.aggregate(.maximum(\Sample.$number)) == 5)
      #expect(try context.aggregate(.minimum(\Sample.$text)) == "nil:1")
      #expect(try context.aggregate(.sum(\Sample.$number)) == 15)
      #expect(try context.aggregate(.sum(\Sample.$decimal)) == Decimal(15) / 2)
      #expect(
        try context.aggregate(.maximum(\Sample.$date)) == start.addingTimeInterval(5 * 86_400))
      #expect(try context.aggregate(.maximum(\Sample.$flag)) == true)
      let flags = From<Sample>().where(\.$flag == true).select(.count())
      #expect(try context.firstRow(flags) == 2)
      let id = try context.firstRow(all.where(\.$number == 4).select(.objectID()))
      let object: Sample = try context.object(with: #require(id ?? nil))
      #expect(object.id == 104)
    }
  }

  @Test("Values of each object, and of groups")
  func queryAttributes() async throws {
    try await everywhere { context in
      let all = From<Sample>().orderBy(.asc(\.$id))
      let rows = try context.rows(all.select(\.$text, \.$flag, \.$data).offset(4))
      #expect(rows.map(\.0) == ["nil:5", nil] && rows.map(\.1) == [false, nil])
      #expect(rows.map(\.2) == [Data("data 5".utf8), nil])
      let groups = try context.rows(
        From<Sample>().groupBy(\.$flag).select(.count(), .sum(\.$number), .average(\.$number)))
      #expect(groups.map(\.group) == [nil, false, true])
      #expect(groups.map(\.values.0) == [1, 3, 2])
      #expect(groups.map(\.values.1) == [nil, 9, 6] && groups.map(\.values.2) == [nil, 3, 3])
    }
  }

  @Test(
    "Fetches see what is staged, queries what is saved; so do fetches that leave staged changes out"
  )
  func pendingChanges() async throws {
    try await all.perform { context in
      let new: Sample = try context.createObject()
      new.id = 107
      new.number = 50
      let gone = try #require(try context.fetchFirst(From<Sample>().where(\.$id == 101)))
      context.deleteObject(gone)
      let all = From<Sample>().orderBy(.asc(\.$id))
      #expect(try context.fetch(all).map(\.id) == Array(102...107) && context.count(all) == 6)
      #expect(try context.aggregate(.maximum(\Sample.$number)) == 5)
      #expect(try context.rows(all.select(\.$id)) == Array(101...106))
      #expect(try context.count(all.includingPendingChanges(false)) == 6)
      let saved = try context.fetchIDs(all.includingPendingChanges(false))
      #expect(saved.count == 6 && saved.contains(gone.objectID) && !saved.contains(new.objectID))
    }
  }

  @Test("Decimals of many digits keep each of them, in tuples, dictionaries and groups")
  func decimals() async throws {
    let long = try #require(Decimal(string: "1234567890.12345678901234567"))
    try await all.perform { context in
      let sample: Sample = try context.createObject()
      sample.id = 200
      sample.decimal = long
      try context.saveChanges()
      let one = From<Sample>().where(\.$id == 200)
      let selected = try context.firstRow(one.select(\.$decimal))
      #expect(selected == long)
      let dictionary = try context.fetch(
        Sample.self, properties: [.init(\.$decimal)], where: \.$id == 200)
      #expect(dictionary.first?["decimal"] as? Decimal == long)
      let groups = try context.rows(
        From<Sample>().where(\.$number == nil).groupBy(\.$decimal).select(.count()))
      #expect(groups.map(\.group) == [nil, long])
      let stored = try context.fetchValues(one.request, of: [["decimal"]])
      #expect(stored == [[.text("1234567890.12345678901234567")]])
    }
  }

  @Test("The least and the greatest decimal have all their digits")
  func extremeDecimals() async throws {
    let long = try #require(Decimal(string: "1234567890.12345678901234567"))
    let longer = try #require(Decimal(string: "1234567890.12345678901234568"))
    try await all.perform { context in
      for (id, decimal) in [(200, long), (201, longer), (202, -long), (203, -longer)] {
        let sample: Sample = try context.createObject()
        sample.id = id
        sample.decimal = decimal
      }
      try context.saveChanges()
      #expect(try context.aggregate(.maximum(\Sample.$decimal)) == longer)
      #expect(try context.aggregate(.minimum(\Sample.$decimal)) == -longer)
    }
  }

  @Test("Conditions as text and as operators find the same")
  func formats() async throws {
    try await everywhere { context in
      let typed: Where<Sample> = \.$number > 2 && \.$flag == false
      let text: Where<Sample> = try context.condition("number > %@ AND flag == NO", .of(2))
      #expect(typed == text)
      #expect(try context.count(From<Sample>().where(text)) == 2)
      let contains: Where<Sample> = .like(\.$text, "*:4") ||? nil
      #expect(try context.fetch(From<Sample>().where(contains)).map(\.id) == [104])
    }
  }
}
