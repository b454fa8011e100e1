import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

// Promise: an object is edited when someone else has deleted it, and that is known → a conflict at the
// save, per merge policy; nothing traps, no other row that has its key by now is written.
// Also: `AppliedListTests` (random, with edits of such objects)
/// Editing an object when it is known already that someone else has deleted it: the same conflict as where
/// the edit came first.
@MainActor
@Suite("Editing what someone else has deleted")
struct EditedAfterDeletionTests {
  enum Deleter: CaseIterable {
    case context, batch, process
  }

  private let datastore: SwiftDatastore
  private let program: SQLiteProgram
  private var view: SwiftDatastoreViewContext { datastore.sharedViewContext }

  init() async throws {
    datastore = try TestModel.file()
    program = try SQLiteProgram(#require(datastore.url))
    try await datastore.write { context in
      let company: Company = try context.createObject()
      company.name = "Acme"
      let tag: Tag = try context.createObject()
      tag.label = "big"
      company.tags = [tag]
      for number in 0..<3 {
        let employee: Employee = try context.createObject()
        employee.name = "e\(number)"
        employee.phone = "1"
        employee.company = company
        let job: Job = try context.createObject()
        job.title = "job of \(number)"
        employee.tasks = [job]
      }
    }
    await drainMainQueue()
  }

  /// An object that someone else has deleted, which the view context knows.
  private func deleted(_ name: String = "e0", by deleter: Deleter = .context) async throws
    -> Employee
  {
    let employee: Employee = try #require(try view.fetchFirst(where: \.$name == name))
    let condition = \Employee.$name == name
    switch deleter {
    case .context:
      try await datastore.newContext().perform { context in
        context.deleteObject(try #require(try context.fetchFirst(where: condition)))
        try context.saveChanges()
      }
    case .batch:
      try await datastore.newContext().perform { _ = try $0.deleteMany(where: condition) }
    case .process:
      let answer = program.run(
        "PRAGMA foreign_keys = ON; DELETE FROM Job; DELETE FROM Employee WHERE name = '\(name)'")
      #expect(answer == [])
      #expect(try datastore.checkForExternalChanges())
    }
    await drainMainQueue()
    #expect(employee.isDeleted && employee.name == name)
    return employee
  }

  private func conflicts() throws -> [Conflict] {
    try #require(throws: ConflictError.self) { try view.saveChanges() }.conflicts
  }

  @discardableResult
  private func stored(_ sql: String) -> [String] { program.run(sql) }

  @Test("An assignment is staged, and the save tells the conflict", arguments: Deleter.allCases)
  func assignment(deleter: Deleter) async throws {
    let employee = try await deleted(by: deleter)
    employee.age = 40
    employee.phone = "2"
    #expect(!employee.isDeleted && employee.age == 40 && employee.name == "e0")
    #expect(view.updatedObjects == [employee] && view.deletedObjects.isEmpty)
    for _ in 0..<2 {
      let conflicts = try conflicts()
      #expect(conflicts.map(\.key) == [employee.key] && conflicts.allSatisfy(\.isDeleted))
    }
    view.revertChanges()
    #expect(employee.isDeleted && employee.age == 18 && !view.hasChanges)
    #expect(view.core.graph.brokenInvariants() == [])
    // And once more.
    employee.age = 41
    #expect(try conflicts().count == 1)
    view.revertChanges()
    #expect(stored("SELECT count(*) FROM Employee") == ["2"])
  }

  @Test("The merge policy settles it as it does every deletion", arguments: MergePolicy.allCases)
  func policies(policy: MergePolicy) async throws {
    let employee = try await deleted()
    view.mergePolicy = policy
    employee.age = 40
    let isThrown = policy == .error
    if isThrown { _ = try conflicts() } else { try view.saveChanges() }
    let isKept = policy == .objectTrump || policy == .overwrite
    #expect(stored("SELECT age FROM Employee WHERE name = 'e0'") == (isKept ? ["40"] : []))
    #expect(employee.isDeleted == !(isKept || isThrown) && view.hasChanges == isThrown)
    view.revertChanges()
    #expect(view.core.graph.brokenInvariants() == [])
  }

  @Test("What is assigned the value that it had is no edit")
  func equalValue() async throws {
    let employee = try await deleted()
    employee.age = 18
    #expect(employee.isDeleted && !view.hasChanges)
    employee.age = 19
    employee.age = 18
    await drainMainQueue()
    #expect(employee.isDeleted && !view.hasChanges)
    try view.saveChanges()
  }

  enum Edit: CaseIterable {
    case toOne, leaveToOne, oneToOne, member, members, removedMember, ordered, manager
  }

  @Test("Relationships of it are a conflict", arguments: Edit.allCases)
  func relationships(edit: Edit) async throws {
    let company: Company = try #require(try view.fetchFirst())
    let others: [Employee] = try view.fetch(where: \.$name != "e0", orderBy: [.asc(\.$name)])
    _ = company.employees.map(\.tasks)
    let employee = try await deleted()
    let desk: Desk = try view.createObject()
    let job: Job = try view.createObject()
    job.title = "new"
    switch edit {
    case .toOne:
      let other: Company = try view.createObject()
      other.name = "B"
      employee.company = other
    case .leaveToOne: employee.company = nil
    case .oneToOne: desk.employee = employee
    case .member: company.$employees.insert(employee)
    case .members: company.employees = Set(others + [employee])
    case .removedMember: employee.$tasks.insert(job)
    case .ordered: employee.tasks.append(job)
    case .manager: employee.manager = others[0]
    }
    #expect(throws: (any Error).self) { try view.saveChanges() }
    let told = errorOfSave()
    switch edit {
    case .removedMember, .ordered: #expect(told.contains("does not exist"), "\(told)")
    default:
      #expect(told.contains("Employee \(employee.key) was deleted by someone else"), "\(told)")
    }
    view.revertChanges()
    #expect(employee.isDeleted && view.core.graph.brokenInvariants() == [])
    #expect(company.employees == Set(others))
    #expect(stored("SELECT count(*) FROM Employee; SELECT count(*) FROM Job") == ["2", "2"])
  }

  private func errorOfSave() -> String {
    do {
      try view.saveChanges()
      return "saved"
    } catch {
      return "\(error)"
    }
  }

  @Test("What comes to lead to it cannot be saved")
  func leadingThere() async throws {
    let other: Employee = try #require(try view.fetchFirst(where: \.$name == "e1"))
    let employee = try await deleted()
    other.manager = employee
    #expect(errorOfSave().contains("does not exist"))
    view.revertChanges()
    let company: Company = try #require(try view.fetchFirst())
    try await datastore.newContext().perform { context in
      for employee: Employee in try context.fetch() { employee.company = nil }
      context.deleteObject(try #require(try context.fetchFirst() as Company?))
      try context.saveChanges()
    }
    await drainMainQueue()
    let tag: Tag = try view.createObject()
    tag.label = "new"
    company.$tags.insert(tag)
    #expect(company.isDeleted)
    #expect(errorOfSave().contains("does not exist"), "a pair of a join table")
    view.revertChanges()
    tag.companies = []
    #expect(company.isDeleted && view.core.graph.brokenInvariants() == [])
    other.company = company
    #expect(errorOfSave().contains("does not exist"))
    view.revertChanges()
    #expect(other.company == nil && company.name == "Acme")
    try view.saveChanges()
  }

  @Test("Undoing the edit lets the object go again, and redoing it stages it")
  func undo() async throws {
    view.isUndoEnabled = true
    let employee = try await deleted()
    employee.age = 40
    view.processPendingChanges()
    view.undo()
    #expect(employee.isDeleted && !view.hasChanges)
    await drainMainQueue()
    #expect(employee.isDeleted && employee.age == 18)
    view.redo()
    #expect(!employee.isDeleted && employee.age == 40)
    #expect(try conflicts().count == 1)
    view.undo()
    await drainMainQueue()
    #expect(employee.isDeleted && view.core.graph.brokenInvariants() == [])
    try view.saveChanges()
  }

  @Test("Deleting it again is nothing")
  func deletion() async throws {
    let employee = try await deleted()
    view.deleteObject(employee)
    #expect(!view.hasChanges)
    try view.saveChanges()
    employee.age = 40
    view.deleteObject(employee)
    try view.saveChanges()
    #expect(employee.isDeleted && stored("SELECT count(*) FROM Employee") == ["2"])
  }

  @Test("Lists have it for as long as the edit is staged")
  func lists() async throws {
    let controller = FetchedObjectsController<Employee>(
      viewContext: view, orderBy: [.asc(\.$age), .asc(\.$name)])
    try await controller.performFetch()
    func names() -> [String] {
      (0..<controller.numberOfFetchedObjects).compactMap { controller.object(at: $0)?.name }
    }
    let employee = try await deleted()
    #expect(names() == ["e1", "e2"])
    employee.age = 40
    await drainMainQueue()
    #expect(names() == ["e1", "e2", "e0"])
    #expect(try view.fetch(where: \Employee.$age == 40) == [employee])
    view.revertChanges()
    await drainMainQueue()
    #expect(names() == ["e1", "e2"])
  }

  @Test("Another row that has its key by now is not written")
  func keyUsedAgain() async throws {
    let employee = try await deleted(by: .process)
    let key = employee.key.rawValue
    stored(
      "INSERT INTO Employee (_id, id, name, salary, age) VALUES (\(key), randomblob(16), 'new', 0, 18)"
    )
    try datastore.checkForExternalChanges()
    await drainMainQueue()
    let new: Employee = try #require(try view.fetchFirst(where: \.$name == "new"))
    #expect(new.key.rawValue == key)
    employee.age = 40
    #expect(new.age == 18 && new !== employee)
    #expect(try conflicts().count == 1)
    view.mergePolicy = .objectTrump
    try view.saveChanges()
    #expect(
      stored("SELECT name, age FROM Employee WHERE age = 40 OR _id = \(key) ORDER BY name")
        == ["e0|40", "new|18"])
  }

  @Test("A child context finds out by the first read, and tells the conflict to its parent's saver")
  func children() async throws {
    let parent = datastore.newContext()
    let child = parent.createNewChildContext()
    let id = try #require(try view.fetchFirst(where: \Employee.$name == "e0")?.objectID)
    try await child.perform { [datastore] context in
      let employee: Employee = try context.object(with: id)
      #expect(employee.phone == "1")
      try datastore.writeInBetween { other in
        other.deleteObject(try other.object(with: id) as Employee)
      }
      context.refresh(employee)
      #expect(employee.phone == nil, "the first read")
      #expect(employee.phone == nil && employee.name == "e0" && employee.isDeleted)
      employee.phone = "2"
      #expect(throws: ConflictError.self) { try context.saveChanges() }
      context.revertChanges()
      #expect(employee.isDeleted)
    }
  }
}

extension SwiftDatastore {
  /// Saves in another context, and waits.
  fileprivate func writeInBetween(
    _ body: (SwiftDatastoreLocalContext) throws -> Void
  ) throws {
    let context = newLocalContext()
    try body(context)
    try context.saveChanges()
  }
}
