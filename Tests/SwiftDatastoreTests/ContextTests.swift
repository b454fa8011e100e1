import DatastoreCore
import Foundation
import SwiftDatastore
import Testing

@Suite struct ContextTests {
  @Test func savedObjectsAreThereInANewContext() async throws {
    let datastore = try TestModel.file()
    let context = datastore.newContext()
    let date = Date(timeIntervalSinceReferenceDate: 123_456.789)
    let id = try await context.perform { context in
      let employee: Employee = try context.createObject()
      employee.name = "Zoë"
      employee.salary = 4200.5
      employee.position = .designer
      employee.hiredAt = date
      let company: Company = try context.createObject()
      company.name = "Åkerlund"
      employee.company = company
      let saved = try context.saveChanges()
      #expect(saved.insertedCount == 2)
      #expect(!context.hasChanges)
      return employee.objectID
    }
    try await datastore.newContext().perform { context in
      let employee: Employee = try context.object(with: id)
      #expect(employee.name == "Zoë")
      #expect(employee.salary == 4200.5)
      #expect(employee.age == 18)
      #expect(employee.phone == nil)
      #expect(employee.position == .designer)
      #expect(employee.hiredAt == date)
      #expect(employee.company?.name == "Åkerlund")
      #expect(employee.company?.employees == [employee])
      let again: Employee? = try context.fetchFirst(where: \.$name == "Zoë")
      #expect(again === employee)
    }
  }

  @Test func eachNewObjectHasItsOwnInitialValue() async throws {
    let datastore = try TestModel.inMemory()
    try await datastore.newContext().perform { context in
      let first: Employee = try context.createObject()
      let second: Employee = try context.createObject()
      #expect(first.id != second.id)
    }
  }

  @Test func revertTakesBackEverything() async throws {
    let datastore = try TestModel.inMemory()
    try await datastore.newContext().perform { context in
      let company: Company = try context.createObject()
      company.name = "A"
      let employee: Employee = try context.createObject()
      employee.name = "Tom"
      employee.salary = 3000
      company.employees = [employee]
      try context.saveChanges()

      employee.salary = 4000
      employee.company = nil
      let other: Employee = try context.createObject()
      other.name = "Eve"
      company.employees.insert(other)
      #expect(context.hasChanges)
      context.revertChanges()

      #expect(!context.hasChanges)
      #expect(employee.salary == 3000)
      #expect(employee.company === company)
      #expect(company.employees == [employee])
      #expect(other.isDeleted)
      #expect(try context.count(Employee.self) == 1)
      #expect(context.core.graph.brokenInvariants() == [])
    }
  }

  @Test func deletedObjectsReturnWithRevert() async throws {
    let datastore = try TestModel.inMemory()
    try await datastore.newContext().perform { context in
      let company: Company = try context.createObject()
      company.name = "A"
      let employee: Employee = try context.createObject()
      employee.name = "Tom"
      employee.company = company
      try context.saveChanges()
      context.deleteObject(company)
      #expect(company.willBeDeleted)
      #expect(employee.willBeDeleted, "employees are deleted with their company")
      #expect(try context.count(Employee.self) == 0)
      context.revertChanges()
      #expect(!company.isDeleted)
      #expect(employee.company === company)
      #expect(company.employees == [employee])
    }
  }

  @Test func denyKeepsAnOwnerFromBeingDeleted() async throws {
    let datastore = try TestModel.inMemory()
    try await datastore.newContext().perform { context in
      let company: Company = try context.createObject()
      company.name = "A"
      let contract: Contract = try context.createObject()
      contract.title = "Lease"
      contract.company = company
      try context.saveChanges()
      context.deleteObject(company)
      #expect {
        try context.saveChanges()
      } throws: { error in
        "\(error)".contains(
          "Company \(company.key) cannot be deleted while contracts leads to an object.")
      }
      context.deleteObject(contract)
      try context.saveChanges()
      #expect(try context.count(Company.self) == 0)
    }
  }

  @Test func missingValuesAreListedAllAtOnceAndNothingIsSaved() async throws {
    let datastore = try TestModel.inMemory()
    try await datastore.newContext().perform { context in
      let employee: Employee = try context.createObject()
      let company: Company = try context.createObject()
      do {
        try context.saveChanges()
        Issue.record("an employee without a name was saved")
      } catch let error as ValidationError {
        #expect(
          Set(error.faults.map { "\($0.entity).\($0.property)" }) == [
            "Employee.name", "Company.name",
          ])
      }
      employee.name = "Tom"
      company.name = "A"
      try context.saveChanges()
      #expect(try context.count(Employee.self) == 1)
    }
  }

  @Test func writeDiscardsEverythingWhenTheClosureThrows() async throws {
    struct Refusal: Error {}
    let datastore = try TestModel.inMemory()
    await #expect(throws: Refusal.self) {
      try await datastore.write { context in
        let company: Company = try context.createObject()
        company.name = "A"
        throw Refusal()
      }
    }
    let count = try await datastore.write { context in
      let company: Company = try context.createObject()
      company.name = "B"
      return try context.count(Company.self)
    }
    #expect(count == 1)
    #expect(try await datastore.newContext().perform { try $0.count(Company.self) } == 1)
  }

  @Test func twoContextsThatChangeOnePropertyConflict() async throws {
    let datastore = try TestModel.file()
    let first = datastore.newContext()
    let second = datastore.newContext()
    let id = try await first.perform { context in
      let company: Company = try context.createObject()
      company.name = "original"
      try context.saveChanges()
      return company.objectID
    }
    // first          second
    // reads, edits
    //                reads, edits, saves
    // saves: conflict
    try await first.perform { context in
      let company: Company = try context.object(with: id)
      company.name = "mine"
    }
    try await second.perform { context in
      let company: Company = try context.object(with: id)
      company.name = "theirs"
      try context.saveChanges()
    }
    try await first.perform { context in
      do {
        try context.saveChanges()
        Issue.record("the second save overwrote the first")
      } catch let error as ConflictError {
        let property = try #require(error.conflicts.first?.properties.first)
        #expect(property.name == "name")
        #expect(property.original == "original")
        #expect(property.mine == "mine")
        #expect(property.theirs == "theirs")
      }
      #expect(context.hasChanges, "a refused edit stays staged")
      context.revertChanges()
      let company: Company = try context.object(with: id)
      #expect(company.name == "theirs")
    }
  }

  @Test func editsOfDifferentPropertiesDoNotConflict() async throws {
    let datastore = try TestModel.file()
    let first = datastore.newContext()
    let second = datastore.newContext()
    let id = try await first.perform { context in
      let employee: Employee = try context.createObject()
      employee.name = "Tom"
      try context.saveChanges()
      return employee.objectID
    }
    try await first.perform { context in
      let employee: Employee = try context.object(with: id)
      employee.age = 40
    }
    try await second.perform { context in
      let employee: Employee = try context.object(with: id)
      employee.phone = "123"
      try context.saveChanges()
    }
    try await first.perform { context in
      try context.saveChanges()
      let employee: Employee = try context.object(with: id)
      #expect(employee.age == 40)
      #expect(employee.phone == "123")
    }
    try await datastore.newContext().perform { context in
      let employee: Employee = try context.object(with: id)
      #expect(employee.age == 40)
      #expect(employee.phone == "123")
    }
  }

  @Test func callbackFormRunsSuccessOrFailureWithoutSaving() async throws {
    struct Refusal: Error {}
    let datastore = try TestModel.inMemory()
    let context = datastore.newContext()
    await withCheckedContinuation { continuation in
      context.perform { context in
        let company: Company = try context.createObject()
        company.name = "A"
        throw Refusal()
      } success: {
        Issue.record("a block that threw succeeded")
      } failure: { error in
        #expect(error is Refusal)
        continuation.resume()
      }
    }
    let isStaged = try await context.perform { $0.hasChanges }
    #expect(isStaged, "what a failing block staged stays staged")
  }

  @Test func uniqueValuesAreKeptUnique() async throws {
    let datastore = try TestModel.inMemory()
    try await datastore.newContext().perform { context in
      for _ in 0..<2 {
        let tag: Tag = try context.createObject()
        tag.label = "same"
      }
      #expect {
        try context.saveChanges()
      } throws: { error in
        "\(error)".contains("Tag") && "\(error)".contains("label")
      }
      #expect(context.hasChanges)
    }
  }
}

extension ContextTests {
  @Test func aContextKeepsItsStoreOpenAndAClosedStoreSaysSo() async throws {
    let context = try TestModel.file().newContext()
    try await context.perform { context in
      let company: Company = try context.createObject()
      company.name = "A"
      try context.saveChanges()
      #expect(try context.count(Company.self) == 1)
    }
    for datastore in [try TestModel.file(), try TestModel.inMemory()] {
      let context = datastore.newContext()
      try datastore.close()
      await #expect(throws: StoreError.self) {
        try await context.perform { try $0.count(Company.self) }
      }
    }
  }
}
