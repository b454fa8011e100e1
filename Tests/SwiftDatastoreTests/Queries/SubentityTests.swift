import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// Queries for the objects of a class itself, and conditions on the entity of an object.
@Suite("The own entity of objects in queries")
struct SubentityTests {
  private func filled() async throws -> SwiftDatastore {
    let datastore = try SwiftDatastore(
      dataModel: FamilyModel.make(), storeName: UUID().uuidString, storingType: .test)
    try await datastore.write { context in
      let depot: Depot = try context.createObject()
      depot.name = "North"
      let car: Car = try context.createObject()
      car.label = "car"
      car.seats = 4
      let truck: Truck = try context.createObject()
      truck.label = "truck"
      truck.depot = depot
      let engine: FireTruck = try context.createObject()
      engine.label = "engine"
      engine.wheels = 6
      truck.towing = engine
      engine.depot = depot
    }
    return datastore
  }

  @Test(
    "Without subentities a query finds the class alone, saved and staged, and can be turned back")
  func exactly() async throws {
    let datastore = try await filled()
    let trucks = From<Truck>().orderBy(.asc(\.$label))
    let own = trucks.includingSubentities(false)
    #expect("\(own)" == "FROM Truck WHERE @entity == \"Truck\" ORDER BY label")
    #expect(own.includingSubentities(true) == trucks && own != trucks)
    try await datastore.newContext().perform { context in
      let all = try context.fetch(trucks).map(\.label)
      #expect(all == ["engine", "truck"])
      #expect(try context.fetch(own).map(\.label) == ["truck"] && context.count(own) == 1)
      #expect(try context.rows(own.select(\.$label)) == ["truck"])
      #expect(try context.count(From<Vehicle>().includingSubentities(false)) == 0, "abstract")
      #expect(try context.count(From<Depot>().includingSubentities(false)) == 1, "without a family")
      let truck: Truck = try context.createObject()
      truck.label = "new truck"
      let engine: FireTruck = try context.createObject()
      engine.label = "new engine"
      engine.wheels = 8
      #expect(try context.fetch(own).map(\.label) == ["new truck", "truck"])
      try context.saveChanges()
      #expect(try context.fetch(own).map(\.label) == ["new truck", "truck"])
      let changed = try context.updateMany(
        From<Truck>().includingSubentities(false), propertiesToUpdate: [.init(\.$note, "x")])
      #expect(changed == 2)
      #expect(
        try context.fetch(trucks.where(\.$note == nil)).map(\.label) == ["engine", "new engine"])
    }
    let url = try #require(datastore.url)
    #expect(
      try SQLiteFile.output(
        of: "SELECT label FROM Vehicle WHERE _entity = 'Truck' ORDER BY label", at: url)
        == "new truck\ntruck\n")
  }

  @Test("The format language asks for it anywhere in a path")
  func format() async throws {
    let datastore = try await filled()
    try await datastore.newContext().perform { context in
      func labels(_ format: String) throws -> [String] {
        let condition: Where<Vehicle> = try context.condition(format)
        #expect("\(condition)" == format)
        return try context.fetch(From<Vehicle>().where(condition).orderBy(.asc(\.$label)))
          .map(\.label)
      }
      let cars = try labels("@entity == \"Car\"")
      #expect(cars == ["car"])
      #expect(try labels("@entity IN {\"Car\", \"FireTruck\"}") == ["car", "engine"])
      #expect(try labels("towing.@entity == \"FireTruck\"") == ["truck"])
      #expect(try labels("towing.@entity == NULL") == ["car", "engine"])
      #expect(try labels("depot.@entity == \"Depot\"") == ["engine", "truck"])
      #expect(try labels("depot.@entity != \"Depot\"") == ["car"])
      #expect(throws: PredicateSyntaxError.self) { try labels("@entity.label == 1") }
      let depots: Where<Depot> = try context.condition("ANY vehicles.@entity == \"Car\"")
      #expect(try context.count(From<Depot>().where(depots)) == 0)
      // In memory, too.
      let truck = try #require(try context.fetchFirst(From<Truck>().where(\.$label == "truck")))
      truck.note = "staged"
      truck.towing = nil
      #expect(try labels("towing.@entity == NULL") == ["car", "engine", "truck"])
    }
  }
}
