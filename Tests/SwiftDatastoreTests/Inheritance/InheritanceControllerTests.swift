import DatastoreCore
import Foundation
import SwiftDatastore
import Testing

/// Controllers over a parent follow changes of its children's objects.
@MainActor
@Suite struct InheritanceControllerTests {
  private func labels<T: Vehicle>(_ controller: FetchedObjectsController<T>) -> [[String]] {
    (0..<controller.numberOfSections).map { section in
      (0..<controller.numberOfObjects(inSection: section)).compactMap { row in
        controller.getObject(at: IndexPath(row: row, section: section))
          .map { "\(type(of: $0)) \($0.label)" }
      }
    }
  }

  @Test func childrenComeGoAndMove() async throws {
    let datastore = try FamilyModel.file()
    let context = datastore.newContext()
    try await context.perform { try FamilyModel.fill($0) }
    let all = FetchedObjectsController<Vehicle>(
      viewContext: datastore.sharedViewContext, orderBy: [.asc(\.$label)])
    let trucks = FetchedObjectsController<Truck>(
      viewContext: datastore.sharedViewContext, where: \.$wheels < 20, orderBy: [.asc(\.$label)])
    let cars = FetchedObjectsController<Car>(
      viewContext: datastore.sharedViewContext, orderBy: [.asc(\.$label)])
    try await all.performFetch()
    try await trucks.performFetch()
    try await cars.performFetch()
    var events: [String] = []
    let token: ObserverToken = all.observeChanges { change in
      switch change {
      case .inserted(let object, let place): events.append("+\(type(of: object)) \(place.row)")
      case .updated(let object, let place): events.append("=\(type(of: object)) \(place.row)")
      case .moved(let object, let from, let to):
        events.append("~\(type(of: object)) \(from.row) \(to.row)")
      case .deleted(let place): events.append("-\(place.row)")
      }
    }
    var truckEvents = 0
    let truckToken: ObserverToken = trucks.observeChanges { _ in truckEvents += 1 }
    #expect(labels(all) == [["Car a", "Truck b", "FireTruck c"]])
    #expect(labels(trucks) == [["Truck b", "FireTruck c"]])
    try await context.perform { context in
      let fire: FireTruck = try context.createObject()
      fire.label = "bb"
      let car: Car = try #require(try context.fetchFirst())
      car.label = "d"
      let truck: Truck = try #require(try context.fetchFirst(where: \.$label == "b"))
      truck.wheels = 22
      try context.saveChanges()
    }
    await drainMainQueue()
    await all.settled()
    #expect(labels(all) == [["Truck b", "FireTruck bb", "FireTruck c", "Car d"]])
    #expect(labels(trucks) == [["FireTruck bb", "FireTruck c"]])
    #expect(labels(cars) == [["Car d"]])
    #expect(events.contains("+FireTruck 1") && events.contains("~Car 0 3"))
    #expect(truckEvents == 2)
    events = []
    try await context.perform { context in
      let fires: [FireTruck] = try context.fetch(orderBy: [.asc(\.$label)])
      context.deleteObject(fires[0])
      try context.saveChanges()
    }
    await drainMainQueue()
    #expect(labels(all) == [["Truck b", "FireTruck c", "Car d"]])
    #expect(labels(trucks) == [["FireTruck c"]])
    #expect(events == ["-1"])
    token.cancel()
    truckToken.cancel()
  }

  @Test func batchesOverTheParentReachControllersOfTheChildren() async throws {
    let datastore = try FamilyModel.file()
    let context = datastore.newContext()
    try await context.perform { try FamilyModel.fill($0) }
    let trucks = FetchedObjectsController<Truck>(
      viewContext: datastore.sharedViewContext, orderBy: [.desc(\.$wheels)], groupBy: \.$note)
    let fires = FetchedObjectsController<FireTruck>(
      viewContext: datastore.sharedViewContext, orderBy: [.desc(\.$wheels)])
    try await trucks.performFetch()
    try await fires.performFetch()
    #expect(labels(trucks) == [["FireTruck c", "Truck b"]])
    try await context.perform { context in
      try context.updateMany(
        Vehicle.self, where: \.$wheels > 6, propertiesToUpdate: [.init(\.$note, "big")])
    }
    await drainMainQueue()
    #expect(labels(trucks) == [["Truck b"], ["FireTruck c"]])
    try await context.perform { context in
      try context.deleteMany(Vehicle.self, where: \.$wheels > 6)
    }
    await drainMainQueue()
    #expect(labels(trucks) == [["Truck b"]])
    #expect(labels(fires) == [[]])
  }

  @Test func stagedChangesOfTheViewContextAreInTheList() async throws {
    let datastore = try FamilyModel.file()
    try await datastore.newContext().perform { try FamilyModel.fill($0) }
    let view = datastore.sharedViewContext
    let fire: FireTruck = try view.createObject()
    fire.label = "0"
    let controller = FetchedObjectsController<Vehicle>(
      viewContext: view, orderBy: [.asc(\.$label)])
    try await controller.performFetch()
    #expect(labels(controller) == [["FireTruck 0", "Car a", "Truck b", "FireTruck c"]])
    fire.label = "bc"
    let car: Car = try view.createObject()
    car.label = "1"
    view.processPendingChanges()
    #expect(labels(controller) == [["Car 1", "Car a", "Truck b", "FireTruck bc", "FireTruck c"]])
    view.revertChanges()
    view.processPendingChanges()
    #expect(labels(controller) == [["Car a", "Truck b", "FireTruck c"]])
  }

  @Test func aPredicateThroughTheFamilyIsDecidedAgain() async throws {
    let datastore = try FamilyModel.file()
    let context = datastore.newContext()
    try await context.perform { context in
      try FamilyModel.fill(context)
      let depot: Depot = try context.createObject()
      depot.name = "D"
      let fire: FireTruck = try #require(try context.fetchFirst())
      fire.depot = depot
      try context.saveChanges()
    }
    let controller = FetchedObjectsController<Depot>(
      viewContext: datastore.sharedViewContext, where: (\.$vehicles ~ \.$wheels).any == 8,
      orderBy: [.asc(\.$name)])
    try await controller.performFetch()
    #expect(controller.numberOfFetchedObjects == 1)
    try await context.perform { context in
      let fire: FireTruck = try #require(try context.fetchFirst())
      fire.wheels = 9
      try context.saveChanges()
    }
    await drainMainQueue()
    await controller.settled()
    #expect(controller.numberOfFetchedObjects == 0)
  }
}
