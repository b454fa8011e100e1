import Foundation
import GRDB
import SwiftDatastore
import Testing

/// Every notification of a change names its author.
@MainActor
@Suite("The change source tag")
struct ChangeSourceTests {
  /// The notifications of an observer in a background context.
  ///
  /// Unchecked: touched on the queue of that context only.
  private final class Log: @unchecked Sendable {
    var sources: [ChangeSource] = []
    var token: PropertyObservation?
  }

  private let importing = ChangeSource.otherContext(author: "import")

  private func makeEmployee(_ datastore: SwiftDatastore) async throws -> DatastoreObjectID {
    let id = try await datastore.write { context in
      let employee: Employee = try context.createObject()
      employee.name = "Tom"
      return employee.objectID
    }
    await drainMainQueue()
    return id
  }

  private func importer(_ datastore: SwiftDatastore) async throws -> SwiftDatastoreContext {
    let context = datastore.newContext()
    try await context.perform { $0.transactionAuthor = "import" }
    return context
  }

  private nonisolated static func setAge(
    _ age: Int, of id: DatastoreObjectID, in context: SwiftDatastoreContext
  ) async throws -> String? {
    try await context.perform { context in
      (try context.object(with: id) as Employee).age = age
      return try context.saveChanges().transactionAuthor
    }
  }

  @Test("Observers of objects and properties hear it, in the view context and in others")
  func observers() async throws {
    let datastore = try TestModel.file()
    let view = datastore.sharedViewContext
    let id = try await makeEmployee(datastore)
    let employee: Employee = try view.object(with: id)
    var heard: [ChangeSource] = []
    let token: PropertyObservation = employee.$age.observe { _ in heard.append(view.changeSource) }
    employee.age = 20
    try view.saveChanges()
    let background = datastore.newContext()
    let log = Log()
    try await background.perform { context in
      let employee: Employee = try context.object(with: id)
      log.token = employee.observeChanges { [unowned context] _ in
        log.sources.append(context.changeSource)
      }
    }
    let author = try await Self.setAge(40, of: id, in: importer(datastore))
    #expect(author == "import")
    await drainMainQueue()
    #expect(employee.age == 40 && heard == [.thisContext, importing])
    #expect(view.changeSource == .thisContext, "only while a change is told")
    let inBackground = try await background.perform { _ in
      log.token = nil
      return log.sources
    }
    #expect(inBackground == [importing])
    withExtendedLifetime(token) {}
  }

  @Test("A parent hears it of its child, and the view context of the parent")
  func children() async throws {
    let datastore = try TestModel.file()
    let view = datastore.sharedViewContext
    let id = try await makeEmployee(datastore)
    let employee: Employee = try view.object(with: id)
    let parent = datastore.newContext()
    let log = Log()
    try await parent.perform { context in
      context.transactionAuthor = "parent"
      log.token = (try context.object(with: id) as Employee).$age.observe { [unowned context] _ in
        log.sources.append(context.changeSource)
      }
    }
    let child = parent.createNewChildContext()
    try await child.perform { $0.transactionAuthor = "child" }
    #expect(try await Self.setAge(5, of: id, in: child) == "child")
    var heard: [ChangeSource] = []
    let token: PropertyObservation = employee.$age.observe { _ in heard.append(view.changeSource) }
    let inParent = try await parent.perform { context in
      try context.saveChanges()
      log.token = nil
      return log.sources
    }
    #expect(inParent == [.otherContext(author: "child")])
    await drainMainQueue()
    #expect(heard == [.otherContext(author: "parent")])
    withExtendedLifetime(token) {}
  }

  @Test("The view context tells each save apart, what is staged in it too")
  func contextChanges() async throws {
    let datastore = try TestModel.file()
    let view = datastore.sharedViewContext
    let id = try await makeEmployee(datastore)
    let employee: Employee = try view.object(with: id)
    var heard: [ContextChanges] = []
    let token: ObserverToken = view.observeObjectChanges { heard.append($0) }
    let context = try await importer(datastore)
    // Its merge is in the main queue when something is staged here, and is distinguished from that.
    whileMainWaits(context) { context in
      (try context.object(with: id) as Employee).age = 40
      try context.saveChanges()
    }
    employee.phone = "1"
    let new: Employee = try view.createObject()
    new.name = "New"
    let short: Employee = try view.createObject()
    view.deleteObject(short)
    await drainMainQueue()
    try #require(heard.count == 2)
    #expect(heard[0].source == .thisContext && heard[0].source.author == nil)
    #expect(heard[0].updated == [id] && heard[0].inserted == [new.objectID])
    #expect(heard[0].deleted == [] && !heard[0].isEverything)
    #expect(heard[1].source == importing && heard[1].source.author == "import")
    #expect(heard[1].updated == [id] && heard[1].inserted == [] && heard[1].deleted == [])
    heard = []
    let counts = try await context.perform { context in
      let updated = try context.updateMany(
        Employee.self, propertiesToUpdate: [.init(\.$age, 1)])
      return [updated, try context.deleteMany(Employee.self, where: \.$age == 1)]
    }
    #expect(counts == [1, 1])
    await drainMainQueue()
    #expect(heard.map(\.source) == [importing, importing])
    #expect(heard.map(\.updated) == [[id], []] && heard.map(\.deleted) == [[], [id]])
    heard = []
    token.cancel()
    new.name = "Newer"
    view.processPendingChanges()
    #expect(heard.isEmpty)
  }

  @Test("Controllers tell it with their batches, also when they read again")
  func controllers() async throws {
    let datastore = try TestModel.file()
    let view = datastore.sharedViewContext
    let id = try await makeEmployee(datastore)
    let controller = FetchedObjectsController<Employee>(
      viewContext: view, orderBy: [.asc(\.$name)])
    try await controller.performFetch()
    var heard: [Set<ChangeSource>] = []
    let token: ObserverToken = controller.observeEvents { event in
      if case .batchBegan = event { heard.append(controller.changeSources) }
    }
    var batches = controller.batches.makeAsyncIterator()
    controller.object(at: 0)?.phone = "7"
    await drainMainQueue()
    #expect(heard == [[.thisContext]])
    #expect(await batches.next()?.sources == [.thisContext])
    let context = try await importer(datastore)
    _ = try await Self.setAge(40, of: id, in: context)
    await drainMainQueue()
    #expect(await batches.next()?.sources == [importing])
    // More than a controller puts into place one by one.
    _ = try await context.perform { context in
      try context.insertMany(Employee.self, from: 0..<500) { [.init(\.$name, "e\($0)")] }
    }
    await drainMainQueue()
    await controller.settled()
    #expect(controller.numberOfFetchedObjects == 501)
    #expect(await batches.next()?.sources == [importing])
    try await datastore.write { context in
      context.transactionAuthor = "other"
      try context.deleteMany(Employee.self, where: \.$phone == nil)
    }
    await drainMainQueue()
    await controller.settled()
    #expect(heard == [[.thisContext], [importing], [importing], [.otherContext(author: "other")]])
    withExtendedLifetime(token) {}
  }

  @Test("Writing of another process is told as such")
  func otherProcess() async throws {
    let datastore = try TestModel.file()
    let view = datastore.sharedViewContext
    let id = try await makeEmployee(datastore)
    let employee: Employee = try view.object(with: id)
    _ = try datastore.checkForExternalChanges()
    var heard: [ChangeSource] = []
    let tokens: (PropertyObservation, ObserverToken) = (
      employee.$age.observe { _ in heard.append(view.changeSource) },
      view.observeObjectChanges { changes in
        #expect(changes.isEverything)
        heard.append(changes.source)
      }
    )
    let other = try DatabaseQueue(path: #require(datastore.url).path)
    try await other.write { try $0.execute(sql: "UPDATE Employee SET age = 77") }
    try other.close()
    #expect(try datastore.checkForExternalChanges())
    await drainMainQueue()
    #expect(employee.age == 77 && heard == [.otherProcess, .otherProcess])
    withExtendedLifetime(tokens) {}
  }

  /// A value of a program, such as a screen.
  private final class Screen: Sendable {}

  @Test("Any value goes with what a context saves, and is the same one for those who hear of it")
  func identifier() async throws {
    let datastore = try TestModel.file()
    let view = datastore.sharedViewContext
    let id = try await makeEmployee(datastore)
    let employee: Employee = try view.object(with: id)
    var heard: [ChangeSource] = []
    let token: PropertyObservation = employee.$age.observe { _ in heard.append(view.changeSource) }
    let screen = Screen()
    try await datastore.write { context in
      context.sourceIdentifier = screen
      context.transactionAuthor = "import"
      (try context.object(with: id) as Employee).age = 41
    }
    await drainMainQueue()
    try await datastore.write { (try $0.object(with: id) as Employee).age = 42 }
    await drainMainQueue()
    #expect(heard.count == 2)
    #expect(heard[0].identifier as? Screen === screen)
    #expect(heard[0].author == "import" && heard[0] != importing)
    #expect(heard[1].identifier == nil)
    token.cancel()
  }
}
