// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CoreValueCompatibility
import Foundation
import Testing

// Promise: a struct has both sides of a relationship, a wrong type, a property that is not there → it ends:
// nil, or an error that names struct and property.
/// CoreValue's behaviour, and the differences from it.
@MainActor
@Suite struct BoxingTests {
  struct Crew: CVManagedPersistentStruct {
    static let EntityName = "Shop"
    var objectID: NSManagedObjectID?
    var name: String
    var owner: Chief?

    static func fromObject(_ o: NSManagedObject) throws -> Crew {
      try curry(self.init) <^> o <|? "objectID" <^> o <| "name" <^> o <|? "owner"
    }
  }

  struct Chief: CVManagedPersistentStruct {
    static let EntityName = "Owner"
    var objectID: NSManagedObjectID?
    var name: String
    var shops: [Crew]

    static func fromObject(_ o: NSManagedObject) throws -> Chief {
      try curry(self.init) <^> o <|? "objectID" <^> o <| "name" <^> o <|| "shops"
    }
  }

  @Test func bothSidesOfARelationshipEnd() throws {
    let context = try makeContext()
    var chief = Chief(name: "Ann", shops: [Crew(name: "a"), Crew(name: "b")])
    try chief.save(context)
    let chiefs: [Chief] = try Chief.query(context, predicate: nil)
    #expect(chiefs.map { $0.shops.map(\.name) } == [["a", "b"]])
    #expect(chiefs[0].shops.allSatisfy { $0.owner == nil && $0.objectID != nil })
  }

  @Test func theOrderIsSavedAndMembersThatLeaveStay() throws {
    let context = try makeContext()
    var chief = Chief(name: "Ann", shops: ["a", "b", "c"].map { Crew(name: $0) })
    try chief.save(context)
    chief.shops = [chief.shops[2], chief.shops[0]]
    try chief.save(context)
    #expect(try Chief.query(context, predicate: nil)[0].shops.map(\.name) == ["c", "a"])
    #expect(try context.count(ShopObject.self) == 3)
  }

  @Test func aStructWhoseObjectIsGoneIsNotMadeAgain() throws {
    let context = try makeContext()
    var shop = Shop(name: "a", age: 1)
    try shop.save(context)
    try context.deleteMany(From<ShopObject>())
    #expect {
      try shop.save(context)
    } throws: {
      if case CVManagedStructError.structUpdateError(let message) = $0 {
        message.contains("The Shop cannot be saved")
      } else {
        false
      }
    }
    #expect(try context.count(ShopObject.self) == 0)
  }

  struct Misspelt: BoxingStruct {
    static let EntityName = "Counter"
    var count: Int
    var nmae: String
  }

  struct Unstorable: BoxingStruct {
    static let EntityName = "Counter"
    var count: Int
    var name: [String: Int]
  }

  struct Unfit: BoxingStruct {
    static let EntityName = "Counter"
    var count: String
    var name: String
  }

  @Test func errorsNameTheProperty() throws {
    let context = try makeContext()
    func message(_ value: some BoxingStruct) -> String {
      do {
        try value.toObject(context)
        return "nothing"
      } catch {
        return "\(error)"
      }
    }
    #expect(
      message(Misspelt(count: 1, nmae: "a")).contains("Counter has no property “nmae”"))
    #expect(
      message(Unstorable(count: 1, name: [:]))
        == "Unstorable.name cannot be stored: Dictionary<String, Int> is not Boxing.")
    #expect(
      message(Unfit(count: "1", name: "a")).hasPrefix("Unfit.count and Counter.count do not fit"))
    #expect(!context.hasChanges)
  }

  struct WrongType: CVManagedStruct {
    static let EntityName = "Shop"
    var name: Int?

    static func fromObject(_ o: NSManagedObject) throws -> WrongType {
      try curry(self.init(name:)) <^> o <|? "name"
    }
  }

  @Test func aTypeThatDoesNotFitIsNotNil() throws {
    let context = try makeContext()
    var shop = Shop(name: "a", age: 1)
    try shop.save(context)
    #expect(throws: DatastoreValueError.self) { try WrongType.query(context, predicate: nil) }
  }

  @Test func deletingWhatIsNotThereWritesNothing() throws {
    let context = try makeContext()
    #expect(try Author(id: "1", name: "a").delete(context) == false)
    #expect(!context.hasChanges)
    try Author(id: "1", name: "a").save(context)
    #expect(try Author(id: "1", name: "").delete(context))
    #expect(try context.count(AuthorObject.self) == 0)
  }

  @Test func manyAreLookedUpTogetherAndTheLastCounts() throws {
    let context = try makeContext()
    try Author(id: "1", name: "a").save(context)
    let authors = [("1", "b"), ("2", "c"), ("2", "d")].map { Author(id: $0.0, name: $0.1) }
    let objects = try authors.toObjects(context)
    #expect(objects[1] === objects[2])
    try context.saveChanges()
    let stored: [AuthorObject] = try context.fetch(orderBy: [.asc(\.$id)])
    #expect(stored.map(\.name) == ["b", "d"])
  }

  @Test func whatElseIsStagedIsNotSaved() throws {
    let context = try makeContext()
    let other: CounterObject = try context.createObject()
    (other.count, other.name) = (1, "staged")
    #expect(try Author(id: "1", name: "a").save(context) == .staged)
    #expect(context.hasChanges)
  }

  /// Foundation has a type of the same name, which the one of this module stands before.
  @Test func predicatesAreThoseOfThisModule() throws {
    let predicate = NSPredicate(format: "name == %@", "a")
    #expect(predicate.format == "name == %@")
  }
}
