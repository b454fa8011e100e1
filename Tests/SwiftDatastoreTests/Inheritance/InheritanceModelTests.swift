import DatastoreCore
import SwiftDatastore
import Testing

/// Classes that inherit from each other in a model.
@Suite struct InheritanceModelTests {
  @Test func inheritedPropertiesHaveTheSameSlots() throws {
    let schema = try FamilyModel.make().schema
    let vehicle = try #require(schema.entity(named: "Vehicle"))
    let truck = try #require(schema.entity(named: "Truck"))
    let fire = try #require(schema.entity(named: "FireTruck"))
    #expect(
      vehicle.properties.map(\.name) == [
        "label", "wheels", "note", "depot", "waitingAt", "towing", "towedBy", "routes",
      ])
    #expect(
      fire.properties.map(\.name) == vehicle.properties.map(\.name) + [
        "load", "code", "crates", "garage", "ladder",
      ])
    #expect(vehicle.properties == Array(truck.properties.prefix(8)))
    #expect(fire.ancestors == [truck.index, vehicle.index])
    #expect(fire.root == vehicle.index)
    #expect(
      vehicle.members.map { schema.entities[$0].name } == ["Vehicle", "Car", "Truck", "FireTruck"])
    #expect(vehicle.isAbstract && !truck.isAbstract && !fire.isAbstract)
    #expect(fire.isKind(of: vehicle) && fire.isKind(of: truck) && !truck.isKind(of: fire))
    let depot = try #require(fire.links[3])
    #expect(depot.entity == vehicle.index, "the entity that declares it")
  }

  @Test func aParentThatIsNotListedLendsItsPropertiesOnly() async throws {
    let model = try SwiftDatastoreModel(from: Gull.self, Hawk.self)
    #expect(model.schema.entities.map(\.parent) == [nil, nil])
    let datastore = try SwiftDatastore(inMemory: model)
    try await datastore.newContext().perform { context in
      let gull: Gull = try context.createObject()
      gull.name = "G"
      let hawk: Hawk = try context.createObject()
      hawk.name = "H"
      hawk.prey = "mouse"
      try context.saveChanges()
      #expect(throws: UnknownEntityError.self) { let _: [Bird] = try context.fetch() }
      let hawks: [Hawk] = try context.fetch(where: \.$name == "H" && \.$prey == "mouse")
      #expect(hawks == [hawk])
    }
  }

  @Test func aClassInBetweenMayBeLeftOut() throws {
    let schema = try SwiftDatastoreModel(from: Vehicle2.self, Bus2.self).schema
    let bus = try #require(schema.entity(named: "Bus2"))
    #expect(bus.properties.map(\.name) == ["name", "load", "seats"])
    #expect(bus.parent == schema.entity(named: "Vehicle2")?.index)
  }

  @Test func faultsOfInheritanceAreListed() {
    #expect(
      faults(Bare.self) == [
        "Bare is abstract, but nothing in the model inherits from it, so it can have no objects; add "
          + "a child, or make it concrete."
      ])
    #expect(
      faults(Careless.self, CarelessChild.self) == [
        "CarelessChild is abstract, as Careless is, and has no children; let `isAbstract` of Careless "
          + "say which class it is about: `self == Careless.self`."
      ])
    #expect(
      faults(BareChild.self) == [
        "BareChild inherits from the abstract class Bare, which is not part of the model; add Bare to "
          + "it."
      ])
    #expect(
      faults(HiddenParent.self, SameName.self) == [
        "SameName declares “code”, which it inherits from HiddenParent already; rename one of them."
      ])
    #expect(
      faults(Keeper.self, Beast.self, Lion.self) == [
        "Keeper.lions leads to Lion, but its inverse “keeper” belongs to every Beast; let it lead to "
          + "Beast, or declare an inverse in Lion."
      ])
  }

  @Test func creatingAnAbstractClassTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let datastore = try FamilyModel.inMemory()
      try await datastore.newContext().perform { context in
        let _: Vehicle = try context.createObject()
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      text.contains("Vehicle is abstract; create an object of Car or Truck or FireTruck instead."))
  }

  private func faults(_ types: DatastoreObject.Type...) -> [String] {
    do {
      _ = try SwiftDatastoreModel(from: types)
      return []
    } catch let error as SchemaError {
      return error.faults.map(\.description)
    } catch {
      return ["\(error)"]
    }
  }
}

private class Bird: DatastoreObject {
  @Attribute.NotOptional(unique: true) var name: String
}

private final class Gull: Bird {}

private final class Hawk: Bird {
  @Attribute.Optional var prey: String?
}

private class Vehicle2: DatastoreObject {
  @Attribute.NotOptional var name: String
}

private class Loader2: Vehicle2 {
  @Attribute.NotOptional var load: Int = 0
}

private final class Bus2: Loader2 {
  @Attribute.NotOptional var seats: Int = 0
}

private class Bare: DatastoreObject {
  override class var isAbstract: Bool { self == Bare.self }
  @Attribute.Optional var name: String?
}

private final class BareChild: Bare {}

private class Careless: DatastoreObject {
  override class var isAbstract: Bool { true }
  @Attribute.Optional var name: String?
}

private final class CarelessChild: Careless {}

private final class SameName: HiddenParent {
  @Attribute.Optional var code: String?
}

private final class Keeper: DatastoreObject {
  @Relationship.ToMany(inverse: \.$keeper) var lions: Set<Lion>
}

private class Beast: DatastoreObject {
  @Relationship.ToOne var keeper: Keeper?
}

private final class Lion: Beast {}
