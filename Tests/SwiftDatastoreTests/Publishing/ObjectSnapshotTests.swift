import DatastoreCore
import Foundation
import SwiftDatastore
import Testing

/// Objects as values.
@MainActor
@Suite struct ObjectSnapshotTests {
  private func makeEmployee(in datastore: SwiftDatastore) throws -> Employee {
    let view = datastore.sharedViewContext
    let employee: Employee = try view.createObject()
    employee.name = "Ann"
    employee.salary = 4_200
    employee.position = .designer
    employee.company = try view.createObject()
    employee.company?.name = "Acme"
    for title in ["b", "a"] {
      let job: Job = try view.createObject()
      job.title = title
      employee.tasks.append(job)
    }
    try view.saveChanges()
    return employee
  }

  @Test func whatIsInASnapshot() throws {
    let datastore = try TestModel.file()
    let employee = try makeEmployee(in: datastore)
    let snapshot = try #require(ObjectSnapshot(of: employee, including: \.$tasks))
    #expect(snapshot.$name == "Ann" && snapshot.$salary == 4_200)
    #expect(snapshot.$phone == nil && snapshot.$position == .designer)
    #expect(snapshot.$company == employee.company?.objectID)
    #expect(snapshot.$manager == nil)
    #expect(snapshot.$tasks == employee.tasks.map(\.objectID))
    #expect(snapshot.$reports == nil, "it was not asked for")
    #expect(snapshot["name"] == .text("Ann") && snapshot["tasks"] == nil && snapshot["x"] == nil)
    #expect(snapshot.values.count == 10)
    #expect(snapshot.objectID == employee.objectID)
    #expect(try snapshot.asObject(in: datastore.sharedViewContext) === employee)
  }

  // Promise: an object changes, is saved elsewhere or deleted after a snapshot was taken → the snapshot has
  // what it had; it is read by any task.
  // Also: `ObjectSnapshotTests.aSnapshotIsReadByAnyTask`
  @Test func aSnapshotKeepsWhatItHasSeen() async throws {
    let datastore = try TestModel.file()
    let employee = try makeEmployee(in: datastore)
    employee.name = "staged"
    let staged = try #require(ObjectSnapshot(of: employee))
    employee.name = "later"
    let later = try #require(ObjectSnapshot(of: employee))
    try datastore.sharedViewContext.saveChanges()
    try await datastore.write { context in
      let there: Employee = try context.object(with: staged.objectID)
      there.name = "elsewhere"
    }
    await drainMainQueue()
    #expect(employee.name == "elsewhere")
    #expect(staged.$name == "staged" && later.$name == "later")
    datastore.sharedViewContext.deleteObject(employee)
    try datastore.sharedViewContext.saveChanges()
    #expect(ObjectSnapshot(of: employee) == nil)
    #expect(staged.$name == "staged")
  }

  // Promise: an object is saved or read again with the same content → snapshots are equal, observers of
  // publishers are not called.
  // Also: `ObjectPublisherTests.refreshesThatChangeNothingAreNotTold`
  @Test func equalityIsByContent() throws {
    let datastore = try TestModel.file()
    let view = datastore.sharedViewContext
    let employee = try makeEmployee(in: datastore)
    let first = try #require(ObjectSnapshot(of: employee))
    employee.name = "Zoe"
    let second = try #require(ObjectSnapshot(of: employee))
    #expect(first != second && second.changedKeys(since: first) == ["name"])
    try view.saveChanges()
    let third = try #require(ObjectSnapshot(of: employee))
    #expect(second == third, "saved, with the same content")
    view.refresh(employee)
    #expect(ObjectSnapshot(of: employee) == third, "read again, with the same content")
    employee.name = "Ann"
    #expect(ObjectSnapshot(of: employee) == first)
    #expect(Set([first, second, third]).count == 2)
    let with = try #require(ObjectSnapshot(of: employee, including: \.$tasks))
    employee.tasks.reverse()
    let reordered = try #require(ObjectSnapshot(of: employee, including: \.$tasks))
    #expect(reordered.changedKeys(since: with) == ["tasks"])
    #expect(with != reordered)
  }

  // Promise: an edited snapshot is assigned after someone else has changed the object → only what was set
  // in it is staged.
  @Test func onlyWhatWasSetInACopyIsStaged() throws {
    let datastore = try TestModel.file()
    let view = datastore.sharedViewContext
    let employee = try makeEmployee(in: datastore)
    let snapshot = try #require(ObjectSnapshot(of: employee))
    var draft = snapshot
    #expect(!draft.hasEdits)
    draft.$salary += 100
    draft.$phone = "12"
    draft.$company = nil
    #expect(draft.hasEdits && draft != snapshot)
    employee.name = "Zoe"
    draft.assign(to: employee)
    #expect(employee.salary == 4_300 && employee.phone == "12" && employee.company == nil)
    #expect(employee.name == "Zoe")
    let companies: [Company] = try view.fetch()
    #expect(companies[0].employees.isEmpty, "the other side follows")
    #expect(snapshot.$salary == 4_200)
  }

  @Test func newObjectsAndObjectsWithoutAClass() throws {
    let datastore = try TestModel.file()
    let employee: Employee = try datastore.sharedViewContext.createObject()
    employee.name = "New"
    let snapshot = try #require(ObjectSnapshot(of: employee, including: \.$reports))
    #expect(snapshot.$age == 18 && snapshot.$name == "New" && snapshot.$reports == [])
    datastore.sharedViewContext.revertChanges()
    #expect(ObjectSnapshot(of: employee) == nil)
  }

  /// Another task reads it while the object changes.
  @Test func aSnapshotIsReadByAnyTask() async throws {
    let datastore = try TestModel.file()
    let employee = try makeEmployee(in: datastore)
    let snapshot = try #require(ObjectSnapshot(of: employee))
    let names = await Task.detached { (0..<1_000).map { _ in snapshot.$name } }.value
    employee.name = "Zoe"
    #expect(Set(names) == ["Ann"])
  }
}
