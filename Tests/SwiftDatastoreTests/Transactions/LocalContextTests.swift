import DatastoreCore
import SwiftDatastore
import Testing

/// Contexts without a queue.
@Suite("Local contexts")
struct LocalContextTests {
  private let datastore: SwiftDatastore

  init() throws { datastore = try TestModel.file() }

  private func names() throws -> [String] {
    let context = datastore.newLocalContext()
    let companies: [Company] = try context.fetch(orderBy: [.asc(\.$name)])
    return companies.map(\.name)
  }

  @Test("What is staged is saved any number of times, and undone where that is asked for")
  func saving() throws {
    let context = datastore.newLocalContext()
    context.isUndoEnabled = true
    let company: Company = try context.createObject()
    company.name = "A"
    #expect(try names() == [])
    #expect(try context.saveChanges().insertedCount == 1)
    #expect(try names() == ["A"])
    context.undoGroup { company.name = "B" }
    context.undo()
    #expect(company.name == "A" && !context.hasChanges)
    context.redo()
    try context.saveChanges()
    #expect(try names() == ["B"])
  }

  @Test("A child saves one level up")
  func children() throws {
    let context = datastore.newLocalContext()
    let company: Company = try context.createObject()
    company.name = "A"
    let child = context.createNewChildContext()
    let grandchild = child.createNewChildContext()
    let found: Company = try grandchild.object(with: company.objectID)
    found.name = "B"
    let other: Company = try grandchild.createObject()
    other.name = "C"
    try grandchild.saveChanges()
    #expect(company.name == "A")
    #expect(try child.count(Company.self) == 2)
    try child.saveChanges()
    #expect(company.name == "B")
    #expect(try names() == [])
    try context.saveChanges()
    #expect(try names() == ["B", "C"])
  }

  @Test("What others have saved is not merged, and is a conflict where both have changed it")
  func conflicts() throws {
    let first = datastore.newLocalContext()
    let company: Company = try first.createObject()
    company.name = "A"
    try first.saveChanges()
    let second = datastore.newLocalContext()
    let same: Company = try second.object(with: company.objectID)
    same.name = "B"
    try second.saveChanges()
    #expect(company.name == "A")
    company.name = "C"
    #expect(throws: ConflictError.self) { try first.saveChanges() }
    first.refresh(company)
    #expect(company.name == "B")
    company.name = "C"
    try first.saveChanges()
    #expect(try names() == ["C"])
  }

  @Test("Staged objects are told by class, with those of classes that inherit from it")
  func staged() throws {
    let context = datastore.newLocalContext()
    let company: Company = try context.createObject()
    company.name = "A"
    let employee: Employee = try context.createObject()
    employee.name = "Ann"
    #expect(context.insertedObjects(Company.self) == [company])
    #expect(context.insertedObjects(Employee.self) == [employee])
    #expect(context.insertedObjects(DatastoreObject.self).count == 2)
    try context.saveChanges()
    #expect(context.insertedObjects(Company.self).isEmpty)
    employee.age = 3
    context.deleteObject(company)
    #expect(context.updatedObjects(Employee.self) == [employee])
    #expect(context.updatedObjects(Company.self).isEmpty)
    #expect(context.deletedObjects(Company.self) == [company])
    #expect(context.deletedObjects(Job.self).isEmpty)
  }

  @Test("Everything is read again where that is asked for, and what is staged stays")
  func refreshingAll() throws {
    let context = datastore.newLocalContext()
    for name in ["A", "B"] { (try context.createObject() as Company).name = name }
    try context.saveChanges()
    let companies: [Company] = try context.fetch(orderBy: [.asc(\.$name)])
    let other = datastore.newLocalContext()
    for company: Company in try other.fetch() { company.name += "!" }
    try other.saveChanges()
    companies[1].name = "C"
    #expect(companies.map(\.name) == ["A", "C"])
    context.refreshAllObjects()
    #expect(companies.map(\.name) == ["A!", "C"] && context.updatedObjects.count == 1)
    context.userInfo["import"] = 7
    #expect(context.userInfo["import"] as? Int == 7 && other.userInfo["import"] == nil)
  }
}
