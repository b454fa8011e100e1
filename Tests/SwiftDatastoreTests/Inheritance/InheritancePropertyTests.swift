import DatastoreCore
import DatastoreTestSupport
import SwiftDatastore
import Testing

/// Random operations on a family in two contexts and a child, compared with a plain model. A case is one
/// operation.
@Suite struct InheritancePropertyTests {
  /// One vehicle, as the test expects it.
  struct Expected: Equatable {
    var kind: String
    var wheels = 4
    var extra: Int?
    var depot: String?
    var towing: String?
    var routes: Set<String> = []
    var crates: [String] = []
  }

  struct World: Equatable {
    var vehicles: [String: Expected] = [:]
    var queues: [String: [String]] = [:]
    var routes: Set<String> = []
    var next = 0

    mutating func makeName() -> String {
      next += 1
      return "n\(1000 + next)"
    }

    mutating func makeNumber() -> Int {
      next += 1
      return next + 100
    }

    mutating func remove(_ label: String) {
      vehicles[label] = nil
      for other in vehicles.keys where vehicles[other]?.towing == label {
        vehicles[other]?.towing = nil
      }
      for depot in queues.keys { queues[depot]?.removeAll { $0 == label } }
    }
  }

  @Test(arguments: RandomCases.rounds(of: 30))
  func randomOperationsAgreeWithAPlainModel(round: Int) async throws {
    let seed = RandomCases.seed(round)
    let datastore = try round % 3 == 0 ? FamilyModel.file() : FamilyModel.inMemory()
    var world = World()
    var random = SeededRandom(seed: seed)
    let parent = datastore.newContext()
    let other = datastore.newContext()
    for step in 0..<6 {
      // A child gets no saves of others, so each round has a new one.
      let context = [parent, other, parent.createNewChildContext()][random.below(3)]
      let before = world
      (world, random) = try await context.perform { [world, random] context in
        var world = world
        var random = random
        for _ in 0..<5 { try Self.operate(context, &world, &random) }
        let actual = try Self.read(context)
        try #require(
          actual.vehicles == world.vehicles && actual.queues == world.queues
            && actual.routes == world.routes,
          "seed \(seed), step \(step)")
        let broken = context.core.graph.brokenInvariants()
        try #require(broken == [], "seed \(seed), step \(step)")
        if random.below(4) == 0 {
          context.revertChanges()
          world = before
        } else {
          try context.saveChanges()
        }
        return (world, random)
      }
      // Changes that a child has saved are staged in its parent.
      try await parent.perform { context in try context.saveChanges() }
    }
    let fresh = try await datastore.newContext().perform { try Self.read($0) }
    #expect(fresh.vehicles == world.vehicles, "seed \(seed), at the end")
    #expect(fresh.queues == world.queues, "seed \(seed), at the end")
    #expect(try datastore.integrityFaults() == [], "seed \(seed)")
  }

  private static func operate(
    _ context: SwiftDatastoreContext.Closure, _ world: inout World, _ random: inout SeededRandom
  ) throws {
    let all: [Vehicle] = try context.fetch(orderBy: [.asc(\.$label)])
    let depots: [Depot] = try context.fetch(orderBy: [.asc(\.$name)])
    let routes: [Route] = try context.fetch(orderBy: [.asc(\.$name)])
    switch random.below(12) {
    case 0, 1, 2: try create(context, &world, random.below(3))
    case 3:
      let depot: Depot = try context.createObject()
      depot.name = world.makeName()
      world.queues[depot.name] = []
    case 4:
      let route: Route = try context.createObject()
      route.name = world.makeName()
      route.vehicles = Set(all.filter { _ in random.below(2) == 0 })
      world.routes.insert(route.name)
      for vehicle in route.vehicles { world.vehicles[vehicle.label]?.routes.insert(route.name) }
    case 5:
      guard let vehicle = all.randomElement(using: &random) else { return }
      vehicle.wheels = world.makeNumber()
      world.vehicles[vehicle.label]?.wheels = vehicle.wheels
    case 6:
      guard let vehicle = all.randomElement(using: &random) else { return }
      let value = random.below(100)
      switch vehicle {
      case let car as Car: car.seats = value
      case let fire as FireTruck: fire.ladder = Double(value)
      case let truck as Truck: truck.load = Double(value)
      default: Issue.record("\(vehicle) is of no class of the model")
      }
      world.vehicles[vehicle.label]?.extra = value
    case 7:
      guard let depot = depots.randomElement(using: &random) else { return }
      depot.vehicles = Set(all.filter { _ in random.below(3) == 0 })
      for (label, vehicle) in world.vehicles where vehicle.depot == depot.name {
        world.vehicles[label]?.depot = nil
      }
      for vehicle in depot.vehicles { world.vehicles[vehicle.label]?.depot = depot.name }
    case 8:
      guard let depot = depots.randomElement(using: &random) else { return }
      let queue = all.filter { _ in random.below(3) == 0 }.shuffled(using: &random)
      depot.queue = queue
      let labels = queue.map(\.label)
      for name in world.queues.keys { world.queues[name]?.removeAll { labels.contains($0) } }
      world.queues[depot.name] = labels
    case 9:
      guard let vehicle = all.randomElement(using: &random) else { return }
      let other = all.filter { $0 !== vehicle }.randomElement(using: &random)
      vehicle.towing = other
      for label in world.vehicles.keys
      where other != nil && world.vehicles[label]?.towing == other?.label {
        world.vehicles[label]?.towing = nil
      }
      world.vehicles[vehicle.label]?.towing = other?.label
    case 10:
      let trucks: [Truck] = try context.fetch(orderBy: [.asc(\.$label)])
      guard let truck = trucks.randomElement(using: &random) else { return }
      let crate: Cargo = try context.createObject()
      crate.name = world.makeName()
      truck.crates.insert(crate, at: 0)
      world.vehicles[truck.label]?.crates.insert(crate.name, at: 0)
    default:
      if random.below(3) == 0, let route = routes.randomElement(using: &random) {
        for label in world.vehicles.keys { world.vehicles[label]?.routes.remove(route.name) }
        world.routes.remove(route.name)
        context.deleteObject(route)
      } else if let vehicle = all.randomElement(using: &random) {
        world.remove(vehicle.label)
        context.deleteObject(vehicle)
      }
    }
  }

  private static func create(
    _ context: SwiftDatastoreContext.Closure, _ world: inout World, _ kind: Int
  ) throws {
    let label = world.makeName()
    switch kind {
    case 0:
      let car: Car = try context.createObject()
      car.label = label
      car.seats = 1
      world.vehicles[label] = Expected(kind: "Car", extra: 1)
    case 1:
      let truck: Truck = try context.createObject()
      truck.label = label
      world.vehicles[label] = Expected(kind: "Truck", extra: 0)
    default:
      let fire: FireTruck = try context.createObject()
      fire.label = label
      fire.wheels = world.makeNumber()
      world.vehicles[label] = Expected(kind: "FireTruck", wheels: fire.wheels)
    }
  }

  /// Everything, fetched by the parent, and compared with the children's objects.
  private static func read(_ context: SwiftDatastoreContext.Closure) throws -> World {
    var world = World()
    let all: [Vehicle] = try context.fetch()
    for vehicle in all {
      var expected = Expected(kind: "\(type(of: vehicle))", wheels: vehicle.wheels)
      switch vehicle {
      case let car as Car: expected.extra = car.seats
      case let fire as FireTruck: expected.extra = fire.ladder.map { Int($0) }
      case let truck as Truck: expected.extra = Int(truck.load)
      default: break
      }
      expected.depot = vehicle.depot?.name
      expected.towing = vehicle.towing?.label
      expected.routes = Set(vehicle.routes.map(\.name))
      expected.crates = (vehicle as? Truck)?.crates.map(\.name) ?? []
      world.vehicles[vehicle.label] = expected
    }
    let trucks: [Truck] = try context.fetch()
    let fires: [FireTruck] = try context.fetch()
    let cars: [Car] = try context.fetch()
    #expect(
      Set(trucks.map(ObjectIdentifier.init))
        == Set(all.filter { $0 is Truck }.map(ObjectIdentifier.init)))
    #expect(Set(fires.map(\.label)) == Set(all.filter { $0 is FireTruck }.map(\.label)))
    #expect(cars.count + trucks.count == all.count)
    #expect(try context.count(Truck.self) == trucks.count)
    let depots: [Depot] = try context.fetch()
    for depot in depots {
      world.queues[depot.name] = depot.queue.map(\.label)
      for vehicle in depot.vehicles { #expect(vehicle.depot === depot) }
    }
    let routes: [Route] = try context.fetch()
    world.routes = Set(routes.map(\.name))
    return world
  }
}
