#if PostgreSQL
import DatastoreTestSupport
import SwiftDatastore
import SwiftDatastorePostgreSQL
import Testing

private final class Employee: DatastoreObject {
  @Attribute.NotOptional var name: String
  @Attribute.NotOptional var salary: Int
}

private enum Next {
  final class Employee: DatastoreObject {
    @Attribute.NotOptional(renamedFrom: "name") var fullName: String
    @Attribute.NotOptional var salary: Double
  }
}

/// The code of the product's page, and its results on a server.
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
    let watch = datastore.watchForExternalChanges(every: 1)
    watch.cancel()
    let rows = try server.psql(database, #"SELECT name, salary FROM staff."Employee""#)
    #expect(rows.split(separator: "\n") == ["Ada|5000"])
    try datastore.close()
  }

  @Test func anotherVersionOfTheModel() async throws {
    let server = try PostgreSQLServer.shared()
    let address = server.address(of: try server.makeDatabase())
    let old = try SwiftDatastore(
      dataModel: SwiftDatastoreModel(from: Employee.self), postgreSQL: address, storeName: "staff")
    try await old.write { context in
      let employee: Employee = try context.createObject()
      (employee.name, employee.salary) = ("Ada", 5000)
    }
    try old.close()
    let newModel = try SwiftDatastoreModel(from: Next.Employee.self)
    let forecast = try SwiftDatastore.requiredMigrations(
      ofPostgreSQL: address, storeName: "staff", dataModel: newModel)
    for change in forecast.entities.flatMap(\.changes) { print(change) }
    let datastore = try await SwiftDatastore.open(
      dataModel: newModel, postgreSQL: address, storeName: "staff")
    #expect(forecast.rowsToWrite == 1)
    let staff: [Next.Employee] = try datastore.sharedViewContext.fetch()
    #expect(staff.map(\.fullName) == ["Ada"])
    #expect(staff.map(\.salary) == [5000])
    try datastore.close()
  }
}
#endif
