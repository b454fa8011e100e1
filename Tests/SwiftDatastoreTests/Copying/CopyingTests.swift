import DatastoreCore
import DatastoreTestSupport
import Foundation
import Testing

@testable import SwiftDatastore

/// Moving all objects of one store into another.
@Suite("Copying a store")
struct CopyingTests {
  /// Everything that a store has, a line for each row.
  private static func contents(_ datastore: SwiftDatastore) throws -> [String] {
    let store = datastore.coordinator.store
    var lines: [String] = []
    for entity in store.schema.entities where entity.parent == nil {
      let keys = try store.fetchKeys(FetchRequest(entity: entity.name))
      for page in try store.rows(entity: entity.index, keys: keys) {
        for row in 0..<page.rowCount {
          let own = store.schema.entities[entity.index(ofRow: row, in: page)]
          let key = page.key(ofRow: row)
          var line = "\(own.name) \(key.rawValue)"
          for (slot, property) in zip(own.slots, own.properties) {
            if let link = own.links[slot], link.kind.isToMany {
              let members = try store.relatedKeys(entity: own.index, slot: slot, key: key)
              line += " \(property.name)=\(members.map(\.rawValue))"
            } else {
              var value = page.value(row: row, slot: slot)
              // Core Data writes whole seconds as integers.
              if property.attribute?.type == .date, let seconds = value.number {
                value = .real(seconds)
              }
              line += " \(property.name)=\(value)"
            }
          }
          lines.append(line)
        }
      }
    }
    return lines.sorted()
  }

  @Test("A Core Data store becomes one that can be changed")
  func coreData() async throws {
    let folder = try TemporaryDirectory()
    let url = folder.file("Office.storedata")
    try CoreDataSample.office().write(to: url)
    let source = try SwiftDatastore(opening: url, readOnly: true)
    let copy = folder.file("copy.sqlite")
    let destination = try SwiftDatastore(schema: source.schema, url: copy)
    let count = try source.copyObjects(into: destination)
    #expect(count == 14)
    #expect(try Self.contents(destination) == Self.contents(source))
    try destination.close()
    let opened = try SwiftDatastore(opening: copy)
    try await opened.newContext().perform { context in
      let tag: DynamicObject = try context.createObject(entityName: "Tag")
      tag["label"] = "green"
      try context.saveChanges()
    }
    try opened.close()
    #expect(
      try SQLiteFile.values("SELECT label FROM Tag ORDER BY _id", in: copy)
        == ["red", "blue", "dark", "green"])
  }

  @Test(
    "Random graphs are the same in every store", arguments: TestEngine.allCases, TestEngine.allCases
  )
  func graphs(from: TestEngine, to: TestEngine) async throws {
    let seed = RandomCases.seed()
    let source = try from.makeDatastore(TestModel.make())
    try await source.newContext().perform { context in
      var random = SeededRandom(seed: seed)
      var expected = GraphPropertyTests.Expected()
      var saved = GraphPropertyTests.Expected()
      for _ in 0..<200 {
        try GraphPropertyTests.operate(context, &expected, &saved, &random)
      }
      try context.saveChanges()
    }
    let destination = try to.makeDatastore(TestModel.make())
    let count = try source.copyObjects(into: destination)
    let expected = try Self.contents(source)
    #expect(count == expected.count && count > 0, "seed \(seed)")
    #expect(try Self.contents(destination) == expected, "seed \(seed)")
    // New objects get keys of their own, and copied objects can be changed.
    try await destination.newContext().perform { context in
      for number in 0..<1_500 {
        let employee: Employee = try context.createObject()
        employee.name = "new \(number)"
      }
      let companies: [Company] = try context.fetch()
      for company in companies { company.employees = [] }
      try context.saveChanges()
    }
    #expect(try Self.contents(destination).count == count + 1_500, "seed \(seed)")
    #expect(throws: StoreError.self) { try source.copyObjects(into: destination) }
  }

  @Test(
    "Families, cycles and orders are copied", arguments: TestEngine.allCases, TestEngine.allCases)
  func families(from: TestEngine, to: TestEngine) async throws {
    let source = try from.makeDatastore(FamilyModel.make())
    try await source.newContext().perform { context in
      try FamilyModel.fill(context)
      let depot: Depot = try context.createObject()
      depot.name = "d"
      let vehicles: [Vehicle] = try context.fetch(orderBy: [.asc(\.$label)])
      depot.vehicles = Set(vehicles)
      depot.queue = vehicles.reversed()
      vehicles[0].towing = vehicles[1]
      vehicles[1].towing = vehicles[0]
      depot.flagship = vehicles[2] as? FireTruck
      let truck = try #require(vehicles[1] as? Truck)
      truck.crates = try ["y", "x", "z"].map {
        let cargo: Cargo = try context.createObject()
        cargo.name = $0
        return cargo
      }
      for name in ["r", "s"] {
        let route: Route = try context.createObject()
        route.name = name
        route.vehicles = Set(vehicles.prefix(2))
      }
      try context.saveChanges()
    }
    let destination = try to.makeDatastore(FamilyModel.make())
    #expect(try source.copyObjects(into: destination) == 9)
    #expect(try Self.contents(destination) == Self.contents(source))
    let labels = try await destination.newContext().perform { context in
      let depots: [Depot] = try context.fetch()
      return depots.first?.queue.map(\.label)
    }
    #expect(labels == ["c", "b", "a"])
  }

  @Test("More rows than one save has are copied, and contexts of the destination show them")
  @MainActor func portions() async throws {
    let source = try SwiftDatastore(inMemory: TestModel.make())
    try await source.newContext().perform { context in
      let boss: Employee = try context.createObject()
      boss.name = "boss"
      for number in 0..<(2 * StoreCopy.portion) {
        let employee: Employee = try context.createObject()
        employee.name = "\(number)"
        employee.manager = boss
      }
      try context.saveChanges()
    }
    let destination = try SwiftDatastore(inMemory: TestModel.make())
    let controller = FetchedObjectsController<Employee>(
      viewContext: destination.sharedViewContext, orderBy: [.asc(\.$name)])
    try await controller.performFetch()
    let count = try source.copyObjects(into: destination)
    #expect(count == 2 * StoreCopy.portion + 1)
    for _ in 0..<1_000 where controller.numberOfFetchedObjects < count {
      await drainMainQueue()
      await controller.settled()
    }
    #expect(controller.numberOfFetchedObjects == count)
    #expect(try Self.contents(destination) == Self.contents(source))
    let employees: [Employee] = try destination.sharedViewContext.fetch()
    #expect(employees.filter { $0.manager != nil }.count == 2 * StoreCopy.portion)
  }

  @Test func anotherModelIsRefused() throws {
    let source = try SwiftDatastore(inMemory: TestModel.make())
    let destination = try SwiftDatastore(inMemory: FamilyModel.make())
    #expect(throws: StoreError.self) { try source.copyObjects(into: destination) }
  }
}
