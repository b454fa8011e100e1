import Foundation
import SwiftDatastore
import Testing

// The code of GettingStarted.md, to the letter.

enum GettingStartedArticle {
  final class Company: DatastoreObject {
    @Attribute.NotOptional(unique: true) var name: String
    @Relationship.ToMany(deleteRule: .cascade) var employees: Set<Employee>
  }

  final class Employee: DatastoreObject {
    @Attribute.NotOptional var name: String
    @Attribute.NotOptional var salary: Double = 0
    @Attribute.Optional var phone: String?
    @Relationship.ToOne(inverse: \.$employees) var company: Company?
  }

  /// Not run, as it makes a file in the user's directory.
  static func open() throws -> SwiftDatastore {
    let model = try SwiftDatastoreModel(from: Company.self, Employee.self)
    let datastore = try SwiftDatastore(dataModel: model, storeName: "staff")
    return datastore
  }

  /// Not run, as its place need not exist.
  static func openElsewhere(_ model: SwiftDatastoreModel) throws -> [SwiftDatastore] {
    let elsewhere = try SwiftDatastore(dataModel: model, url: URL(filePath: "/srv/staff.sqlite"))
    let inMemory = try SwiftDatastore(inMemory: model)
    let forATest = try SwiftDatastore(dataModel: model, storeName: "staff", storingType: .test)
    return [elsewhere, inMemory, forATest]
  }
}

extension GettingStartedArticle {
  @MainActor
  @Suite struct GettingStartedExamples {
    @Test func theArticleIsRight() async throws {
      let datastore = try SwiftDatastore(
        inMemory: SwiftDatastoreModel(from: Company.self, Employee.self))

      try await datastore.write { context in
        let company: Company = try context.createObject()
        company.name = "Initech"
        for (name, salary) in [("Tom", 3000.0), ("Tamiko", 4000), ("Åsa", 5000)] {
          let employee: Employee = try context.createObject()
          employee.name = name
          employee.salary = salary
          employee.company = company  // company.employees follows
        }
      }

      let names = try await datastore.newContext().perform { context in
        let wellPaid: [Employee] = try context.fetch(
          where: \.$salary >= 4000 && \.$company ~ \.$name == "Initech",
          orderBy: [.desc(\.$salary)])
        return wellPaid.map(\.name)
      }
      print(names)  // ["Åsa", "Tamiko"]
      #expect(names == ["Åsa", "Tamiko"])

      let view = datastore.sharedViewContext
      if let tom: Employee = try view.fetchFirst(where: \.$name == "Tom") {
        tom.salary += 500
        try view.saveChanges()
        print(tom.company?.employees.count ?? 0)  // 3
      }
      let tom: Employee = try #require(try view.fetchFirst(where: \.$name == "Tom"))
      #expect(tom.salary == 3500 && tom.company?.employees.count == 3)
    }
  }
}
