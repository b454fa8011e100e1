#if PostgreSQL
import DatastoreTestSupport
import Foundation
import SampleModel
import SwiftDatastore
import SwiftDatastorePostgreSQL
import Testing

/// The program of the documentation on the second engine: nothing but the address is another one.
@MainActor
struct SampleModelTests {
  @Test func aModelIsStoredReadAndFollowedInAServer() async throws {
    let server = try PostgreSQLServer.shared()
    let database = try server.makeDatabase()
    let address = server.address(of: database)
    let hired = Date(timeIntervalSinceReferenceDate: 700_000_000.25)
    let datastore = try SwiftDatastore(
      dataModel: .sampleCompanies(), postgreSQL: address, storeName: "companies")
    try await datastore.write { context in
      let company: Company = try context.createObject()
      (company.id, company.name) = (1, "Ångström & Söhne")
      for (id, name, salary) in [(1, "Ada", 3141.59), (2, "Émile", 2718.28)] {
        let employee: Employee = try context.createObject()
        (employee.id, employee.name, employee.surname) = (id, name, "Noether")
        employee.salary = try #require(Decimal(string: "\(salary)"))
        (employee.company, employee.hiredAt, employee.isRemote) = (company, hired, id == 2)
      }
    }
    let row = try server.psql(
      database,
      """
      SELECT name, salary, "isRemote", "hiredAt" AT TIME ZONE 'UTC' FROM companies."Employee" ORDER BY id
      """
    ).split(separator: "\n").first
    #expect(row == "Ada|3141.59|f|2023-03-08 20:26:40.25")

    let view = datastore.sharedViewContext
    let found: [Employee] = try view.fetch(
      where: \.$company ~ \.$name == "Ångström & Söhne", orderBy: [.desc(\.$name)])
    #expect(found.map(\.name) == ["Émile", "Ada"])
    #expect(found.first?.salary == Decimal(string: "2718.28"))
    #expect(found.first?.hiredAt == hired)
    let remote: [Employee] = try view.fetch(where: \.$isRemote == true)
    #expect(remote.map(\.name) == ["Émile"])
    #expect(found.first?.company?.employees.count == 2)

    // A number that is in use is refused, and nothing of that save is there.
    await #expect(throws: StoreError.self) {
      try await datastore.write { context in
        let twin: Employee = try context.createObject()
        (twin.id, twin.name, twin.surname) = (1, "Twin", "Noether")
      }
    }
    try datastore.close()

    let again = try SwiftDatastore(
      dataModel: .sampleCompanies(), postgreSQL: address, storeName: "companies", readOnly: true)
    #expect(try again.sharedViewContext.count(Employee.self) == 2)
    #expect("\(again)".contains("/companies"))
    try again.close()
  }
}
#endif
