import DatastoreCore
import Foundation
import SwiftDatastore
import Testing

@Suite struct BatchTests {
  private func makeDatastore(_ engine: TestEngine) throws -> SwiftDatastore {
    try engine.makeDatastore(TestModel.make())
  }

  /// Ten employees of ages 20 to 29, the even ones in a company with a task each.
  private func fill(_ datastore: SwiftDatastore) async throws {
    try await datastore.write { context in
      let company: Company = try context.createObject()
      company.name = "Acme"
      for age in 20..<30 {
        let employee: Employee = try context.createObject()
        employee.name = "E\(age)"
        employee.age = age
        employee.phone = "\(age)"
        guard age.isMultiple(of: 2) else { continue }
        employee.company = company
        let job: Job = try context.createObject()
        job.title = "J\(age)"
        employee.tasks = [job]
      }
    }
  }

  @Test(arguments: TestEngine.allCases)
  func updateManyReachesEveryContext(engine: TestEngine) async throws {
    let datastore = try makeDatastore(engine)
    try await fill(datastore)
    let writer = datastore.newContext()
    let reader = datastore.newContext()
    let id = try await reader.perform { context in
      let employee: Employee = try #require(try context.fetchFirst(where: \.$age == 28))
      #expect(employee.phone == "28")
      return employee.objectID
    }
    try await writer.perform { context in
      let own: Employee = try context.object(with: id)
      #expect(own.phone == "28")
      let count = try context.updateMany(
        Employee.self, where: \.$age >= 25,
        propertiesToUpdate: [
          PropertyToUpdate(\.$phone, nil), PropertyToUpdate(\.$position, .tester),
          PropertyToUpdate(\.$salary, 7),
        ])
      #expect(count == 5)
      #expect(own.phone == nil && own.position == .tester && own.salary == 7)
      #expect(try context.updateMany(Employee.self, propertiesToUpdate: []) == 0)
      #expect(!context.hasChanges)
    }
    try await reader.perform { context in
      let employee: Employee = try context.object(with: id)
      #expect(employee.phone == nil && employee.position == .tester)
      #expect(try context.count(Employee.self, where: \.$phone == nil) == 5)
    }
  }

  @Test(arguments: TestEngine.allCases)
  func updateManySetsAndTakesAwayRelationships(engine: TestEngine) async throws {
    let datastore = try makeDatastore(engine)
    try await fill(datastore)
    try await datastore.newContext().perform { context in
      let acme: Company = try #require(try context.fetchFirst())
      #expect(acme.employees.count == 5)
      let other: Company = try context.createObject()
      other.name = "Other"
      try context.saveChanges()
      #expect(other.employees.isEmpty)
      let moved = try context.updateMany(
        Employee.self, where: \.$age < 24, propertiesToUpdate: [PropertyToUpdate(\.$company, other)]
      )
      #expect(moved == 4)
      #expect(other.employees.count == 4)
      #expect(acme.employees.count == 3)
      try context.updateMany(
        Employee.self, where: \.$company == acme,
        propertiesToUpdate: [PropertyToUpdate(\.$company, nil)])
      #expect(acme.employees.isEmpty)
      #expect(context.core.graph.brokenInvariants() == [])
    }
  }

  @Test(arguments: TestEngine.allCases)
  func updateManyOfAMissingMandatoryValueChangesNothing(engine: TestEngine) async throws {
    let datastore = try makeDatastore(engine)
    try await fill(datastore)
    try await datastore.newContext().perform { context in
      #expect(throws: StoreError.self) {
        try context.updateMany(
          entityName: "Employee", where: nil, values: ["age": 1, "name": .null])
      }
      let ones = try context.count(Employee.self, where: \.$age == 1)
      #expect(ones == 0)
    }
  }

  @Test(arguments: TestEngine.allCases)
  func stagedEditsSurviveAndConflict(engine: TestEngine) async throws {
    let datastore = try makeDatastore(engine)
    try await fill(datastore)
    let editor = datastore.newContext()
    try await editor.perform { context in
      let employee: Employee = try #require(try context.fetchFirst(where: \.$age == 20))
      employee.phone = "mine"
    }
    try await datastore.newContext().perform { context in
      _ = try context.updateMany(
        Employee.self, propertiesToUpdate: [PropertyToUpdate(\.$phone, "batch")])
    }
    try await editor.perform { context in
      let employee: Employee = try #require(try context.fetchFirst(where: \.$age == 20))
      #expect(employee.phone == "mine")
      let error = #expect(throws: ConflictError.self) { try context.saveChanges() }
      let property = try #require(error?.conflicts.first?.properties.first)
      #expect(property.name == "phone" && property.theirs == "batch" && property.mine == "mine")
    }
  }

  @Test(arguments: TestEngine.allCases)
  func deleteManyFollowsTheDeleteRules(engine: TestEngine) async throws {
    let datastore = try makeDatastore(engine)
    try await fill(datastore)
    let reader = datastore.newContext()
    let ids = try await reader.perform { context -> [DatastoreObjectID] in
      let employees: [Employee] = try context.fetch(orderBy: [.asc(\.$age)])
      return employees.map(\.objectID)
    }
    try await datastore.newContext().perform { context in
      let company: Company = try #require(try context.fetchFirst())
      let first: Employee = try context.object(with: ids[0])
      #expect(first.tasks.count == 1 && company.employees.count == 5)
      #expect(try context.deleteMany(Employee.self, where: \.$age < 23) == 3)
      #expect(first.isDeleted)
      #expect(company.employees.count == 4 - 1)
      #expect(try context.count(Job.self) == 3)
      #expect(try context.deleteMany(Company.self, where: \.$name == "Acme") == 1)
      #expect(try context.count(Employee.self) == 4, "employees go with their company")
      #expect(try context.count(Job.self) == 0, "and their tasks with them")
    }
    try await reader.perform { context in
      let left: [Employee] = try context.objects(with: ids)
      #expect(left.map(\.age) == [23, 25, 27, 29])
    }
  }

  @Test(arguments: TestEngine.allCases)
  func denyRefusesTheWholeDeletion(engine: TestEngine) async throws {
    let datastore = try makeDatastore(engine)
    try await datastore.newContext().perform { context in
      for name in ["free", "bound"] {
        let company: Company = try context.createObject()
        company.name = name
        guard name == "bound" else { continue }
        let contract: Contract = try context.createObject()
        contract.title = "Lease"
        contract.company = company
        let tag: Tag = try context.createObject()
        tag.label = "big"
        company.tags = [tag]
      }
      try context.saveChanges()
      let error = #expect(throws: ValidationError.self) {
        try context.deleteMany(entityName: "Company", where: nil)
      }
      #expect(error?.faults.map(\.property) == ["contracts"])
      #expect(try context.count(Company.self) == 2)
      try context.deleteMany(entityName: "Contract", where: nil)
      let tag: Tag = try #require(try context.fetchFirst())
      #expect(tag.companies.count == 1)
      #expect(try context.deleteMany(entityName: "Company", where: nil) == 2)
      #expect(tag.companies.isEmpty)
    }
  }

  @Test(arguments: TestEngine.allCases)
  func oneToOnePartnersForgetEachOther(engine: TestEngine) async throws {
    let datastore = try makeDatastore(engine)
    try await datastore.newContext().perform { context in
      let desk: Desk = try context.createObject()
      let employee: Employee = try context.createObject()
      employee.name = "A"
      employee.desk = desk
      try context.saveChanges()
      try context.updateMany(
        Desk.self, propertiesToUpdate: [PropertyToUpdate(\.$employee, nil)])
      #expect(employee.desk == nil && desk.employee == nil)
      employee.desk = desk
      try context.saveChanges()
      #expect(
        try context.updateMany(
          Employee.self, propertiesToUpdate: [PropertyToUpdate(\.$desk, desk)]) == 1)
      #expect(employee.desk === desk && desk.employee === employee)
      try context.deleteMany(entityName: "Desk", where: nil)
      #expect(employee.desk == nil)
    }
  }

  @Test(arguments: TestEngine.allCases) @MainActor
  func controllersLearnOfBatches(engine: TestEngine) async throws {
    let datastore = try makeDatastore(engine)
    try await fill(datastore)
    let controller = FetchedObjectsController<Employee>(
      viewContext: datastore.sharedViewContext, where: \.$age > 24, orderBy: [.asc(\.$name)])
    try await controller.performFetch()
    #expect(controller.numberOfFetchedObjects == 5)
    try await datastore.newContext().perform { context in
      try context.updateMany(
        Employee.self, where: \.$age == 20, propertiesToUpdate: [PropertyToUpdate(\.$age, 40)])
      try context.deleteMany(Employee.self, where: \.$age == 25)
      try context.insertMany(
        Employee.self, from: 0..<200
      ) { [.init(\.$name, "N\($0)"), .init(\.$age, 50)] }
    }
    await drainMainQueue()
    await controller.settled()
    #expect(controller.numberOfFetchedObjects == 205)
    try datastore.sharedViewContext.deleteMany(Employee.self, where: \.$age == 50)
    datastore.sharedViewContext.processPendingChanges()
    await controller.settled()
    #expect(controller.numberOfFetchedObjects == 5)
  }

  @Test(arguments: TestEngine.allCases)
  func insertManyFillsInDefaultsAndIsOneTransaction(engine: TestEngine) async throws {
    let datastore = try makeDatastore(engine)
    try await fill(datastore)
    try await datastore.newContext().perform { context in
      let acme: Company = try #require(try context.fetchFirst())
      let before = acme.employees.count
      let count = try context.insertMany(Employee.self, from: 0..<1000) { number in
        [.init(\.$name, "N\(number)"), .init(\.$company, acme)]
      }
      #expect(count == 1000)
      #expect(acme.employees.count == before + 1000)
      let new: [Employee] = try context.fetch(where: (\.$name ^= "N"))
      #expect(Set(new.map(\.id)).count == 1000)
      #expect(new.allSatisfy { $0.age == 18 && $0.company === acme })
      #expect(throws: StoreError.self) {
        try context.insertMany(
          entityName: "Tag", properties: ["label"], [["a"], ["b"], ["a"]])
      }
      #expect(try context.count(Tag.self) == 0)
    }
  }

  @Test(arguments: TestEngine.allCases)
  func anObserverMaySaveWhenABatchChangesItsObject(engine: TestEngine) async throws {
    let datastore = try makeDatastore(engine)
    try await fill(datastore)
    let count = try await datastore.newContext().perform { context -> Int in
      let employee: Employee = try #require(try context.fetchFirst(where: \.$age == 20))
      let company: Company = try #require(try context.fetchFirst())
      let observation: PropertyObservation = employee.$phone.observe { phone in
        company.name = phone ?? "none"
        do {
          try context.saveChanges()
        } catch {
          Issue.record(error)
        }
      }
      defer { observation.cancel() }
      return try context.updateMany(
        Employee.self, where: \.$age == 20, propertiesToUpdate: [PropertyToUpdate(\.$phone, nil)])
    }
    #expect(count == 1)
    try await datastore.newContext().perform { context in
      let company: Company = try #require(try context.fetchFirst())
      #expect(company.name == "none")
    }
  }
}
