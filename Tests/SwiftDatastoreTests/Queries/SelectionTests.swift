import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// Typed rows: selections, groups and computed values of a query's objects, in a real file and in a server.
@Suite("Values that a query selects")
struct SelectionTests {
  private let all: StoresOfAllEngines

  init() async throws {
    all = try await StoresOfAllEngines(
      SwiftDatastoreModel(from: Person.self, Firm.self, Chore.self)
    ) { context in
      let initech: Firm = try context.createObject()
      initech.name = "Initech"
      let hooli: Firm = try context.createObject()
      hooli.name = "Hooli"
      // Noon of 2024-01-31, 2024-02-01 and 2023-12-31, and none.
      let days: [Double?] = [728_395_200, 728_481_600, 725_716_800, nil]
      for (index, day) in days.enumerated() {
        let person: Person = try context.createObject()
        person.name = ["Ann", "Bob", "Cyd", "Dan"][index]
        person.age = [30, 20, 30, 40][index]
        person.born = day.map { Date(timeIntervalSinceReferenceDate: $0 + 3600) }
        person.level = [.senior, .junior, nil, .senior][index]
        person.phone = index == 1 ? nil : "555-\(index % 2)"
        person.firm = [initech, initech, hooli, nil][index]
        person.address = index == 0 ? Address(street: "Main 1", city: "Umeå") : nil
        for hours in 0..<index {
          let chore: Chore = try context.createObject()
          chore.title = "Chore \(hours)"
          chore.hours = Double(hours) + 0.5
          chore.person = person
        }
      }
    }
  }

  /// The answer of the sqlite3 program, a line for each row.
  private func oracle(_ sql: String) throws -> [String] {
    try SQLiteFile.output(of: sql, at: all.file).split(separator: "\n").map(String.init)
  }

  @Test("Properties of all kinds come as their types, missing ones as nil")
  func properties() async throws {
    try await all.perform { context in
      let query = From<Person>().orderBy(.asc(\.$name))
      let rows = try context.rows(
        query.select(\.$name, \.$age, \.$level, \.$phone, \.$born, \.$address, \.$chores.count))
      // As tuples with these types, or this would not compile.
      let (name, age, level, phone, born, address, count):
        (
          String, Int, Level?, String?, Date?, Address?, Int
        ) = rows[0]
      #expect(name == "Ann" && age == 30 && level == .senior)
      #expect(phone == "555-0" && count == 0)
      #expect(born == Date(timeIntervalSinceReferenceDate: 728_398_800))
      #expect(address == Address(street: "Main 1", city: "Umeå"))
      #expect(rows.map(\.3) == ["555-0", nil, "555-0", "555-1"])
      #expect(rows.map(\.4).last == .some(nil) && rows.map(\.6) == [0, 1, 2, 3])
      let names: [String] = try context.rows(query.select(\.$name))
      #expect(
        try names == oracle("SELECT name FROM Person ORDER BY name"), "one property is no tuple")
      #expect(try context.firstRow(query.select(\.$age).offset(1)) == 20)
      #expect(try context.firstRow(query.select(\.$age).where(\.$age > 99)) == nil)
    }
  }

  @Test("Paths, sums behind relationships and identifiers")
  func terms() async throws {
    try await all.perform { context in
      let rows = try context.rows(
        From<Person>().orderBy(.asc(\.$name)).select(
          .objectID(), .value(\.$firm), .value(\Person.$firm ~ \.$name),
          .value(\Person.$firm ~ \.$staff.count), .value((\Person.$chores ~ \.$hours).sum),
          .value((\Person.$chores ~ \.$hours).average)))
      #expect(rows.map(\.2) == ["Initech", "Initech", "Hooli", nil])
      #expect(rows.map(\.4) == [nil, 0.5, 2, 4.5])
      #expect(rows.map(\.5) == [nil, 0.5, 1, 1.5])
      #expect(rows.prefix(3).map(\.3) == [2, 2, 1])
      let people: [Person] = try context.objects(with: rows.map(\.0))
      #expect(people.map(\.name) == ["Ann", "Bob", "Cyd", "Dan"])
      #expect(rows.map(\.1) == people.map { $0.firm?.objectID })
      let firm: Firm = try context.object(with: #require(rows[2].1))
      #expect(firm.name == "Hooli" && rows[2].1?.entityName == "Firm")
    }
  }

  // Promise: a sum counts a missing value, an aggregate of nothing is 0 → as SQL has it, nil.
  // Also: `CoreStoreQueryScenarioTests.queryValue`
  @Test("Aggregates over properties, paths, counts and different values")
  func aggregates() async throws {
    try await all.perform { context in
      let all = From<Person>()
      let row = try #require(
        try context.firstRow(
          all.select(
            .count(), .count(\.$phone), .count(distinct: \.$age), .count(distinct: \.$firm),
            .sum(\.$age), .average(\.$chores.count), .maximum(\Person.$firm ~ \.$name),
            .minimum(\.$born.year))))
      let expected = try oracle(
        """
        SELECT count(*), count(phone), count(DISTINCT age), count(DISTINCT firm), sum(age), \
        (SELECT avg(n) FROM (SELECT (SELECT count(*) FROM Chore WHERE person = p._id) AS n FROM Person p)), \
        (SELECT max(f.name) FROM Person q JOIN Firm f ON q.firm = f._id), \
        min(CAST(strftime('%Y', born + 978307200, 'unixepoch') AS INTEGER)) FROM Person
        """)
      let counts = [row.0, row.1, row.2, row.3, row.4].map { String($0 ?? -1) }
      let rest = [String(row.5 ?? -1), row.6 ?? "", String(row.7 ?? -1)]
      #expect(expected == [(counts + rest).joined(separator: "|")])
      #expect(counts == ["4", "3", "3", "2", "120"] && rest == ["1.5", "Initech", "2023"])
      let nobody = try #require(
        try context.firstRow(all.where(\.$age > 99).select(.count(), .sum(\.$age))))
      #expect(nobody.0 == 0 && nobody.1 == nil)
      #expect(try context.aggregate(.count(distinct: \.$phone), of: Person.self) == 2)
    }
  }

  @Test(
    "Groups by attributes, paths, relationships and parts of dates, with conditions and an order")
  func groups() async throws {
    try await all.perform { context in
      let byAge = try context.rows(
        From<Person>().groupBy(\.$age).select(.count(), .maximum(\.$name)))
      #expect(byAge.map(\.group) == [20, 30, 40])
      #expect(
        byAge.map(\.values.0) == [1, 2, 1] && byAge.map(\.values.1) == ["Bob", "Cyd", "Dan"])
      let byFirm = try context.rows(
        From<Person>().where(\.$age < 40).groupBy(\.$firm ~ \.$name)
          .orderBy(.desc(.count())).select(.count(), .average(\.$age)))
      #expect(byFirm.map(\.group) == ["Initech", "Hooli"])
      #expect(byFirm.map(\.values.1) == [25, 30])
      let byObject = try context.rows(
        From<Person>().groupBy(\.$firm).having(.count(), .greaterThan, 1).select(.count()))
      let firm: Firm = try context.object(with: #require(byObject.first?.group))
      #expect(byObject.count == 1 && firm.name == "Initech" && byObject[0].values == 2)
      let byMonth = try context.rows(
        From<Person>().groupBy(\.$born.month, \.$level).select(.count()))
      #expect(byMonth.map(\.group.0) == [nil, "2023-12", "2024-01", "2024-02"])
      #expect(byMonth.map(\.group.1) == [.senior, nil, .senior, .junior])
      let page = try context.rows(
        From<Person>().groupBy(\.$age).orderBy(.desc(\.$age)).offset(1).limit(1)
          .select(.count()))
      #expect(page.map(\.group) == [30])
      let byCount = try context.rows(From<Person>().groupBy(\.$chores.count).select(.count()))
      #expect(byCount.map(\.group) == [0, 1, 2, 3])
      // A missing firm has no objects.
      let byColleagues = try context.rows(
        From<Person>().groupBy(.value(\Person.$firm ~ \.$staff.count)).select(.count()))
      #expect(byColleagues.map(\.group) == [0, 1, 2] && byColleagues.map(\.values) == [1, 1, 2])
      let bySum = try context.rows(
        From<Person>().groupBy(.value((\Person.$chores ~ \.$hours).sum))
          .select(.count(), .sum(\.$chores.count)))
      #expect(bySum.map(\.group) == [nil, 0.5, 2, 4.5] && bySum.map(\.values.1) == [0, 1, 2, 3])
      let counts = From<Person>().select(\.$chores.count).distinct()
      #expect(try context.rows(counts.orderBy(.desc(\.$chores.count)).limit(2)) == [3, 2])
    }
  }

  @Test("Parts of dates in conditions, orders, sections and objects")
  func dateParts() async throws {
    try await all.perform { context in
      let ofYear = From<Person>().where(\.$born.year == 2024).orderBy(.desc(\.$born.month))
      #expect(try context.fetch(ofYear).map(\.name) == ["Bob", "Ann"])
      #expect("\(ofYear)" == "FROM Person WHERE born.@year == 2024 ORDER BY born.@month desc")
      let ann = try #require(try context.fetchFirst(From<Person>().where(\.$name == "Ann")))
      #expect(ann.$born.year.value == 2024 && ann.$born.quarter.value == "2024-Q1")
      #expect(ann.$born.day.value == CalendarDate("2024-01-31") && ann.$born.hour.value == 13)
      #expect(ann.$born.weekday.value == 3 && ann.$born.week.value == "2024-W05")
      let parts = try context.rows(
        From<Person>().where(\.$name == "Ann").select(
          \.$born.year, \.$born.quarter, \.$born.month, \.$born.week, \.$born.day, \.$born.weekday,
          \.$born.hour))
      #expect(parts[0].1 == "2024-Q1" && parts[0].2 == "2024-01" && parts[0].3 == "2024-W05")
      #expect(parts[0].4 == CalendarDate("2024-01-31") && parts[0].5 == 3 && parts[0].6 == 13)
      ann.born = Date(timeIntervalSinceReferenceDate: 725_716_800)
      #expect(
        try context.fetch(From<Person>().where(\.$born.year == 2023)).map(\.name) == [
          "Ann", "Cyd",
        ],
        "a staged date has parts, too")
    }
  }

  @Test("Distinct rows come once, by ascending values or in the order that is asked for")
  func distinct() async throws {
    try await all.perform { context in
      let ages = From<Person>().select(\.$age).distinct()
      #expect(try context.rows(ages) == [20, 30, 40])
      #expect(try context.rows(ages.orderBy(.desc(\.$age)).limit(2)) == [40, 30])
      let pairs = try context.rows(From<Person>().select(\.$phone, \.$firm).distinct())
      #expect(pairs.count == 4)
      let phones = From<Person>().where(\.$age == 30).select(\.$phone).distinct()
      #expect(try context.rows(phones) == ["555-0"])
    }
  }

  // Promise: a stored value is of another type than it is selected as → `SelectedValueError` names entity,
  // property and value; nothing traps.
  @Test("What someone else has written under a type is told by row, property and value")
  func misfits() async throws {
    _ = try oracle("UPDATE Person SET phone = x'00' WHERE name = 'Cyd'")
    try await all.stores[0].newContext().perform { context in
      let error = try #require(throws: SelectedValueError.self) {
        try context.rows(From<Person>().select(\.$name, \.$phone))
      }
      #expect(
        error.entity == "Person" && error.property == "phone" && error.value == .blob(Data([0])))
      #expect(
        "\(error)".hasPrefix("A row of Person holds") && "\(error)".hasSuffix("not a String."))
    }
  }

  // Promise: values and objects disagree about unsaved changes → objects see them, values never;
  // `includingPendingChanges(false)` is what the store has.
  // Also: `CoreStoreQueryScenarioTests.pendingChanges`
  @Test("Rows are about what is saved; a query with the objects is not")
  func unsaved() async throws {
    try await all.perform { context in
      let eve: Person = try context.createObject()
      eve.name = "Eve"
      eve.age = 50
      let old = From<Person>().where(\.$age >= 40).orderBy(.asc(\.$name))
      #expect(try context.fetch(old).map(\.name) == ["Dan", "Eve"] && context.count(old) == 2)
      #expect(try context.rows(old.select(\.$name)) == ["Dan"])
      let saved = old.includingPendingChanges(false)
      #expect(try context.fetch(saved).map(\.name) == ["Dan"] && context.count(saved) == 1)
      #expect(try context.fetchIDs(saved).count == 1 && context.fetchIDs(old).count == 2)
      let dan = try #require(try context.fetch(saved).first)
      dan.age = 1
      #expect(try context.fetch(old).map(\.name) == ["Eve"])
      #expect(try context.fetch(saved).map(\.age) == [1], "found by what is saved, read as staged")
    }
  }
}
