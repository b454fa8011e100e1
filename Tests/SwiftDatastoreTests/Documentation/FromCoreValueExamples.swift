import SwiftDatastore
import Testing

// The code of FromCoreValue.md that is ours, to the letter.

private enum Shops {
  final class ShopObject: DatastoreObject {
    @Attribute.NotOptional var name: String
    @Relationship.ToMany.Ordered var employees: [EmployeeObject]
  }

  final class EmployeeObject: DatastoreObject {
    @Attribute.NotOptional var name: String
    @Attribute.NotOptional var age: Int16
    @Relationship.ToOne(inverse: \.$employees) var shop: ShopObject?
  }

  struct Employee: IdentifiedDatastoreValue, Codable {
    typealias Object = EmployeeObject
    enum CodingKeys: String, CodingKey { case name, age }
    var objectID: DatastoreObjectID?
    var name: String
    var age: Int16
  }

  struct Shop: IdentifiedDatastoreValue, Codable {
    typealias Object = ShopObject
    enum CodingKeys: String, CodingKey { case name, employees }
    var objectID: DatastoreObjectID?
    var name: String
    var employees: [Employee]
  }
}

extension Shops {
  @MainActor
  @Suite struct FromCoreValueExamples {
    @Test func theSameProgram() throws {
      let model = try SwiftDatastoreModel(from: ShopObject.self, EmployeeObject.self)
      let context = try SwiftDatastore(inMemory: model).sharedViewContext
      var shop = Shop(name: "Household Wares", employees: [Employee(name: "Kim", age: 30)])
      try context.save(&shop)

      var shops = try context.fetch(Shop.self, where: \.$name ^= "H")
      for index in shops.indices {
        for number in shops[index].employees.indices { shops[index].employees[number].age += 1 }
      }
      try context.saveAll(&shops)
      let ages: [EmployeeObject] = try context.fetch()
      #expect(ages.map(\.age) == [31])
      #expect(shop.employees.first?.objectID == ages.first?.objectID)
    }
  }
}
