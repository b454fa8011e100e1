import DatastoreCore
import Foundation
import SwiftDatastore
import Testing

/// Notifications about objects of a family, for every class by which they are observed.
@MainActor
@Suite struct InheritanceObserverTests {
  @Test func propertiesAreObservedThroughTheParent() async throws {
    let datastore = try FamilyModel.file()
    let context = datastore.newContext()
    try await context.perform { try FamilyModel.fill($0) }
    let all: [Vehicle] = try datastore.sharedViewContext.fetch(orderBy: [.asc(\.$label)])
    let fire = try #require(all[2] as? FireTruck)
    var wheels: [Int] = []
    var ladders: [Double?] = []
    var names: Set<String> = []
    let tokens: [PropertyObservation] = [
      all[2].$wheels.observe { wheels.append($0) },
      fire.$ladder.observe { ladders.append($0) },
      all[2].observeChanges { names.formUnion($0) },
    ]
    try await context.perform { context in
      let fire: FireTruck = try #require(try context.fetchFirst())
      fire.wheels = 12
      fire.ladder = 7
      try context.saveChanges()
    }
    await drainMainQueue()
    #expect(wheels.last == 12 && ladders.last == 7)
    #expect(names.isSuperset(of: ["wheels", "ladder"]))
    try await context.perform { context in
      try context.updateMany(
        Vehicle.self, where: \.$wheels == 12, propertiesToUpdate: [.init(\.$wheels, 13)])
    }
    await drainMainQueue()
    #expect(wheels.last == 13 && fire.wheels == 13)
    for token in tokens { token.cancel() }
  }

  @Test func aContextTellsTheClassesOfWhatChanged() async throws {
    let datastore = try FamilyModel.file()
    let context = datastore.newContext()
    try await context.perform { try FamilyModel.fill($0) }
    var told: [ContextChanges] = []
    let token: ObserverToken = datastore.sharedViewContext.observeObjectChanges { told.append($0) }
    try await context.perform { context in
      let all: [Vehicle] = try context.fetch(orderBy: [.asc(\.$label)])
      all[1].wheels = 7
      context.deleteObject(all[0])
      let fire: FireTruck = try context.createObject()
      fire.label = "z"
      try context.saveChanges()
    }
    await drainMainQueue()
    #expect(told.count == 1)
    #expect(told.first?.inserted.map(\.entityName) == ["FireTruck"])
    #expect(told.first?.updated.map(\.entityName) == ["Truck"])
    #expect(told.first?.deleted.map(\.entityName) == ["Car"])
    token.cancel()
  }

  @Test func convertingKeepsTheClass() async throws {
    let datastore = try FamilyModel.file()
    let id = try await datastore.newContext().perform { context in
      try FamilyModel.fill(context)
      let all: [Vehicle] = try context.fetch(where: \.$label == "c")
      return try #require(all.first).objectID
    }
    let view = datastore.sharedViewContext
    let vehicle: Vehicle = try view.object(with: id)
    #expect((vehicle as? FireTruck)?.ladder == 30)
    #expect(vehicle.entity.name == "FireTruck")
  }
}
