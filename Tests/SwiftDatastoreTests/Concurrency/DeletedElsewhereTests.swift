import DatastoreCore
import Foundation
import SwiftDatastore
import Testing

// Promise: another context deletes a row before the merge → nothing unreadable is handed out; `isDeleted`
// knows; what was read stays readable.
/// Deletions by another context, between its save and the merge: every returned object can be read.
@MainActor
@Suite("Rows deleted by another context")
struct DeletedElsewhereTests {
  private let datastore: SwiftDatastore
  private var view: SwiftDatastoreViewContext { datastore.sharedViewContext }

  init() async throws {
    datastore = try TestModel.file()
    try await datastore.write { context in
      let company: Company = try context.createObject()
      company.name = "Acme"
      let boss: Employee = try context.createObject()
      boss.name = "boss"
      for number in 0..<6 {
        let employee: Employee = try context.createObject()
        employee.name = "e\(number)"
        employee.company = company
        employee.manager = boss
      }
    }
    await drainMainQueue()
  }

  /// Deletes while the main actor is still: committed on return, not merged.
  private func delete(_ names: [String]) {
    whileMainWaits(datastore.newContext()) { context in
      for employee: Employee in try context.fetch() where names.contains(employee.name) {
        context.deleteObject(employee)
      }
      try context.saveChanges()
    }
  }

  @Test func anUnreadObjectSaysThatItIsDeleted() async throws {
    let keys = try view.fetch(orderBy: [.asc(\Employee.$name)]).map(\.key)
    let entity = try #require(datastore.schema.entity(named: "Employee"))
    let unread = SwiftDatastoreUnread(view, entity: entity.index)
    delete(["e0"])
    let gone = unread.object(keys[1])
    let there = unread.object(keys[2])
    #expect(gone.isDeleted && !there.isDeleted)
    // An object that was fetched stays readable, even if it is deleted now.
    delete(["e1"])
    #expect(!there.isDeleted && there.name == "e1")
    await drainMainQueue()
    #expect(there.isDeleted && there.name == "e1")
  }

  @Test func aToOneRelationshipLeadsNowhere() async throws {
    let employee: Employee = try #require(try view.fetchFirst(where: \.$name == "e0"))
    let entity = try #require(datastore.schema.entity(named: "Employee"))
    SwiftDatastoreUnread(view, entity: entity.index).forgetAll(but: employee)
    delete(["boss"])
    #expect(employee.manager == nil)
    #expect(employee.manager?.name == nil)
    await drainMainQueue()
    #expect(employee.manager == nil && !employee.isDeleted)
  }

  @Test func aToManyRelationshipLeavesItOut() async throws {
    let company: Company = try #require(try view.fetchFirst())
    let slot = try #require(company.entity.slot(named: "employees"))
    // The members are known, none of them is read.
    #expect(company.relatedKeys(at: slot).count == 6)
    delete(["e0", "e3"])
    #expect(company.employees.map(\.name).sorted() == ["e1", "e2", "e4", "e5"])
    #expect(company.$employees.count.value == 4)
    delete(["e1"])
    #expect(company.employees.map(\.name).sorted() == ["e1", "e2", "e4", "e5"], "read already")
    await drainMainQueue()
    #expect(company.employees.map(\.name).sorted() == ["e2", "e4", "e5"])
  }

  @Test func aControllerHandsOutNothing() async throws {
    let controller = FetchedObjectsController<Employee>(
      viewContext: view, orderBy: [.asc(\.$name)])
    try await controller.performFetch()
    #expect(controller.numberOfFetchedObjects == 7)
    delete(["boss", "e0"])
    #expect(controller.object(at: 0) == nil && controller.object(at: 1) == nil)
    let names = (0..<7).compactMap { controller.object(at: $0)?.name }
    #expect(names == ["e1", "e2", "e3", "e4", "e5"])
    let kept = try #require(controller.object(at: 2))
    delete(["e1"])
    #expect(kept.name == "e1" && kept.age == 18)
    await drainMainQueue()
    #expect(controller.numberOfFetchedObjects == 4)
    #expect(kept.isDeleted && kept.name == "e1")
  }

  @Test("What a batch operation has made unread keeps its values when its row is gone")
  func unreadByABatch() async throws {
    let employee: Employee = try #require(try view.fetchFirst(where: \.$name == "e0"))
    try await datastore.newContext().perform { context in
      _ = try context.updateMany(
        where: \Employee.$name == "e0", propertiesToUpdate: [.init(\.$age, 40)])
    }
    await drainMainQueue()
    #expect(employee.isFault)
    delete(["e0"])
    #expect(employee.name == "e0" && employee.age == 18, "what was read last")
    #expect(employee.isDeleted)
    await drainMainQueue()
    #expect(employee.name == "e0")
  }

  @Test("An edit of a row that is gone, taken back by hand, takes the object along")
  func takenBackByHand() async throws {
    let controller = FetchedObjectsController<Employee>(
      viewContext: view, orderBy: [.asc(\.$name)])
    try await controller.performFetch()
    let employee: Employee = try #require(try view.fetchFirst(where: \.$name == "e0"))
    employee.age = 30
    delete(["e0"])
    await drainMainQueue()
    #expect(!employee.isDeleted && controller.numberOfFetchedObjects == 7, "the edit is staged")
    employee.age = 18
    #expect(employee.isDeleted && !view.hasChanges)
    // In the same breath it can still be edited.
    employee.phone = "1"
    employee.phone = nil
    #expect(employee.name == "e0")
    await drainMainQueue()
    #expect(controller.numberOfFetchedObjects == 6 && employee.isDeleted)
    #expect(view.core.graph.brokenInvariants() == [])
  }

  @Test("Observers of a list are told of objects that can be read", arguments: [5, 200])
  func eventsCanBeRead(count: Int) async throws {
    let controller = FetchedObjectsController<Employee>(
      viewContext: view, orderBy: [.asc(\.$name)])
    try await controller.performFetch()
    var list = (0..<7).compactMap { controller.object(at: $0)?.name }
    var arrived: [(Int, String)] = []
    var left: [Int] = []
    let token: ObserverToken = controller.observeEvents { event in
      switch event {
      case .batchBegan: (arrived, left) = ([], [])
      case .object(.inserted(let object, let place)): arrived.append((place.row, object.name))
      case .object(.deleted(let place)): left.append(place.row)
      case .object(.moved(let object, let from, let to)):
        left.append(from.row)
        arrived.append((to.row, object.name))
      case .object(.updated(let object, _)): #expect(!object.name.isEmpty)
      case .batchEnded:
        for place in left.sorted(by: >) { list.remove(at: place) }
        for (place, name) in arrived.sorted(by: { $0.0 < $1.0 }) { list.insert(name, at: place) }
      case .sectionInserted, .sectionDeleted: break
      }
    }
    whileMainWaits(datastore.newContext()) { context in
      for number in 0..<count {
        let employee: Employee = try context.createObject()
        employee.name = "new\(number)"
      }
      for employee: Employee in try context.fetch() { employee.age += 1 }
      try context.saveChanges()
      // Gone before the first save is merged.
      for employee: Employee in try context.fetch() where employee.key.rawValue % 2 == 0 {
        context.deleteObject(employee)
      }
      try context.saveChanges()
    }
    await drainMainQueue()
    await controller.settled()
    let expected = try view.fetch(orderBy: [.asc(\Employee.$name)]).map(\.name)
    #expect(list == expected)
    withExtendedLifetime(token) {}
  }
}

/// Objects that were never read, and that the library does not return by itself.
@MainActor
struct SwiftDatastoreUnread {
  private let view: SwiftDatastoreViewContext
  private let entity: EntityIndex

  init(_ view: SwiftDatastoreViewContext, entity: EntityIndex) {
    self.view = view
    self.entity = entity
    view.core.graph.releaseUnreferencedObjects()
  }

  func object(_ key: RowKey) -> Employee {
    guard let object = view.core.graph.object(entity: entity, key: key) as? Employee else {
      preconditionFailure("\(key) is no employee")
    }
    precondition(object.isFault)
    return object
  }

  func forgetAll(but kept: Employee) {
    withExtendedLifetime(kept) { view.core.graph.releaseUnreferencedObjects() }
  }
}
