import DatastoreCore
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// Objects of classes that inherit from each other, in contexts.
@Suite struct InheritanceTests {
  @Test func fetchingAParentFindsTheObjectsOfItsChildren() async throws {
    let datastore = try FamilyModel.file()
    try await datastore.newContext().perform { try FamilyModel.fill($0) }
    try await datastore.newContext().perform { context in
      let all: [Vehicle] = try context.fetch(orderBy: [.desc(\.$label)])
      #expect(all.map { "\(type(of: $0))" } == ["FireTruck", "Truck", "Car"])
      #expect(all.map(\.label) == ["c", "b", "a"])
      let fire = try #require(all[0] as? FireTruck)
      #expect(fire.ladder == 30 && fire.load == 1 && fire.wheels == 8)
      #expect((all[1] as? Truck)?.code == 7)
      #expect((all[2] as? Car)?.code == "C-1" && (all[2] as? Car)?.seats == 5)
      let trucks: [Truck] = try context.fetch(orderBy: [.asc(\.$label)])
      #expect(trucks.map(\.label) == ["b", "c"])
      #expect(trucks[1] === fire && trucks[0] === all[1])
      let fires: [FireTruck] = try context.fetch()
      #expect(fires == [fire])
      let one: FireTruck? = try context.fetchFirst(where: \.$wheels > 6 && \.$ladder == 30)
      #expect(one === fire)
      #expect(try context.count(Vehicle.self) == 3)
      #expect(try context.count(Truck.self) == 2)
      #expect(try context.count(Car.self, where: \.$wheels == 4) == 1)
      #expect(try context.count(Truck.self, where: \.$wheels == 4) == 0)
      #expect(try context.aggregate(.sum(\.$wheels), of: Vehicle.self) == 18)
      #expect(try context.aggregate(.maximum(\.$load), of: Truck.self) == 2.5)
      #expect(try context.aggregate(.count(), of: Truck.self) == 2)
      #expect(context.core.graph.brokenInvariants() == [])
    }
  }

  @Test func unsavedObjectsAreFoundToo() async throws {
    let datastore = try FamilyModel.inMemory()
    try await datastore.newContext().perform { context in
      try FamilyModel.fill(context)
      let truck: FireTruck = try context.createObject()
      truck.label = "aa"
      let trucks: [Truck] = try context.fetch(orderBy: [.asc(\.$label)])
      #expect(trucks.map(\.label) == ["aa", "b", "c"])
      let cars: [Car] = try context.fetch()
      #expect(cars.map(\.label) == ["a"])
      cars[0].wheels = 3
      let some: [Vehicle] = try context.fetch(where: \.$wheels < 5, orderBy: [.asc(\.$wheels)])
      #expect(some.map(\.label) == ["a", "aa"])
      context.deleteObject(cars[0])
      #expect(try context.count(Vehicle.self) == 3)
      #expect(try context.count(Car.self) == 0)
    }
  }

  @Test func relationshipsToAParentLeadToAnyChild() async throws {
    let datastore = try FamilyModel.file()
    try await datastore.write { context in
      try FamilyModel.fill(context)
      let vehicles: [Vehicle] = try context.fetch(orderBy: [.asc(\.$label)])
      let (car, truck, fire) = (vehicles[0], vehicles[1], vehicles[2])
      let depot: Depot = try context.createObject()
      depot.name = "D"
      depot.vehicles = [car, fire]
      depot.queue = [fire, car, truck]
      let trucks = vehicles.compactMap { $0 as? Truck }
      depot.trucks = Set(trucks)
      depot.flagship = fire as? FireTruck
      let route: Route = try context.createObject()
      route.name = "R"
      car.routes = [route]
      fire.routes = [route]
      car.towing = truck
      for name in ["x", "y"] {
        let crate: Cargo = try context.createObject()
        crate.name = name
        (fire as? Truck)?.crates.insert(crate, at: 0)
      }
      #expect(car.depot === depot && truck.depot == nil && truck.towedBy === car)
    }
    try await datastore.newContext().perform { context in
      let depot: Depot = try #require(try context.fetchFirst())
      #expect(Set(depot.vehicles.map(\.label)) == ["a", "c"])
      #expect(depot.queue.map { "\(type(of: $0))" } == ["FireTruck", "Car", "Truck"])
      #expect(depot.flagship?.ladder == 30)
      #expect(Set(depot.trucks.map(\.label)) == ["b", "c"])
      let fire: FireTruck = try #require(try context.fetchFirst())
      #expect(depot.flagship === fire && depot.queue[0] === fire)
      #expect(fire.crates.map(\.name) == ["y", "x"])
      #expect(fire.crates[0].truck === fire)
      let route: Route = try #require(try context.fetchFirst())
      #expect(Set(route.vehicles.map(\.label)) == ["a", "c"])
      let car: Car = try #require(try context.fetchFirst(where: \.$towing ~ \.$wheels == 6))
      #expect(car.towing is Truck && car.towing?.towedBy === car)
      let depots: [Depot] = try context.fetch(where: (\.$vehicles ~ \.$wheels).any == 8)
      #expect(depots == [depot])
      #expect(context.core.graph.brokenInvariants() == [])
    }
  }

  @Test func aToOneToAParentIsOfTheRightClassAtOnce() async throws {
    let datastore = try FamilyModel.file()
    try await datastore.write { context in
      try FamilyModel.fill(context)
      let vehicles: [Vehicle] = try context.fetch(orderBy: [.asc(\.$label)])
      vehicles[0].towing = vehicles[2]
    }
    try await datastore.newContext().perform { context in
      let car: Car = try #require(try context.fetchFirst())
      let towed = try #require(car.towing)
      #expect(type(of: towed) == FireTruck.self)
      #expect(towed.objectID.entityName == "FireTruck")
      let ids = try context.fetchIDs(Vehicle.self, orderBy: [.asc(\.$label)])
      #expect(ids[2] == towed.objectID, "whichever class was asked for")
      let found: [Vehicle] = try context.objects(with: ids)
      #expect(found[2] === towed && found[0] === car)
      #expect(throws: ObjectNotFoundError.self) { let _: Car = try context.object(with: ids[1]) }
    }
  }

  @Test func readingAheadAsksOnce() async throws {
    let statements = StatementLog()
    let datastore = try FamilyModel.file(options: .init(traceSQL: { statements.record($0) }))
    try await datastore.write { context in
      for number in 0..<40 {
        let car: Car = try context.createObject()
        car.label = "car \(number)"
        car.seats = 2
        let truck: Truck = try context.createObject()
        truck.label = "truck \(number)"
        car.towing = truck
        let depot: Depot = try context.createObject()
        depot.name = "D\(number)"
        depot.vehicles = [car, truck]
      }
    }
    try await datastore.newContext().perform { context in
      let before = statements.count
      let cars: [Car] = try context.fetch(prefetching: [\.$towing])
      #expect(statements.count - before == 2)
      #expect(cars.allSatisfy { $0.towing?.label.hasPrefix("truck") == true })
      #expect(statements.count - before == 2)
      let depots: [Depot] = try context.fetch(prefetching: [\.$vehicles])
      #expect(depots.allSatisfy { $0.vehicles.count == 2 })
      #expect(statements.count - before == 4)
    }
    try await datastore.newContext().perform { context in
      // The connection for single rows is opened.
      let car: Car? = try context.fetchFirst()
      #expect(car?.towing is Truck)
    }
    try await datastore.newContext().perform { context in
      let before = statements.count
      let cars: [Car] = try context.fetch()
      #expect(cars.count == 40 && cars.allSatisfy { $0.towing is Truck })
      #expect(statements.count - before == 41, "one read for each that is followed")
    }
  }

  @Test func batchesReachTheChildren() async throws {
    let datastore = try FamilyModel.file()
    let other = datastore.newContext()
    try await other.perform { try FamilyModel.fill($0) }
    let fires = try await datastore.newContext().perform { context in
      let fire: FireTruck = try #require(try context.fetchFirst())
      let updated = try context.updateMany(
        Vehicle.self, where: \.$wheels > 4, propertiesToUpdate: [.init(\.$note, "big")])
      #expect(updated == 2)
      #expect(fire.note == "big")
      let trucks = try context.updateMany(
        Truck.self, propertiesToUpdate: [.init(\.$load, 9)])
      #expect(trucks == 2)
      #expect(fire.load == 9)
      let inserted = try context.insertMany(Car.self, from: ["x", "y"]) { label in
        [.init(\.$label, label), .init(\.$seats, 1)]
      }
      #expect(inserted == 2)
      #expect(try context.deleteMany(Truck.self, where: \.$wheels == 6) == 1)
      #expect(try context.count(Truck.self) == 1)
      #expect(try context.deleteMany(Vehicle.self, where: true) == 4)
      #expect(fire.isDeleted)
      return try context.count(Vehicle.self)
    }
    #expect(fires == 0)
    try await other.perform { context in
      let left = try context.count(Vehicle.self)
      #expect(left == 0)
      #expect(context.core.graph.brokenInvariants() == [])
    }
  }

  @Test func deletingManyFollowsTheRulesOfEachChild() async throws {
    let datastore = try FamilyModel.file()
    try await datastore.newContext().perform { context in
      try FamilyModel.fill(context)
      let fire: FireTruck = try #require(try context.fetchFirst())
      let car: Car = try #require(try context.fetchFirst())
      let route: Route = try context.createObject()
      route.name = "R"
      route.vehicles = [fire, car]
      let crate: Cargo = try context.createObject()
      crate.name = "x"
      fire.crates = [crate]
      car.towing = fire
      try context.saveChanges()
      #expect(try context.deleteMany(Vehicle.self, where: \.$wheels > 4) == 2)
      #expect(try context.count(Cargo.self) == 0, "cascaded from a child")
      #expect(crate.isDeleted && fire.isDeleted)
      #expect(car.towing == nil)
      #expect(route.vehicles == [car])
      #expect(try datastore.integrityFaults() == [])
    }
  }

  @Test func dynamicObjectsKnowTheirEntities() async throws {
    let directory = try TemporaryDirectory()
    let url = directory.file("family.sqlite")
    let typed = try SwiftDatastore(dataModel: FamilyModel.make(), url: url)
    try await typed.newContext().perform { try FamilyModel.fill($0) }
    try typed.close()
    let datastore = try SwiftDatastore(opening: url)
    let vehicle = try #require(datastore.schema.entity(named: "Vehicle"))
    #expect(vehicle.isAbstract && vehicle.members.count == 4)
    try await datastore.newContext().perform { context in
      let rows: [DynamicObject] = try context.fetch(
        FetchRequest(entity: "Vehicle", sortDescriptors: [SortDescriptor(["label"])]))
      #expect(rows.map(\.entity.name) == ["Car", "Truck", "FireTruck"])
      #expect(rows[2]["ladder"] == .real(30))
      #expect(rows.map { $0["label"] } == ["a", "b", "c"])
      let error = #expect(throws: AbstractEntityError.self) {
        try context.createObject(entityName: "Vehicle")
      }
      #expect(error?.concrete == ["Car", "Truck", "FireTruck"])
      #expect(throws: AbstractEntityError.self) {
        try context.insertMany(entityName: "Vehicle", properties: ["label"], [["z"]])
      }
      let car = try context.createObject(entityName: "Car")
      car["label"] = "d"
      car["seats"] = 2
      rows[0].set(car, for: "towing")
      try context.saveChanges()
      let sql = try context.fetch(
        entityName: "Car", sql: #"SELECT _id FROM "Vehicle" ORDER BY _id"#)
      #expect(sql.map { $0["label"] } == ["a", "d"], "trucks are no cars")
    }
    try datastore.close()
    let again = try SwiftDatastore(dataModel: FamilyModel.make(), url: url)
    try await again.newContext().perform { context in
      let car: Car = try #require(try context.fetchFirst(where: \.$label == "a"))
      #expect((car.towing as? Car)?.seats == 2)
    }
    try again.close()
  }
}

/// Counts the statements that read.
private final class StatementLog: Sendable {
  private let selects = Lock(0)

  var count: Int { selects.withLock { $0 } }

  func record(_ sql: String) {
    if sql.hasPrefix("SELECT") { selects.withLock { $0 += 1 } }
  }
}
