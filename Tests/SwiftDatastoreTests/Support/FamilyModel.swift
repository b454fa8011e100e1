import Foundation
import SwiftDatastore

/// A family of three levels with a relationship of every kind, to the whole of it and to parts.
class Vehicle: DatastoreObject {
  override class var isAbstract: Bool { self == Vehicle.self }

  @Attribute.NotOptional(unique: true) var label: String
  @Attribute.NotOptional(indexed: true) var wheels: Int = 4
  @Attribute.Optional var note: String?
  @Relationship.ToOne(inverse: \.$vehicles) var depot: Depot?
  @Relationship.ToOne(inverse: \.$queue) var waitingAt: Depot?
  @Relationship.ToOne(inverse: \.$towedBy) var towing: Vehicle?
  @Relationship.ToOne var towedBy: Vehicle?
  @Relationship.ToMany(inverse: \.$vehicles) var routes: Set<Route>
}

final class Car: Vehicle {
  @Attribute.NotOptional var seats: Int
  @Attribute.Optional var code: String?
}

class Truck: Vehicle {
  @Attribute.NotOptional var load: Double = 0
  @Attribute.Optional(unique: true) var code: Int?
  @Relationship.ToMany.Ordered(inverse: \.$truck, deleteRule: .cascade) var crates: [Cargo]
  @Relationship.ToOne(inverse: \.$trucks) var garage: Depot?
}

final class FireTruck: Truck {
  override class var uniqueConstraints: [[AnyKeyPath]] {
    [[\FireTruck.$wheels, \FireTruck.$depot]]
  }

  @Attribute.Optional var ladder: Double?
}

final class Depot: DatastoreObject {
  @Attribute.NotOptional var name: String
  @Relationship.ToMany var vehicles: Set<Vehicle>
  @Relationship.ToMany.Ordered var queue: [Vehicle]
  @Relationship.ToMany var trucks: Set<Truck>
  @Relationship.ToOne var flagship: FireTruck?
}

final class Route: DatastoreObject {
  @Attribute.NotOptional var name: String
  @Relationship.ToMany var vehicles: Set<Vehicle>
}

final class Cargo: DatastoreObject {
  @Attribute.NotOptional var name: String
  @Relationship.ToOne var truck: Truck?
}

enum FamilyModel {
  static func make() throws -> SwiftDatastoreModel {
    try SwiftDatastoreModel(
      from: Depot.self, FireTruck.self, Vehicle.self, Car.self, Truck.self, Route.self, Cargo.self)
  }

  static func inMemory() throws -> SwiftDatastore { try SwiftDatastore(inMemory: make()) }

  static func file(options: SwiftDatastore.Options = .init()) throws -> SwiftDatastore {
    try SwiftDatastore(
      dataModel: make(), storeName: UUID().uuidString, storingType: .test, options: options)
  }

  /// A car, a truck and a fire truck, saved: `a`, `b` and `c`.
  static func fill(_ context: SwiftDatastoreContext.Closure) throws {
    let car: Car = try context.createObject()
    car.label = "a"
    car.seats = 5
    car.code = "C-1"
    let truck: Truck = try context.createObject()
    truck.label = "b"
    truck.wheels = 6
    truck.code = 7
    truck.load = 2.5
    let fire: FireTruck = try context.createObject()
    fire.label = "c"
    fire.wheels = 8
    fire.ladder = 30
    fire.load = 1
    try context.saveChanges()
  }
}
