import DatastoreCore
import Foundation
import SwiftDatastore
import Testing

@Suite struct ValueQueryTests {
  private let all: StoresOfAllEngines

  init() async throws {
    all = try await StoresOfAllEngines(TestModel.make()) { context in
      let company: Company = try context.createObject()
      company.name = "Acme"
      for (index, position) in [Position.developer, .developer, .tester, nil].enumerated() {
        let employee: Employee = try context.createObject()
        employee.name = "E\(index)"
        employee.age = 20 + index
        employee.salary = 1000 * Double(index + 1)
        employee.position = position
        employee.phone = index == 0 ? nil : "\(index)"
        employee.hiredAt = Date(timeIntervalSinceReferenceDate: Double(index) * 86_400)
        if index < 3 { employee.company = company }
      }
    }
  }

  @Test func propertiesAreTypedAndMissingOnesHaveNoKey() async throws {
    try await all.perform { context in
      let unsaved: Employee = try context.createObject()
      unsaved.name = "Z"
      let rows = try context.fetch(
        Employee.self,
        properties: [
          PropertyToFetch(\.$age), .init(\.$phone), .init(\.$position), .init(\.$hiredAt),
        ], orderBy: [.asc(\.$age)])
      #expect(rows.count == 4)
      #expect(rows[0]["age"] as? Int == 20)
      #expect(rows[0].keys.contains("phone") == false)
      #expect(rows[1]["phone"] as? String == "1")
      #expect(rows[2]["position"] as? Int16 == Position.tester.rawValue)
      #expect(rows[1]["hiredAt"] as? Date == Date(timeIntervalSinceReferenceDate: 86_400))
      #expect(try context.fetch(Employee.self, properties: []).isEmpty)
      let page = try context.fetch(
        Employee.self, properties: [.init(\.$name)], where: \.$age > 20,
        orderBy: [.desc(\.$age)], offset: 1, limit: 1)
      #expect(page.map { $0["name"] as? String } == ["E2"])
      let names = try context.fetchValues(
        FetchRequest(entity: "Employee", sortDescriptors: [SortDescriptor(["age"])], limit: 1),
        of: [["name"], ["company", "name"]])
      #expect(names == [["E0", "Acme"]])
    }
  }

  @Test func aggregatesOverAllAndOverGroups() async throws {
    try await all.perform { context in
      let sum = try context.aggregate(.sum(\.$salary), of: Employee.self)
      #expect(sum == 10_000)
      let average: Double? = try context.aggregate(.average(\Employee.$age), where: \.$age > 20)
      #expect(average == 22)
      let last = try context.aggregate(.maximum(\Employee.$hiredAt))
      #expect(last == Date(timeIntervalSinceReferenceDate: 3 * 86_400))
      #expect(try context.aggregate(.minimum(\Employee.$name)) == "E0")
      #expect(try context.aggregate(.count(\.$phone), of: Employee.self) == 3)
      #expect(try context.aggregate(.sum(\.$age), of: Employee.self, where: \.$age > 99) == nil)
      let groups = try context.aggregates(
        .count(), .average(\.$salary), .maximum(\.$name), of: Employee.self,
        groupBy: \.$position)
      #expect(groups.map(\.group) == [nil, 0, 2])
      #expect(groups.map(\.values.0) == [1, 2, 1])
      #expect(groups.map(\.values.1) == [4000, 1500, 3000])
      #expect(groups.map(\.values.2) == ["E3", "E1", "E2"])
      let large = try context.aggregates(
        .sum(\.$age), of: Employee.self, groupBy: \.$position, where: \.$age < 23,
        having: [Having(.count(), .greaterThan, 1)])
      #expect(large.count == 1 && large.first?.group == 0 && large.first?.values == 41)
      let byCompany = try context.countGroups(
        FetchRequest(entity: "Employee"), by: [["company", "name"]])
      #expect(byCompany == [[.null, 1], ["Acme", 3]])
    }
  }

  @Test func identifiersAndTheirObjects() async throws {
    try await all.perform { context in
      let ids = try context.fetchIDs(Employee.self, where: \.$age > 20, orderBy: [.desc(\.$age)])
      #expect(ids.count == 3)
      let objects: [Employee] = try context.objects(with: ids.reversed())
      #expect(objects.map(\.age) == [21, 22, 23])
      let new: Employee = try context.createObject()
      new.name = "N"
      new.age = 99
      #expect(try context.fetchIDs(Employee.self, where: \.$age > 20).contains(new.objectID))
      #expect(throws: ObjectNotFoundError.self) { try context.objects(Company.self, with: ids) }
    }
  }

  @Test func plainSQL() async throws {
    try await all.stores[0].newContext().perform { context in
      let rows = try context.query(
        "SELECT name, age * ? AS older FROM Employee WHERE age > ? ORDER BY age",
        arguments: [2, 21])
      #expect(rows.map { $0["older"] } == [44, 46])
      #expect(rows.first?["gone"] == nil && rows.first?[0] == "E2")
      let objects: [Employee] = try context.fetch(
        sql: "SELECT _id FROM Employee ORDER BY age DESC LIMIT ?", arguments: [2])
      #expect(objects.map(\.age) == [23, 22])
      for bad in ["SELECT ?", "UPDATE Employee SET age = 1", "SELECT 1; SELECT 2", "SELEC"] {
        #expect(throws: StoreError.self, "\(bad)") { try context.query(bad) }
      }
      #expect(objects[0].age == 23)
      let changed = try context.execute(
        "UPDATE Employee SET age = age + 1 WHERE age > ?", arguments: [21])
      #expect(changed == 2)
      #expect(objects.map(\.age) == [24, 23])
      #expect(throws: StoreError.self) {
        // Statements that could damage a file are refused on every connection.
        try context.execute("DELETE FROM sqlite_master")
      }
      #expect(throws: StoreError.self) { try context.query("PRAGMA writable_schema = ON") }
      #expect(throws: StoreError.self) {
        try context.execute("UPDATE sqlite_master SET sql = 'x'")
      }
    }
  }
}
