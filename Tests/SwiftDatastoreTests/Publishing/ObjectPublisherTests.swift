import DatastoreCore
import Foundation
import SwiftDatastore
import Testing

/// The news of single objects.
@MainActor
@Suite struct ObjectPublisherTests {
  private func makeEmployee(in datastore: SwiftDatastore) throws -> Employee {
    let employee: Employee = try datastore.sharedViewContext.createObject()
    employee.name = "Ann"
    try datastore.sharedViewContext.saveChanges()
    return employee
  }

  @Test func thereIsOneForAnObject() throws {
    let datastore = try TestModel.file()
    let view = datastore.sharedViewContext
    let employee = try makeEmployee(in: datastore)
    let publisher = view.publisher(of: employee)
    #expect(view.publisher(of: employee) === publisher)
    #expect(publisher.object === employee && publisher.objectID == employee.objectID)
    #expect(publisher.$name == "Ann")
    weak let gone: ObjectPublisher<DatastoreObject>? = view.publisher(for: employee.objectID)
    #expect(gone == nil, "nobody holds it")
  }

  @Test func observersAreNotifiedOnceForATurn() async throws {
    let datastore = try TestModel.file()
    let view = datastore.sharedViewContext
    let employee = try makeEmployee(in: datastore)
    await drainMainQueue()
    let publisher = view.publisher(of: employee)
    var heard: [Set<String>] = []
    let token = publisher.observe { heard.append($0.changedKeys) }
    employee.name = "Zoe"
    employee.age = 40
    employee.name = "Eve"
    view.processPendingChanges()
    #expect(heard == [["name", "age"]])
    // Assigned, and the same.
    employee.age = 41
    employee.age = 40
    view.processPendingChanges()
    try view.saveChanges()
    view.processPendingChanges()
    view.refresh(employee)
    view.processPendingChanges()
    #expect(heard.count == 1, "nothing has another content")
    token.cancel()
    employee.name = "Kim"
    view.processPendingChanges()
    #expect(heard.count == 1)
  }

  @Test func savesElsewhereComeWithTheirSource() async throws {
    let datastore = try TestModel.file()
    let employee = try makeEmployee(in: datastore)
    let id = employee.objectID
    await drainMainQueue()
    let publisher = datastore.sharedViewContext.publisher(of: employee)
    var heard: [ObjectChange<Employee>] = []
    let token = publisher.observe { heard.append($0) }
    try await datastore.write { context in
      context.transactionAuthor = "import"
      let employee: Employee = try context.object(with: id)
      employee.phone = "1"
      employee.age = 18
    }
    await drainMainQueue()
    #expect(heard.count == 1)
    #expect(heard.first?.changedKeys == ["phone"])
    #expect(heard.first?.source == .otherContext(author: "import"))
    #expect(heard.first?.snapshot?.$phone == "1")
    // Its other side changes as well.
    try await datastore.write { context in
      let job: Job = try context.createObject()
      job.title = "x"
      job.owner = try context.object(with: id)
    }
    await drainMainQueue()
    #expect(heard.last?.changedKeys == ["tasks"])
    withExtendedLifetime(token) {}
  }

  /// A row that another process has written: everything may have changed, but only real changes are reported.
  @Test func refreshesThatChangeNothingAreNotTold() async throws {
    let datastore = try TestModel.file()
    let view = datastore.sharedViewContext
    let first = try makeEmployee(in: datastore)
    let second = try makeEmployee(in: datastore)
    await drainMainQueue()
    let publishers = [view.publisher(of: first), view.publisher(of: second)]
    var heard: [String] = []
    let tokens = publishers.enumerated().map { number, publisher in
      publisher.observe { heard.append("\(number) \($0.changedKeys.sorted())") }
    }
    try view.execute(
      "UPDATE Employee SET phone = '7' WHERE _id = ?",
      arguments: [.integer(second.objectID.key.rawValue)])
    await drainMainQueue()
    #expect(heard == ["1 [\"phone\"]"])
    withExtendedLifetime(tokens) {}
  }

  @Test func deletionAndReturn() async throws {
    let datastore = try TestModel.file()
    let view = datastore.sharedViewContext
    let employee = try makeEmployee(in: datastore)
    await drainMainQueue()
    let publisher = view.publisher(of: employee)
    var heard: [String?] = []
    let token = publisher.observe { heard.append($0.snapshot?.$name) }
    view.deleteObject(employee)
    #expect(publisher.snapshot == nil && publisher.$name == nil)
    view.processPendingChanges()
    view.revertChanges()
    view.processPendingChanges()
    #expect(heard == [nil, "Ann"])
    let id = employee.objectID
    try await datastore.write { try $0.deleteObject($0.object(with: id) as Employee) }
    await drainMainQueue()
    #expect(heard == [nil, "Ann", nil])
    #expect(publisher.object == nil)
    withExtendedLifetime(token) {}
  }

  @Test func undoBringsADeletedObjectBack() throws {
    let datastore = try TestModel.file()
    let view = datastore.sharedViewContext
    let employee = try makeEmployee(in: datastore)
    view.processPendingChanges()
    view.isUndoEnabled = true
    let publisher = view.publisher(of: employee)
    var heard: [String?] = []
    let token = publisher.observe { heard.append($0.snapshot?.$name) }
    view.undoGroup { view.deleteObject(employee) }
    try view.saveChanges()
    view.processPendingChanges()
    view.undo()
    view.processPendingChanges()
    #expect(heard == [nil, "Ann"])
    withExtendedLifetime(token) {}
  }

  @Test func ownersEndObservations() throws {
    final class Owner {}
    let datastore = try TestModel.file()
    let view = datastore.sharedViewContext
    let employee = try makeEmployee(in: datastore)
    let publisher = view.publisher(of: employee)
    var heard: [String] = []
    var owner: Owner? = Owner()
    let other = Owner()
    if let owner {
      publisher.addObserver(owner) { _ in heard.append("never") }
      publisher.addObserver(owner, notifyInitial: true) { heard.append("a \($0.changedKeys)") }
    }
    publisher.addObserver(other) { _ in heard.append("b") }
    #expect(heard == ["a []"])
    employee.name = "Zoe"
    view.processPendingChanges()
    #expect(heard == ["a []", "a [\"name\"]", "b"])
    owner = nil
    employee.name = "Eve"
    view.processPendingChanges()
    #expect(heard == ["a []", "a [\"name\"]", "b", "b"])
    publisher.removeObserver(other)
    employee.name = "Kim"
    view.processPendingChanges()
    #expect(heard.count == 4)
  }

  @Test func snapshotsAsASequence() async throws {
    let datastore = try TestModel.file()
    let view = datastore.sharedViewContext
    let employee = try makeEmployee(in: datastore)
    await drainMainQueue()
    var sequence = view.publisher(of: employee).snapshots.makeAsyncIterator()
    #expect(await sequence.next()??.$name == "Ann")
    employee.name = "Zoe"
    view.processPendingChanges()
    employee.name = "Eve"
    view.processPendingChanges()
    #expect(await sequence.next()??.$name == "Eve", "one who is slow reads the last")
    view.deleteObject(employee)
    view.processPendingChanges()
    let last = try #require(await sequence.next())
    #expect(last == nil)
  }

  /// New objects may be saved under another key; their publisher follows.
  @Test func aPublisherOfANewObjectOutlivesItsSave() throws {
    let datastore = try TestModel.file()
    let view = datastore.sharedViewContext
    let employee: Employee = try view.createObject()
    employee.name = "New"
    let publisher = view.publisher(of: employee)
    try view.saveChanges()
    view.processPendingChanges()
    #expect(view.publisher(of: employee) === publisher)
    view.revertChanges()
    #expect(publisher.$name == "New")
  }
}
