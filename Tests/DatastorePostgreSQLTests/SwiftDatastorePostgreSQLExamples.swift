#if PostgreSQL
import DatastoreTestSupport
import SwiftDatastore
import SwiftDatastorePostgreSQL
import Testing

private final class Employee: DatastoreObject {
  @Attribute.NotOptional var name: String
  @Attribute.NotOptional var salary: Int
}

/// The pieces of code of the product's page, and what becomes of them on a server.
@MainActor
@Suite struct SwiftDatastorePostgreSQLExamples {
  @Test func overview() async throws {
    let server = try PostgreSQLServer.shared()
    let database = try server.makeDatabase()
    let model = try SwiftDatastoreModel(from: Employee.self)
    let address = server.address(of: database)
    let datastore = try SwiftDatastore(dataModel: model, postgreSQL: address, storeName: "staff")
    try await datastore.write { context in
      let employee: Employee = try context.createObject()
      (employee.name, employee.salary) = ("Ada", 5000)
    }
    let staff: [Employee] = try datastore.sharedViewContext.fetch(where: \.$salary > 3000)
    #expect(staff.map(\.name) == ["Ada"])
    let rows = try server.psql(database, #"SELECT name, salary FROM staff."Employee""#)
    #expect(rows.split(separator: "\n") == ["Ada|5000"])
    try datastore.close()
  }
}
#endif
