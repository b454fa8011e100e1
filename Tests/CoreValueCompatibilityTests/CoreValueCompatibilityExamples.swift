// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CoreValueCompatibility
import Foundation
import Testing

// The code of CoreValueCompatibility.md, to the letter.

@MainActor
@Suite struct CoreValueCompatibilityExamples {
  final class ShopObject: DatastoreObject {
    override class var entityName: String { "Shop" }
    @Attribute.NotOptional var name: String
    @Attribute.NotOptional var age: Int32
  }

  struct Shop: CVManagedPersistentStruct {
    static let EntityName = "Shop"
    var objectID: NSManagedObjectID?
    var name: String
    var age: Int32

    static func fromObject(_ o: NSManagedObject) throws -> Shop {
      try curry(self.init) <^> o <|? "objectID" <^> o <| "name" <^> o <| "age"
    }
  }

  @Test func storingAndFinding() throws {
    let model = try SwiftDatastoreModel(from: ShopObject.self)
    let context = try SwiftDatastore(inMemory: model).sharedViewContext

    var shop = Shop(name: "Household Wares", age: 30)
    try shop.save(context)
    let shops: [Shop] = try Shop.query(context, predicate: NSPredicate(format: "age > 20"))
    #expect(shops.map(\.objectID) == [shop.objectID])
  }
}
