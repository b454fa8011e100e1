import Foundation
import SwiftDatastore
import Testing

// The code of Transactions.md, to the letter.

extension ModelsArticle {
  @MainActor
  @Suite struct TransactionsExamples {
    func addCompany(_ name: String, to datastore: SwiftDatastore) throws {
      try datastore.writeAndWait { context in
        let company: Company = try context.createObject()
        company.name = name
      }
    }

    func rename(_ name: String, to newName: String, in datastore: SwiftDatastore) throws {
      let context = datastore.newLocalContext()
      let company: Company? = try context.fetchFirst(where: \.$name == name)
      company?.name = newName
      try context.saveChanges()
    }

    func salary(of name: String, in datastore: SwiftDatastore) async throws -> Double? {
      try await datastore.newContext().perform { context in
        let employee: Employee? = try context.fetchFirst(where: \.$name == name)
        return employee?.salary
      }
    }

    @Test func writing() async throws {
      let datastore = try await makeStore()
      let before = try #require(try await salary(of: "Tom", in: datastore))

      try await datastore.write { context in
        let employee: Employee? = try context.fetchFirst(where: \.$name == "Tom")
        employee?.salary += 100
      }
      #expect(try await salary(of: "Tom", in: datastore) == before + 100)

      let raised = try await datastore.write { context in
        let developers: [Employee] = try context.fetch(where: \.$position == .developer)
        for employee in developers { employee.salary *= 1.03 }
        return developers.map(\.name)
      }
      print("raised: \(raised)")
      #expect(raised.count == 2)

      try await datastore.write(retries: 0) { context in
        let employee: Employee? = try context.fetchFirst(where: \.$name == "Tom")
        employee?.salary += 100
      }
    }

    @Test func leavingWithoutSaving() async throws {
      let datastore = try await makeStore()
      do {
        try await datastore.write { context in
          let known: Company? = try context.fetchFirst(where: \.$name == "Initech")
          if known != nil { try context.cancel() }
          let company: Company = try context.createObject()
          company.name = "Initech"
        }
      } catch is CancellationError {
        print("there is one already")
      }
      #expect(try datastore.sharedViewContext.count(Company.self, where: \.$name == "Initech") == 1)
      try addCompany("Acme", to: datastore)
      try rename("Acme", to: "Initrode", in: datastore)
      let names = try await datastore.newContext().perform { context in
        (try context.fetch() as [Company]).map(\.name)
      }
      #expect(names.sorted() == ["Initech", "Initrode"])

      try await datastore.write { context in
        context.transactionAuthor = "import"
        context.sourceIdentifier = UUID()
        let company: Company = try context.createObject()
        company.name = "Globex"
      }
    }
  }
}
