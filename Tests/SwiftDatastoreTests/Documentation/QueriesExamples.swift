import Foundation
import SwiftDatastore
import Testing

// The code of Queries.md, to the letter.

extension ModelsArticle {
  @Suite struct QueriesExamples {
    @Test func objects() async throws {
      try await makeStore().newContext().perform { context in
        let page: [Employee] = try context.fetch(
          where: \.$salary > 3000, orderBy: [.asc(\.$position), .desc(\.$salary)],
          offset: 20, limit: 10)
        let best: Employee? = try context.fetchFirst(orderBy: [.desc(\.$salary)])
        let count = try context.count(Employee.self, where: \.$phone == nil)
        #expect(page.isEmpty && best?.name == "Åsa" && count == 3)

        let staff: [Employee] = try context.fetch(prefetching: [\.$company, \.$jobs])
        #expect(staff.count == 3)
      }
    }

    @Test func conditions() async throws {
      try await makeStore().newContext().perform { context in
        let conditions: [Where<Employee>] = [
          \.$salary >= 3000 && \.$salary < 5000,
          \.$position == .developer || \.$position == nil,
          !(\.$name == "Tom"),
          3000...5000 ~= \.$salary,
          ["Tom", "Åsa"] ~= \.$name,
          \.$name ?= "om",  // contains
          (\.$name ^= "T"),  // begins with
          (\.$name |= "m"),  // ends with
          .like(\.$name, "T?m*"),
          .matches(\.$name, "T[aeiou]m.*"),
          .search(\.$name, "tim"),  // a word of it; "ti*" a word that begins so
          (\.$name ?= "åsa").ignoringCase().ignoringDiacritics(),
        ]
        #expect(
          try names(conditions, in: context) == [
            "Tom", "Tim Tom", "Tim Åsa", "Tom", "Tom Åsa", "Tom", "Tim Tom", "Tim Tom", "Tim Tom",
            "Tim Tom", "Tim", "Åsa",
          ])

        let search: String? = "om"
        let found: [Employee] = try context.fetch(
          where: .all {
            if let search { \.$name ?= search }
            \.$salary >= 3000
            Where.any {
              \.$position == .developer
              \.$position == nil
            }
          })
        #expect(found.map(\.name) == ["Tom"])

        let initech: Company? = try context.fetchFirst()
        let paths: [Where<Employee>] = [
          \.$company ~ \.$name == "Initech",
          \.$company == initech,
          \.$jobs.count > 3,
          (\.$jobs ~ \.$title).any == "Report",
          (\.$jobs ~ \.$isDone).all == true,
          (\.$jobs ~ \.$title).none ^= "Re",
          \.$company ~ \.$employees.count >= 10,
        ]
        #expect(
          try names(paths, in: context) == [
            "Tim Tom Åsa", "Tim Tom Åsa", "", "Tom Åsa", "Tim", "Tim", "",
          ])

        let veterans: [Employee] = try context.fetch(
          where: context.condition(
            "salary > %@ AND (name BEGINSWITH[cd] %@ OR ANY jobs.isDone == NO)",
            .of(3000), .of("t")))
        #expect(Set(veterans.map(\.name)) == ["Tom", "Åsa"])

        let condition: Where<Employee> = \.$salary > 3000 && \.$company ~ \.$name == "Initech"
        print(condition)  // salary > 3000.0 AND company.name == "Initech"
        #expect("\(condition)" == "salary > 3000.0 AND company.name == \"Initech\"")
      }
    }

    @Test func queries() async throws {
      try await makeStore().newContext().perform { context in
        let wellPaid = From<Employee>().where(\.$salary > 3000).orderBy(.desc(\.$salary))
        let everybody = try context.fetch(wellPaid)
        let richest = try context.fetchFirst(wellPaid)
        let number = try context.count(wellPaid)
        #expect(everybody.map(\.name) == ["Åsa", "Tom"] && richest?.name == "Åsa" && number == 2)

        let secondPage = wellPaid.where(\.$company != nil).offset(20).limit(20)
        print(secondPage)
        // FROM Employee WHERE salary > 3000.0 AND company != NULL ORDER BY salary desc LIMIT 20 OFFSET 20
        #expect(
          "\(secondPage)" == """
            FROM Employee WHERE salary > 3000.0 AND company != NULL ORDER BY salary desc \
            LIMIT 20 OFFSET 20
            """)

        let details = wellPaid.select(\.$name, \.$salary, \.$jobs.count)
        for (name, salary, jobs) in try context.rows(details) { print(name, salary, jobs) }
        let names: [String] = try context.rows(wellPaid.select(\.$name))
        let employers = try context.rows(From<Employee>().select(\.$company ~ \.$name).distinct())
        #expect(names == ["Åsa", "Tom"] && employers == ["Initech"])
      }
    }

    @Test func terms() async throws {
      try await makeStore().newContext().perform { context in
        let staff = From<Employee>().select(
          .objectID(), .value(\.$name), .value(\Employee.$company ~ \.$name))
        for (id, name, employer) in try context.rows(staff) {
          print(id, name, employer ?? "nobody")
        }
        #expect(try context.rows(staff).count == 3)

        let summary = From<Employee>()
          .select(.count(), .average(\.$salary), .count(distinct: \.$phone))
        if let (number, average, phones) = try context.firstRow(summary) {
          print(number ?? 0, average ?? 0, phones ?? 0)
          #expect(number == 3 && phones == 0)
        }

        let positions = From<Employee>().where(\.$salary > 1000)
          .groupBy(\.$position)
          .having(.count(), .greaterThan, 1)
          .orderBy(.desc(.average(\.$salary)))
          .select(.count(), .average(\.$salary))
        for row in try context.rows(positions) {
          let (count, average) = row.values
          print(row.group as Any, count ?? 0, average ?? 0)
          #expect(row.group == .developer && count == 2 && average == 3000)
        }
      }
    }

    final class Note: DatastoreObject {
      @Attribute.NotOptional(searchable: true) var text: String
      @Attribute.NotOptional var isDone: Bool = false
    }

    @Test func searching() async throws {
      let datastore = try SwiftDatastore(inMemory: SwiftDatastoreModel(from: Note.self))
      try await datastore.newContext().perform { context in
        for text in ["an apple", "apple pies", "plums"] {
          let note: Note = try context.createObject()
          note.text = text
        }
        try context.saveChanges()
        let open: [Note] = try context.fetch(where: .search(\.$text, "apple") && \.$isDone == false)
        let best = try context.search(
          \Note.$text, for: "apple pie*", where: \.$isDone == false, limit: 50)
        #expect(open.count == 2 && best.map(\.text) == ["apple pies"])

        let found = From<Note>().where(.search(\.$text, "apple")).orderBy(.rank)
        print(found)  // FROM Note WHERE text SEARCH "apple" ORDER BY @rank
        let page = try context.fetch(found.offset(50).limit(50))
        let texts = try context.rows(found.limit(3).select(\.$text))
        #expect(found.description == "FROM Note WHERE text SEARCH \"apple\" ORDER BY @rank")
        #expect(page.isEmpty && texts == ["an apple", "apple pies"])
      }
    }

    @Test func dates() async throws {
      let datastore = try SwiftDatastore(inMemory: SwiftDatastoreModel(from: Visit.self))
      try await datastore.newContext().perform { context in
        for date in ["2023-12-31", "2024-02-01", "2024-02-29"] {
          let visit: Visit = try context.createObject()
          visit.city = "Umeå"
          visit.date = try #require(CalendarDate(date))
        }
        try context.saveChanges()
        let visits = From<Visit>().where(\.$date.year >= 2024)
        let monthly = visits.groupBy(\.$date.month).select(.count())
        for row in try context.rows(monthly) { print(row.group ?? "", row.values ?? 0) }
        let groups = try context.rows(monthly)
        #expect(groups.map(\.group) == ["2024-02"] && groups.map(\.values) == [2])
      }
    }

    @Test func names() async throws {
      try await makeStore().newContext().perform { context in
        let tom = try #require(try context.fetchFirst(From<Employee>().where(\.$name == "Tom")))
        let uri = try tom.objectID.uriRepresentation  // x-datastore://6F9619FF-…/Employee/42
        let again: Employee = try context.object(forURIRepresentation: uri)
        #expect(again === tom)
      }
    }

    @Test func values() async throws {
      try await makeStore().newContext().perform { context in
        let best = From<Employee>().orderBy(.desc(\.$salary)).limit(10)
        let mean = try context.firstRow(best.select(.average(\.$salary))) ?? nil
        #expect(mean == 11200.0 / 3)

        let total = try context.aggregate(.sum(\.$salary), of: Employee.self)

        let rows = try context.fetch(
          Employee.self, properties: [.init(\.$name), .init(\.$salary)], orderBy: [.asc(\.$name)])
        for row in rows {
          print(row["name"] as? String ?? "", row["salary"] as? Double ?? 0)
        }

        for group in try context.aggregates(
          .count(), .average(\.$salary), of: Employee.self, groupBy: \.$position,
          having: [Having(.count(), .greaterThan, 1)])
        {
          let (count, average) = group.values
          print(group.group ?? -1, count ?? 0, average ?? 0)
          #expect(group.group == 0 && count == 2 && average == 3000)
        }
        #expect(rows.compactMap { $0["name"] as? String } == ["Tim", "Tom", "Åsa"])
        #expect(rows.compactMap { $0["salary"] as? Double } == [2900, 3100, 5200])
        #expect(total == 11200)
      }
    }

    @Test func manyRowsAndSQL() async throws {
      try await makeStore().newContext().perform { context in
        let raised = try context.updateMany(
          Employee.self, where: \.$position == .developer,
          propertiesToUpdate: [.init(\.$salary, 4500), .init(\.$phone, nil)])
        let removed = try context.deleteMany(From<Job>().where(\.$isDone == true))
        let inserted = try context.insertMany(Job.self, from: 1...1000) { number in
          [.init(\.$title, "Job \(number)")]
        }
        #expect(raised == 2 && removed == 0 && inserted == 1000)

        let answer = try context.query(
          "SELECT position, max(salary) FROM Employee WHERE salary > ? GROUP BY position",
          arguments: [1000])
        for row in answer { print(row[0], row["max(salary)"] ?? .null) }

        let drawn: [Employee] = try context.fetch(
          sql: "SELECT _id FROM Employee ORDER BY random() LIMIT 3")
        #expect(answer.map(\.values) == [[0, 4500.0], [1, 5200.0]])
        #expect(drawn.count == 3)
      }
    }

    /// The names that each condition finds, in one text.
    private func names(
      _ conditions: [Where<Employee>], in context: SwiftDatastoreContext.Closure
    ) throws -> [String] {
      try conditions.map { condition in
        let found: [Employee] = try context.fetch(where: condition, orderBy: [.asc(\.$name)])
        return found.map(\.name).joined(separator: " ")
      }
    }
  }
}
