import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// After any change of a family, controllers of the parent and of children equal a fetch. A case is one
/// operation.
@MainActor
@Suite struct InheritanceControllerPropertyTests {
  @Test(arguments: RandomCases.rounds(of: 50))
  func controllersShowWhatFetchingFinds(round: Int) async throws {
    let seed = RandomCases.seed(round)
    var random = SeededRandom(seed: seed)
    let datastore = try round % 4 == 0 ? FamilyModel.file() : FamilyModel.inMemory()
    let view = datastore.sharedViewContext
    let context = datastore.newContext()
    let all = FetchedObjectsController<Vehicle>(
      viewContext: view, orderBy: [.asc(\.$wheels), .desc(\.$label)], groupBy: \.$note)
    let trucks = FetchedObjectsController<Truck>(
      viewContext: view, where: \.$wheels < 6, orderBy: [.desc(\.$load), .asc(\.$label)])
    let fires = FetchedObjectsController<FireTruck>(viewContext: view, orderBy: [.asc(\.$label)])
    try await all.performFetch()
    try await trucks.performFetch()
    try await fires.performFetch()
    for step in 0..<10 {
      try await takeRandomStep(step, in: view, or: context, savesViewOneIn: 3, &random) {
        try Self.operate($0, $1, &$2, $3)
      }
      await all.settled()
      await trucks.settled()
      await fires.settled()
      let place: Comment = "seed \(seed), step \(step)"
      let vehicles: [Vehicle] = try view.fetch(
        orderBy: [.asc(\.$note), .asc(\.$wheels), .desc(\.$label)])
      try #require(Self.objects(all) == vehicles.map(\.label), place)
      #expect(all.numberOfSections == Set(vehicles.map(\.note)).count, place)
      let some: [Truck] = try view.fetch(
        where: \.$wheels < 6, orderBy: [.desc(\.$load), .asc(\.$label)])
      try #require(Self.objects(trucks) == some.map(\.label), place)
      let few: [FireTruck] = try view.fetch(orderBy: [.asc(\.$label)])
      try #require(Self.objects(fires) == few.map(\.label), place)
      try #require(view.core.graph.brokenInvariants() == [], place)
    }
  }

  private static func objects<T: Vehicle>(_ controller: FetchedObjectsController<T>) -> [String] {
    (0..<controller.numberOfSections).flatMap { section in
      (0..<controller.numberOfObjects(inSection: section)).compactMap { row in
        controller.getObject(at: IndexPath(row: row, section: section))?.label
      }
    }
  }

  /// Five operations on objects whose label begins with a letter of their own, so that two contexts are never
  /// in conflict.
  nonisolated private static func operate(
    _ context: some ObjectContext, _ letter: String, _ random: inout SeededRandom, _ step: String
  ) throws {
    for part in 0..<5 {
      let mine: [Vehicle] = try context.fetch(
        where: (\.$label ^= letter), orderBy: [.asc(\.$label)])
      let label = "\(letter)\(random.below(1000)) \(step).\(part)"
      switch random.below(10) {
      case 0, 1:
        let car: Car = try context.createObject()
        (car.label, car.seats, car.wheels) = (label, 1, random.below(8))
      case 2:
        let truck: Truck = try context.createObject()
        (truck.label, truck.wheels) = (label, random.below(8))
      case 3:
        let fire: FireTruck = try context.createObject()
        (fire.label, fire.wheels) = (label, random.below(8))
      case 4, 5: mine.randomElement(using: &random)?.wheels = random.below(8)
      case 6:
        mine.randomElement(using: &random)?.note =
          [nil, "a", "b"].randomElement(using: &random) ?? nil
      case 7: (mine.randomElement(using: &random) as? Truck)?.load = Double(random.below(4))
      case 8: mine.randomElement(using: &random)?.label = label
      default: if let vehicle = mine.randomElement(using: &random) { context.deleteObject(vehicle) }
      }
    }
  }
}
