import Foundation
import SwiftDatastore
import Testing

@Suite struct MergePolicyTests {
  /// Mine changes name and age, theirs changes name and phone; returns the stored values after mine is saved.
  private func settled(_ policy: MergePolicy) async throws -> [String] {
    let datastore = try TestModel.file()
    let mine = datastore.newContext()
    let id = try await mine.perform { context in
      let employee: Employee = try context.createObject()
      employee.name = "original"
      employee.age = 20
      employee.phone = "0"
      try context.saveChanges()
      context.mergePolicy = policy
      employee.name = "mine"
      employee.age = 30
      return employee.objectID
    }
    try await datastore.write { context in
      let employee: Employee = try context.object(with: id)
      employee.name = "theirs"
      employee.phone = "1"
    }
    try await mine.perform { context in
      try context.saveChanges()
      #expect(!context.hasChanges)
    }
    return try await datastore.newContext().perform { context in
      let employee: Employee = try context.object(with: id)
      return [employee.name, "\(employee.age)", employee.phone ?? "-"]
    }
  }

  @Test func theStoreWins() async throws {
    #expect(try await settled(.storeTrump) == ["theirs", "30", "1"])
  }

  @Test func theObjectWins() async throws {
    #expect(try await settled(.objectTrump) == ["mine", "30", "1"])
  }

  @Test func theWholeObjectIsWritten() async throws {
    #expect(try await settled(.overwrite)[0...1] == ["mine", "30"])
  }

  @Test func theEditsAreDropped() async throws {
    #expect(try await settled(.rollback) == ["theirs", "20", "1"])
  }

  @Test(arguments: [MergePolicy.storeTrump, .objectTrump])
  func aRowDeletedUnderneathStaysOrComesBack(policy: MergePolicy) async throws {
    let datastore = try TestModel.file()
    let mine = datastore.newContext()
    let id = try await mine.perform { context in
      let company: Company = try context.createObject()
      company.name = "original"
      try context.saveChanges()
      context.mergePolicy = policy
      company.name = "mine"
      return company.objectID
    }
    try await datastore.write { context in
      context.deleteObject(try context.object(with: id) as Company)
    }
    try await mine.perform { _ = try $0.saveChanges() }
    let names = try await datastore.newContext().perform { context in
      (try context.fetch() as [Company]).map(\.name)
    }
    #expect(names == (policy == .storeTrump ? [] : ["mine"]))
  }

  @Test func refreshTakesTheStoreAndForgetsEdits() async throws {
    let datastore = try TestModel.file()
    let other = datastore.newContext()
    let mine = datastore.newContext()
    let id = try await datastore.write { context in
      let employee: Employee = try context.createObject()
      employee.name = "Tom"
      employee.salary = 3000
      return employee.objectID
    }
    try await mine.perform { context in
      let employee: Employee = try context.object(with: id)
      employee.salary = 4444
    }
    let saved = try await other.perform { context in
      let employee: Employee = try context.object(with: id)
      employee.salary = 8888
      return try context.saveChanges()
    }
    try await mine.perform { context in
      context.refresh(using: saved)
      let employee: Employee = try context.object(with: id)
      #expect(employee.salary == 8888)
      #expect(!context.hasChanges)
    }
  }
}
