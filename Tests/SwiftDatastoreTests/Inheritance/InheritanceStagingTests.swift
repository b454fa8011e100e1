import DatastoreCore
import DatastoreSQLite
import SwiftDatastore
import Testing

/// Merging, conflicts, undo and child contexts with objects of a family.
@Suite struct InheritanceStagingTests {
  @Test func savesOfOtherContextsAreMergedWhateverClassWasAskedFor() async throws {
    let datastore = try FamilyModel.file()
    let first = datastore.newContext()
    let second = datastore.newContext()
    try await first.perform { try FamilyModel.fill($0) }
    let held = Holder()
    try await second.perform { context in
      held.vehicles = try context.fetch(orderBy: [.asc(\Vehicle.$label)])
      held.vehicles[2].note = "mine"
    }
    try await first.perform { context in
      let fire: FireTruck = try #require(try context.fetchFirst())
      fire.ladder = 12
      fire.wheels = 10
      let car: Car = try #require(try context.fetchFirst())
      context.deleteObject(car)
      try context.saveChanges()
    }
    try await second.perform { context in
      let fire = try #require(held.vehicles[2] as? FireTruck)
      #expect(fire.ladder == 12 && fire.wheels == 10 && fire.note == "mine")
      #expect(held.vehicles[0].isDeleted)
      try context.saveChanges()
      held.vehicles = []
    }
    try await first.perform { context in
      let trucks: [Truck] = try context.fetch(where: \.$note == "mine")
      #expect(trucks.first is FireTruck)
    }
  }

  @Test func conflictsNameTheClassOfTheObject() async throws {
    let datastore = try FamilyModel.file()
    let first = datastore.newContext()
    try await first.perform { try FamilyModel.fill($0) }
    let second = datastore.newContext()
    try await second.perform { context in
      let all: [Vehicle] = try context.fetch(where: \.$label == "c")
      let fire = try #require(all.first)
      fire.wheels = 12
      whileMainWaits(first) { context in
        let fire: FireTruck = try #require(try context.fetchFirst())
        fire.wheels = 14
        try context.saveChanges()
      }
      let error = #expect(throws: ConflictError.self) { try context.saveChanges() }
      #expect(error?.conflicts.map(\.entity) == ["FireTruck"])
      #expect(error?.conflicts.first?.properties.map(\.name) == ["wheels"])
      context.mergePolicy = .objectTrump
      try context.saveChanges()
      #expect(fire.wheels == 12)
    }
  }

  @Test func undoTakesBackWhatHappenedToAFamily() async throws {
    let datastore = try FamilyModel.inMemory()
    try await datastore.newContext().perform { context in
      try FamilyModel.fill(context)
      context.isUndoEnabled = true
      let all: [Vehicle] = try context.fetch(orderBy: [.asc(\.$label)])
      context.undoGroup { all[0].towing = all[2] }
      try context.undoGroup {
        let car: Car = try context.createObject()
        car.label = "new"
        car.seats = 1
        context.deleteObject(all[2])
      }
      #expect(all[0].towing == nil)
      #expect(try context.count(Vehicle.self) == 3)
      context.undo()
      #expect(all[0].towing === all[2])
      #expect(try context.fetch(orderBy: [.asc(\.$label)]) == all)
      context.undo()
      #expect(all[2].towedBy == nil)
      context.redo()
      context.redo()
      #expect(try context.count(FireTruck.self) == 0)
      #expect(try context.count(Car.self) == 2)
      context.revertChanges()
      #expect(try context.fetch(orderBy: [.asc(\.$label)]) == all)
      #expect(context.core.graph.brokenInvariants() == [])
    }
  }

  @Test func childContextsSeeAndSaveFamilies() async throws {
    let datastore = try FamilyModel.file()
    let parent = datastore.newContext()
    try await parent.perform { context in
      try FamilyModel.fill(context)
      let car: Car = try context.createObject()
      car.label = "staged"
      car.seats = 3
      let fire: FireTruck = try #require(try context.fetchFirst())
      car.towing = fire
    }
    try await parent.createNewChildContext().perform { context in
      let all: [Vehicle] = try context.fetch(orderBy: [.asc(\.$label)])
      #expect(
        all.map { "\(type(of: $0))" } == ["Car", "Truck", "FireTruck", "Car"])
      let trucks: [Truck] = try context.fetch()
      #expect(trucks.count == 2)
      #expect(all[3].towing === all[2])
      #expect((all[2] as? FireTruck)?.ladder == 30)
      all[2].towedBy = all[0]
      (all[2] as? FireTruck)?.ladder = 31
      let truck: FireTruck = try context.createObject()
      truck.label = "of the child"
      context.deleteObject(all[1])
      try context.saveChanges()
      #expect(context.core.graph.brokenInvariants() == [])
    }
    try await parent.perform { context in
      let trucks: [Truck] = try context.fetch(orderBy: [.asc(\.$label)])
      #expect(trucks.map(\.label) == ["c", "of the child"])
      #expect(trucks.allSatisfy { $0 is FireTruck })
      #expect(trucks[0].towedBy?.label == "a")
      #expect(context.core.graph.brokenInvariants() == [])
      try context.saveChanges()
    }
    try await datastore.newContext().perform { context in
      let fire: FireTruck = try #require(try context.fetchFirst(where: \.$ladder == 31))
      #expect(fire.towedBy is Car)
      #expect(try context.count(Vehicle.self) == 4)
    }
  }

  @Test func refreshAndRevertOfOneObject() async throws {
    let datastore = try FamilyModel.file()
    try await datastore.newContext().perform { context in
      try FamilyModel.fill(context)
      let truck: Truck = try #require(try context.fetchFirst(where: \.$label == "c"))
      let car: Car = try #require(try context.fetchFirst())
      truck.load = 77
      truck.towedBy = car
      context.revertChanges(of: truck)
      #expect(truck.load == 1 && car.towing == nil)
      try context.execute(#"UPDATE "Vehicle" SET ladder = 3 WHERE label = 'c'"#)
      #expect((truck as? FireTruck)?.ladder == 3)
      context.refresh(truck)
      #expect(truck.isFault && truck.label == "c")
      #expect(!context.hasChanges)
    }
  }

  @Test func validationDemandsWhatTheTableCannot() async throws {
    let datastore = try FamilyModel.inMemory()
    try await datastore.newContext().perform { context in
      let car: Car = try context.createObject()
      car.label = "x"
      let error = #expect(throws: ValidationError.self) { try context.saveChanges() }
      #expect(error?.faults.map(\.property) == ["seats"])
      #expect(error?.faults.map(\.entity) == ["Car"])
    }
  }

  @Test func uniquenessHoldsForTheWholeFamily() async throws {
    let datastore = try FamilyModel.inMemory()
    try await datastore.newContext().perform { context in
      try FamilyModel.fill(context)
      let truck: Truck = try context.createObject()
      truck.label = "a"
      let error = #expect(throws: StoreError.self) { try context.saveChanges() }
      #expect(error == .notUnique(entity: "Truck", properties: ["label"], key: truck.key))
      truck.label = "d"
      truck.code = 7
      #expect(throws: StoreError.self) { try context.saveChanges() }
      truck.code = 8
      try context.saveChanges()
      let depot: Depot = try context.createObject()
      depot.name = "D"
      let fire: FireTruck = try #require(try context.fetchFirst())
      fire.depot = depot
      truck.depot = depot
      truck.wheels = fire.wheels
      try context.saveChanges()
      let second: FireTruck = try context.createObject()
      second.label = "e"
      second.depot = depot
      second.wheels = fire.wheels
      #expect(throws: StoreError.self) { try context.saveChanges() }
    }
  }
}

/// Keeps objects between two `perform`s of one context.
private final class Holder: @unchecked Sendable {
  var vehicles: [Vehicle] = []
}
