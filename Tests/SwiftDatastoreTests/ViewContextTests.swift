import DatastoreCore
import Foundation
import SwiftDatastore
import Testing

@MainActor
@Suite struct ViewContextTests {
  @Test func aBackgroundSaveIsMergedByItself() async throws {
    let datastore = try TestModel.file()
    let view = datastore.sharedViewContext
    let id = try await datastore.write { context in
      let employee: Employee = try context.createObject()
      employee.name = "Tom"
      return employee.objectID
    }
    let employee: Employee = try view.object(with: id)
    let company: Company = try view.createObject()
    company.name = "A"
    #expect(company.employees.isEmpty)
    try view.saveChanges()
    let companyID = company.objectID
    var names: [String] = []
    var members: [Int] = []
    let tokens: [PropertyObservation] = [
      employee.$name.observe { names.append($0) },
      company.$employees.observe { members.append($0.count) },
    ]
    try await datastore.write { context in
      let employee: Employee = try context.object(with: id)
      employee.name = "Tim"
      employee.company = try context.object(with: companyID)
    }
    await drainMainQueue()
    #expect(employee.name == "Tim")
    #expect(employee.company === company)
    #expect(company.employees == [employee])
    #expect(names == ["Tim"])
    #expect(members == [1])
    withExtendedLifetime(tokens) {}
  }

  @Test func unsavedEditsSurviveAMerge() async throws {
    let datastore = try TestModel.file()
    let view = datastore.sharedViewContext
    let id = try await datastore.write { context in
      let employee: Employee = try context.createObject()
      employee.name = "Tom"
      return employee.objectID
    }
    let employee: Employee = try view.object(with: id)
    employee.age = 50
    try await datastore.write { context in
      let employee: Employee = try context.object(with: id)
      employee.name = "Tim"
      employee.age = 33
    }
    await drainMainQueue()
    #expect(employee.name == "Tim")
    #expect(employee.age == 50)
    #expect(throws: ConflictError.self) { try view.saveChanges() }
    view.revertChanges()
    #expect(employee.age == 33)
  }

  @Test func anObjectDeletedElsewhereReadsAsMissing() async throws {
    let datastore = try TestModel.file()
    let view = datastore.sharedViewContext
    let id = try await datastore.write { context in
      let employee: Employee = try context.createObject()
      employee.name = "Tom"
      employee.phone = "1"
      return employee.objectID
    }
    let employee: Employee = try view.object(with: id)
    #expect(employee.phone == "1")
    try await datastore.write { context in
      context.deleteObject(try context.object(with: id) as Employee)
    }
    await drainMainQueue()
    #expect(employee.isDeleted)
    #expect(employee.phone == nil)
    #expect(employee.name == "Tom")
  }

  @Test func fetchingSeesUnsavedChanges() throws {
    let datastore = try TestModel.inMemory()
    let view = datastore.sharedViewContext
    for (name, age) in [("Ann", 30), ("Bob", 20), ("Cid", 40)] {
      let employee: Employee = try view.createObject()
      employee.name = name
      employee.age = age
    }
    try view.saveChanges()
    let bob: Employee = try #require(try view.fetchFirst(where: \.$name == "Bob"))
    bob.age = 35
    let ann: Employee = try #require(try view.fetchFirst(where: \.$name == "Ann"))
    view.deleteObject(ann)
    let dora: Employee = try view.createObject()
    dora.name = "Dora"
    dora.age = 37
    let over30: [Employee] = try view.fetch(where: \.$age > 30, orderBy: [.asc(\.$age)])
    #expect(over30.map(\.name) == ["Bob", "Dora", "Cid"])
    #expect(try view.count(Employee.self, where: \.$age > 30) == 3)
    let page: [Employee] = try view.fetch(orderBy: [.desc(\.$age)], offset: 1, limit: 1)
    #expect(page.map(\.name) == ["Dora"])
  }

  @Test func stringOperatorsAndLogic() throws {
    let datastore = try TestModel.inMemory()
    let view = datastore.sharedViewContext
    for name in ["Tom", "Tomoko", "Anton", "Ömer"] {
      let employee: Employee = try view.createObject()
      employee.name = name
      employee.position = name == "Anton" ? .developer : nil
    }
    try view.saveChanges()
    func names(_ condition: Where<Employee>) throws -> [String] {
      try view.fetch(where: condition, orderBy: [.asc(\.$name)]).map(\.name)
    }
    #expect(try names(\.$name ?= "om") == ["Tom", "Tomoko"])
    #expect(try names((\.$name ^= "Tom") && \.$name != "Tom") == ["Tomoko"])
    #expect(try names((\.$name |= "n") || \.$name == "Ömer") == ["Anton", "Ömer"])
    #expect(try names(\.$position == .developer) == ["Anton"])
    #expect(try names(!(\.$position == .developer)).count == 3)
    #expect(try names(\.$position != .developer).count == 3)
    #expect(try names(\.$position == nil).count == 3)
  }

  @Test func relationshipsCanBeCompared() throws {
    let datastore = try TestModel.inMemory()
    let view = datastore.sharedViewContext
    let company: Company = try view.createObject()
    company.name = "A"
    for name in ["x", "y"] {
      let employee: Employee = try view.createObject()
      employee.name = name
      if name == "x" { employee.company = company }
    }
    let unsaved: [Employee] = try view.fetch(where: \.$company == company)
    #expect(unsaved.map(\.name) == ["x"])
    try view.saveChanges()
    let saved: [Employee] = try view.fetch(where: \.$company == nil)
    #expect(saved.map(\.name) == ["y"])
  }
}
