// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CoreValueCompatibility
import Foundation
import Testing

// The code of the document of CoreValue 0.4.0, block by block. Names differ where today's Swift cannot
// compile the document's code: missing braces, `try` and `any`, constants that are changed, a type that is
// once `XShop`. `DocumentBlockTests` lists which block is where.

// CoreValue.md:30
struct Shop: CVManagedPersistentStruct {
  static let EntityName = "Shop"
  var objectID: NSManagedObjectID?
  let name: String
  var age: Int32
  var owner: Owner?

  static func fromObject(_ o: NSManagedObject) throws -> Shop {
    try curry(self.init)
      <^> o <|? "objectID"
      <^> o <| "name"
      <^> o <| "age"
      <^> o <|? "owner"
  }
}

struct Owner: CVManagedPersistentStruct {
  static let EntityName = "Owner"
  var objectID: NSManagedObjectID?
  var name: String

  static func fromObject(_ o: NSManagedObject) throws -> Owner {
    try curry(self.init) <^> o <|? "objectID" <^> o <| "name"
  }
}

// CoreValue.md:110
struct Counter: BoxingStruct {
  static let EntityName = "Counter"
  var count: Int
  let name: String
}

// CoreValue.md:132
struct PersistentCounter: BoxingPersistentStruct {
  static let EntityName = "Counter"

  var objectID: NSManagedObjectID?

  var count: Int
  let name: String
}

// CoreValue.md:151
enum SubProperties {
  struct Employee: BoxingPersistentStruct {
    static let EntityName = "Employee"
    var objectID: NSManagedObjectID?
    let name: String
  }

  struct Shop: BoxingPersistentStruct {
    static let EntityName = "Shop"
    var objectID: NSManagedObjectID?
    let employees: [Employee]
  }
}

// CoreValue.md:193
struct ReadCounter: UnboxingStruct {
  var count: Int
  let name: String

  static func fromObject(_ object: NSManagedObject) throws -> ReadCounter {
    try curry(self.init) <^> object <| "count" <^> object <| "name"
  }
}

// CoreValue.md:243
enum CarType: String {
  case pickup
  case sedan
  case hatchback
}

extension CarType: Boxing, Unboxing {}

struct Car: CVManagedPersistentStruct {
  static let EntityName = "Car"
  var objectID: NSManagedObjectID?
  var name: String
  var type: CarType

  static func fromObject(_ o: NSManagedObject) throws -> Car {
    try curry(self.init)
      <^> o <|? "objectID"
      <^> o <| "name"
      <^> o <| "type"
  }
}

// CoreValue.md:275
struct Employee: CVManagedPersistentStruct {

  static let EntityName = "Employee"

  var objectID: NSManagedObjectID?

  let name: String
  var age: Int16
  let position: String?
  let department: String
  let job: String

  static func fromObject(_ o: NSManagedObject) throws -> Employee {
    try curry(self.init)
      <^> o <| "objectID"
      <^> o <| "name"
      <^> o <| "age"
      <^> o <|? "position"
      <^> o <| "department"
      <^> o <| "job"
  }
}

struct StaffedShop: CVManagedPersistentStruct {
  static let EntityName = "Shop"

  var objectID: NSManagedObjectID?

  var name: String
  var age: Int16
  var employees: [Employee]

  static func fromObject(_ o: NSManagedObject) throws -> StaffedShop {
    try curry(self.init)
      <^> o <| "objectID"
      <^> o <| "name"
      <^> o <| "age"
      <^> o <|| "employees"
  }
}

// CoreValue.md:343
struct Author: CVManagedUniqueStruct {

  static let EntityName = "Author"

  static let IdentifierName: String = "id"

  func IdentifierValue() -> any IdentifierType { self.id }

  let id: String
  let name: String

  static func fromObject(_ o: NSManagedObject) throws -> Author {
    try curry(self.init)
      <^> o <| "id"
      <^> o <| "name"
  }
}

// Promise: a block of CoreValue's document does not compile any more → the test does not build; every block
// is a snippet or has a reason.
// Also: `DocumentBlockTests`
@MainActor
@Suite struct CoreValueDocument {
  @Test("CoreValue.md:60")
  func usage() throws {
    let context = try makeContext()
    // Get all shops (`[Shop]` is required for the type checker to get your intent!)
    let none: [Shop] = try Shop.query(context, predicate: nil)
    #expect(none.isEmpty)

    // Create a shop
    var aShop = Shop(objectID: nil, name: "Household Wares", age: 30, owner: nil)

    // Store it as a managed object
    try aShop.save(context)
    #expect(aShop.objectID != nil)

    // Change the age
    aShop.age = 40

    // Update the managed object in the store
    try aShop.save(context)
    let stored: [ShopObject] = try context.fetch()
    #expect(stored.map(\.age) == [40])

    // Convert a managed object into a shop
    var nsShop: Shop? = try? Shop.fromObject(stored[0])
    #expect(nsShop?.name == "Household Wares" && nsShop?.objectID == aShop.objectID)

    // Convert a shop into an nsmanagedobject
    let shopObj = try nsShop?.mutatingToObject(context)
    #expect(shopObj === stored[0])

    // Delete the object
    try aShop.delete(context)
    #expect(try context.count(ShopObject.self) == 0 && aShop.objectID == nil)
  }

  @Test("CoreValue.md:90")
  func querying() throws {
    let context = try makeContext()
    var shops = [("b", 1), ("a", 2), ("c", 3)].map { Shop(name: $0.0, age: $0.1) }
    try shops.saveAll(context)
    let sorted: [Shop] = try Shop.query(
      context, predicate: NSPredicate(format: "age >= %@", 2),
      sortDescriptors: [NSSortDescriptor(key: "name", ascending: false)])
    #expect(sorted.map(\.name) == ["c", "a"])
    let some: [Shop] = try Shop.query(context, predicate: NSPredicate(format: "name == 'b'"))
    #expect(some.map(\.age) == [1])
  }

  @Test("CoreValue.md:110, 132, 193")
  func counters() throws {
    let context = try makeContext()
    let aCounter = Counter(count: 1, name: "a")
    let object = try aCounter.toObject(context)
    try aCounter.toObject(context)
    #expect(try context.count(CounterObject.self) == 2)
    #expect(try ReadCounter.fromObject(object).count == 1)

    var persistent = PersistentCounter(count: 2, name: "b")
    try persistent.mutatingToObject(context)
    persistent.count = 3
    try persistent.save(context)
    let counts: [CounterObject] = try context.fetch(where: \.$name == "b")
    #expect(counts.map(\.count) == [3])
  }

  @Test("CoreValue.md:151")
  func subProperties() throws {
    let context = try makeContext()
    var shop = SubProperties.Shop(employees: ["x", "y"].map { SubProperties.Employee(name: $0) })
    try shop.save(context)
    let stored: [ShopObject] = try context.fetch()
    #expect(stored.map { $0.employees.map(\.name) } == [["x", "y"]])
  }

  @Test("CoreValue.md:243")
  func enums() throws {
    let context = try makeContext()
    var car = Car(name: "Beetle", type: .sedan)
    try car.save(context)
    let cars: [Car] = try Car.query(context, predicate: nil)
    #expect(cars.map(\.type) == [.sedan])
    let stored: [CarObject] = try context.fetch()
    #expect(stored.map(\.type) == ["sedan"])
  }

  @Test("CoreValue.md:275")
  func oneYearHasPassed() throws {
    let context = try makeContext()
    let employees = ["Kim", "Ann"].map {
      Employee(name: $0, age: 30, position: nil, department: "sales", job: "clerk")
    }
    var first = StaffedShop(name: "Corner", age: 1, employees: employees)
    try first.save(context)
    #expect(first.employees.allSatisfy { $0.objectID != nil })

    // One year has passed, update the age of our shops and employees by one
    var shops: [StaffedShop] = try StaffedShop.query(context, predicate: nil)
    for index in shops.indices {
      shops[index].age += 1
      for number in shops[index].employees.indices {
        shops[index].employees[number].age += 1
      }
      try shops[index].save(context)
    }
    let stored: [EmployeeObject] = try context.fetch()
    #expect(stored.map(\.age) == [31, 31])
    #expect(try StaffedShop.query(context, predicate: nil).map(\.age) == [2])
  }

  @Test("CoreValue.md:333, 343")
  func uniqueStructs() throws {
    let context = try makeContext()
    try Author(id: "1", name: "Le Guin").save(context)
    try Author(id: "1", name: "Ursula K. Le Guin").save(context)
    let authors: [Author] = try Author.query(context, predicate: nil)
    #expect(authors.map(\.name) == ["Ursula K. Le Guin"])
  }
}
