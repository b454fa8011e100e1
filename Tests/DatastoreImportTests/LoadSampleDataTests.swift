import DatastoreCore
import DatastoreImport
import DatastoreTestSupport
import Foundation
import SampleModel
import SwiftDatastore
import Testing

@Suite("Loading the sample data")
struct LoadSampleDataTests {
  @Test("The companies load into the compiled classes, completely")
  func companies() async throws {
    let fixture = try LoadFixture()
    let folder = LoadFixture.sampleData.appending(path: "company").path
    let (report, faults) = try await fixture.load([folder], batchSize: 500)
    #expect(faults.isEmpty)
    #expect(report.inserted == 12 + 40 + 2_000 + 6_000)
    #expect(report.rows == report.inserted)

    let datastore = try SwiftDatastore(
      dataModel: SwiftDatastoreModel.sampleCompanies(), url: fixture.store)
    try await datastore.newContext().perform { context in
      #expect(try context.count(Company.self) == 12)
      #expect(try context.count(Office.self) == 40)
      #expect(try context.count(Employee.self) == 2_000)
      #expect(try context.count(Task.self) == 6_000)
      let first: Employee = try #require(try context.fetchFirst(where: \.$id == 1))
      #expect(first.name == "Işıl")
      #expect(first.uuid == UUID(uuidString: "dd0c2f09-f6c9-5bd9-9124-eb1e7c5791d8"))
      #expect(first.salary == Decimal(string: "46432.25"))
      #expect(first.position == .uiDesigner)
      #expect(first.hiredAt?.timeIntervalSinceReferenceDate == ISODate.parse("2018-09-12"))
      #expect(first.company?.id == 10)
      #expect(first.office?.id == 25)
      #expect(first.notes == nil)
      // A manager that is later in the file.
      #expect(first.manager?.id == 704)
      let manager = try #require(first.manager)
      #expect(manager.reports.contains(first))
      #expect(try context.count(Employee.self, where: \.$manager == nil) == 72)
      let company: Company = try #require(try context.fetchFirst(where: \.$id == 1))
      #expect(company.name == "Zażółć Software sp. z o.o.")
      #expect(company.website == URL(string: "https://www.zazolc.example/"))
      #expect(company.revenue == 1_508_428_178.48)
    }
  }

  @Test("Tasks stand in the order that their file gives")
  func orderedTasks() async throws {
    let fixture = try LoadFixture()
    try await fixture.load(
      [LoadFixture.sampleData.appending(path: "company").path], batchSize: 700)
    let file = LoadFixture.sampleData.appending(path: "company/tasks.json")
    let records = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [[String: Any]])
    var expected: [Int: [(order: Int, id: Int)]] = [:]
    for record in records {
      guard let employee = record["employee"] as? Int, let order = record["order"] as? Int,
        let id = record["id"] as? Int
      else { continue }
      expected[employee, default: []].append((order, id))
    }
    let wanted = expected.mapValues { $0.sorted { $0.order < $1.order }.map(\.id) }
    let datastore = try SwiftDatastore(
      dataModel: SwiftDatastoreModel.sampleCompanies(), url: fixture.store)
    try await datastore.newContext().perform { context in
      let employees: [Employee] = try context.fetch()
      for employee in employees {
        #expect(employee.tasks.map(\.id) == wanted[employee.id] ?? [])
      }
    }
  }

  @Test("A record that names the employee it has keeps its place; a new one comes last")
  func keptOrder() async throws {
    let fixture = try LoadFixture()
    try await fixture.load(
      [LoadFixture.sampleData.appending(path: "company").path], batchSize: 700)
    func tasks() async throws -> [Int] {
      let datastore = try SwiftDatastore(
        dataModel: SwiftDatastoreModel.sampleCompanies(), url: fixture.store)
      return try await datastore.newContext().perform { context in
        let employee: Employee = try #require(try context.fetchFirst(where: \.$id == 1))
        return employee.tasks.map(\.id)
      }
    }
    let before = try await tasks()
    let last = try #require(before.last)
    try #require(before.count > 2)
    let path = try fixture.directory.write(
      "id,title,priority,employee\n900001,New,1,1\n\(last),Same,1,1\n", to: "some.csv")
    try await fixture.load([path], entity: "Task", key: "id")
    #expect(try await tasks() == before + [900_001])
  }

  @Test("The world loads into inferred entities, completely")
  func world() async throws {
    let fixture = try LoadFixture()
    let folder = LoadFixture.sampleData.appending(path: "world").path
    let (report, faults) = try await fixture.load([folder], batchSize: 50)
    #expect(faults.isEmpty)
    let contents = try await fixture.contents()
    func lines(_ name: String) throws -> Int {
      let file = LoadFixture.sampleData.appending(path: "world/\(name).csv")
      return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").count - 1
    }
    for (file, entity) in [
      ("continents", "Continent"), ("currencies", "Currency"), ("languages", "Language"),
      ("countries", "Country"), ("cities", "City"),
    ] {
      #expect(contents[entity].count == (try lines(file)), "\(entity)")
    }
    #expect(report.linked == (try lines("country_languages")))

    let poland = try #require(contents.row("Country", where: "code", is: .text("PL")))
    #expect(poland["name"] == .text("Poland"))
    let warsaw = try #require(contents.row("City", where: "name", is: .text("Warsaw")))
    #expect(poland["capital"] == .key(warsaw.key))
    #expect(warsaw["country"] == .key(poland.key))
    #expect(warsaw["capitalOf"] == .text("\(poland.key)"))
    let polish = try #require(contents.row("Language", where: "code", is: .text("pl")))
    #expect(poland["languages"] == .text("\(polish.key)"))
    let europe = try #require(contents.row("Continent", where: "code", is: .text("EU")))
    #expect(poland["continent"] == .key(europe.key))
    guard case .integer(let population) = poland["population"] else {
      Issue.record("the population of Poland is \(poland["population"])")
      return
    }
    #expect((30_000_000...45_000_000).contains(population))
  }

  @Test("Loading the same data again updates it and adds nothing")
  func again() async throws {
    let fixture = try LoadFixture()
    let folder = LoadFixture.sampleData.appending(path: "world").path
    try await fixture.load([folder], batchSize: 100)
    let before = try await fixture.contents()
    let (report, _) = try await fixture.load([folder], batchSize: 100)
    #expect(report.inserted == 0)
    #expect(report.updated == before.entities.values.map(\.count).reduce(0, +))
    #expect(try await fixture.contents() == before)
  }
}
