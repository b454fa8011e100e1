import Foundation
import SwiftDatastore
import Testing

/// Its type is the same as that of `UUID!`.
private final class Ticket: DatastoreObject {
  @Attribute.NotOptional var id: UUID?
  @Attribute.NotOptional var title: String = ""
}

/// Code in the documents of earlier versions still compiles under its former names, some of which are
/// deprecated now. `ComingFromEarlierVersions.md` lists the code that has to change.
@Suite struct OlderNamesTests {
  @Test func everyCallCompiles() throws {
    #expect(try SnippetCompiler().errors(in: Self.classes + Self.work + Self.userInterface) == [])
  }

  @Test func aMandatoryValueWithAnExclamationMarkIsNilUntilItIsSet() async throws {
    let datastore = try SwiftDatastore(inMemory: SwiftDatastoreModel(from: Ticket.self))
    try await datastore.newContext().perform { context in
      let ticket: Ticket = try context.createObject()
      #expect(ticket.id == nil)
      #expect(throws: ValidationError.self) { try context.saveChanges() }
      let id = UUID()
      ticket.id = id
      try context.saveChanges()
      let found: Ticket? = try context.fetchFirst(where: \.$id == id)
      #expect(found === ticket)
      let values = try context.fetch(Ticket.self, properties: [.init(\.$id)])
      #expect(values.first?["id"] as? UUID == id)
    }
  }

  @Test func aCompiledModelIsRefusedWithTheWayOfToday() throws {
    let errors = try SnippetCompiler().errors(
      in: """
        import SwiftDatastore
        func open() throws -> SwiftDatastore {
          try SwiftDatastore(storeName: "garage", datamodelName: "Garage")
        }
        """)
    #expect(errors.contains { $0.contains("init(dataModel:storeName:)") }, "\(errors)")
  }

  private static let classes = #"""
    import Foundation
    import SwiftDatastore

    enum Fuel: Int16 { case petrol, diesel, electric }

    class Garage: DatastoreObject {
      @Attribute.NotOptional var id: UUID!
      @Attribute.NotOptional private(set) var number: Int
      @Attribute.NotOptional var builtAt: Date
      @Attribute.Optional var photo: Data?
      @Attribute.Optional var website: URL?
      @Relationship.ToMany var cars: Set<Car>

      required init(managedObject: ManagedObjectLogic) {
        super.init(managedObject: managedObject)
      }

      override func objectDidCreate() {
        id = UUID()
        number = 1
      }
    }

    class Car: DatastoreObject {
      @Attribute.NotOptional var plate: String
      @Attribute.NotOptional var price: Float
      @Attribute.Optional var doors: Int?
      @Attribute.Enum var fuel: Fuel?
      @Relationship.ToOne(inverse: \.$cars) var garage: Garage?
      @Relationship.ToOne(inverse: \.$car) var permit: Permit?
      @Relationship.ToMany.Ordered var trips: [Trip]

      override class var entityName: String { "Vehicle" }
    }

    class Permit: DatastoreObject {
      @Attribute.NotOptional var until: Date
      @Relationship.ToOne var car: Car?
    }

    class Trip: DatastoreObject {
      @Attribute.NotOptional var miles: Double
      @Relationship.ToOne(inverse: \.$trips) var car: Car?
    }

    func open() throws -> [SwiftDatastore] {
      let model = try SwiftDatastoreModel(from: Garage.self, Car.self, Permit.self, Trip.self)
      return [
        try SwiftDatastore(dataModel: model, storeName: "garage.store"),
        try SwiftDatastore(dataModel: model, storeName: "garage.test", storingType: .test),
      ]
    }

    """#

  private static let work = #"""
    func work(_ datastore: SwiftDatastore) {
      let context = datastore.newContext()
      let parent: SwiftDatastoreContext = datastore.createNewContext()
      let child = parent.createNewChildContext()

      context.perform { context in
        print(context.hasChanges)
      } success: {
        print("done")
      } failure: { error in
        print(error)
      }
      child.perform { context in
        print(context.hasChanges)
      } completion: {
        print("done")
      }
      context.perform { context in
        let garage: Garage = try context.createObject()
        let car: Car = try context.createObject()
        let permit: Permit = try context.createObject()
        let trip: Trip = try context.createObject()
        garage.builtAt = Date()
        car.plate = "A 1"
        car.fuel = .diesel
        car.fuel = nil
        garage.cars = [car]
        garage.cars.insert(car)
        garage.cars.remove(car)
        car.garage = garage
        permit.car = car
        car.permit = permit
        car.trips = [trip]
        try context.saveChanges()
        try context.save()
        car.plate = "B 2"
        context.revertChanges()
        context.revertChnages()
        context.deleteObject(trip)
        print(trip.willBeDeleted, car.objectID, car == car, Set([car]).count, garage.id as UUID)
      } failure: { error in
        print(error)
      }

      var rows: [[String: Any?]] = []
      context.perform { context in
        let cars: [Car] = try context.fetch(
          where: (\.$price > 30), orderBy: [.asc(\.$plate), .desc(\.$price)], offset: 10, limit: 20)
        let dearest: Car? = try context.fetchFirst(
          where: (\.$price > 30), orderBy: [.desc(\.$price)])
        let first: Car? = try context.fetchFirst(orderBy: [.asc(\.$price)])
        let found: [Car] = try context.fetch(
          where: \.$price >= 18 && (\.$plate ^= "T") || (\.$plate |= "e"))
        let electric: [Car] = try context.fetch(
          where: \.$fuel == .electric || \.$fuel != nil || \.$plate ?= "X")
        rows = try context.fetch(
          Car.self, properties: [.init(\.$price), .init(\.$plate)], orderBy: [.asc(\.$price)])
        let some = try context.fetch(Car.self, properties: [PropetyToFetch(\.$price)])
        let price = rows.first?["price"] as? Float
        let count = try context.count(Car.self, where: (\.$price > 30))
        let removed = try context.deleteMany(Car.self, where: (\.$plate ^= "Smith"))
        let raised: Int = try context.updateMany(
          Car.self, where: \.$plate |= "Smith",
          propertiesToUpdate: [.init(\.$doors, 5), .init(\.$plate, "Jim")])
        try context.updateMany(Car.self, propertiesToUpdate: [.init(\.$fuel, .petrol)])
        print(cars, dearest as Any, first as Any, found, electric, some, price as Any)
        print(count, removed, raised)
      } failure: { error in
        print(error)
      }
      print(rows)

      var saved: SwiftCoredataSavedChanges!
      context.perform { context in
        saved = try context.saveChnages()
      } success: {
        child.perform { context in
          context.refresh(with: saved)
          context.refresh(using: saved)
        } completion: {
        }
      }
    }

    """#

  private static let userInterface = #"""
    @MainActor func show(_ datastore: SwiftDatastore) throws {
      let view: SwiftDatastoreViewContext = datastore.sharedViewContext
      let cars: [Car] = try view.fetch(
        where: (\.$price > 30), orderBy: [.asc(\.$plate)], offset: 10, limit: 20)
      let first: Car? = try view.fetchFirst(orderBy: [.asc(\.$price)])
      print(cars, try view.count(Car.self, where: \.$doors == 5))

      if let car = first {
        datastore.newContext().perform { context in
          let converted = try context.convert(existingObject: car)
          converted.price += 1
          try context.saveChanges()
        } failure: { error in
          print(error)
        }
        car.$plate.observe { plate in print(plate) }
        car.$doors.observe { doors in print(doors ?? 0) }
        car.$trips.observe { trips in print(trips.count) }
        car.$garage.observe { garage in print(garage?.cars.count ?? 0) }
      }

      let controller = FetchedObjectsController<Car>(
        context: view, where: \.$price > 22 || \.$price <= 60,
        orderBy: [.desc(\.$plate), .asc(\.$price)], groupBy: \.$fuel)
      let plain = FetchedObjectsController<Car>(context: view, orderBy: [.asc(\.$plate)])
      try controller.performFetch()
      try plain.performFetch()
      print(controller.numberOfSections, controller.numberOfObjects(inSection: 1))
      print(controller.getObject(at: IndexPath(row: 1, section: 3)) as Any)
      print(controller.sectionName(inSection: 0) ?? "none")
      controller.observeChanges { change in
        switch change {
        case .inserted(let car, let path): print(car, path.row)
        case .updated(let car, let path): print(car, path.section)
        case .deleted(let path): print(path)
        case .moved(let car, let from, let to): print(car, from, to)
        }
      }
    }
    """#
}
