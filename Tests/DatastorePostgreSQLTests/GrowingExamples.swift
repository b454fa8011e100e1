#if PostgreSQL
import DatastoreTestSupport
import SwiftDatastore
import SwiftDatastorePostgreSQL
import Testing

private final class Employee: DatastoreObject {
  @Attribute.NotOptional var name: String
  @Attribute.NotOptional var salary: Int
  @Attribute.NotOptional var department: String = "Sales"
}

/// The pieces of code of the article about growing.
@MainActor
@Suite struct GrowingExamples {
  /// Compiled only: it would make a file in the folder of the program.
  private func openFile(_ model: SwiftDatastoreModel) throws -> SwiftDatastore {
    let file = try SwiftDatastore(dataModel: model, storeName: "staff")
    return file
  }

  @Test func growing() async throws {
    let postgres = try PostgreSQLServer.shared()
    let database = try postgres.makeDatabase()
    let model = try SwiftDatastoreModel(from: Employee.self)
    let address = postgres.address(of: database)
    let file = try SwiftDatastore(inMemory: model)
    try await file.write { context in
      let employee: Employee = try context.createObject()
      (employee.name, employee.salary) = ("Ada", 5000)
    }
    let server = try SwiftDatastore(dataModel: model, postgreSQL: address, storeName: "staff")
    let count = try file.copyObjects(into: server)
    #expect(count == 1)
    let replica = try SwiftDatastore(
      dataModel: model, postgreSQL: address, storeName: "staff", readOnly: true)
    let staff: [Employee] = try replica.sharedViewContext.fetch()
    #expect(staff.map(\.name) == ["Ada"])
    let shared = try SwiftDatastore(
      dataModel: model, postgreSQL: address, storeName: "shared",
      distributedBy: ["Employee.department"])
    #expect(try server.copyObjects(into: shared) == 1)
  }
}
#endif
