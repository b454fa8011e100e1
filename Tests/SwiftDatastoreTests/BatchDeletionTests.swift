import DatastoreCore
import SwiftDatastore
import Testing

private final class Customer: DatastoreObject {
  @Attribute.NotOptional var name: String = ""
  @Relationship.ToMany(deleteRule: .cascade) var orders: Set<Order>
}

private final class Order: DatastoreObject {
  @Attribute.NotOptional var number: Int = 0
  @Relationship.ToOne.Required(inverse: \.$orders) var customer: Customer
}

/// The rows deleted with many rows at once; `DeletionAgreementTests` compares them with all other ways.
@Suite("Deletion of many objects")
struct BatchDeletionTests {
  @Test(
    "A class that cascades to one whose way back is required", arguments: TestEngine.allCases)
  func requiredInverse(engine: TestEngine) async throws {
    let datastore = try engine.makeDatastore(SwiftDatastoreModel(from: Customer.self, Order.self))
    try await datastore.write { context in
      for name in ["Ann", "Bob"] {
        let customer: Customer = try context.createObject()
        customer.name = name
        for number in 1...3 {
          let order: Order = try context.createObject()
          order.number = number
          order.customer = customer
        }
      }
    }
    try await datastore.newContext().perform { context in
      let left: Order = try #require(try context.fetchFirst(where: \.$customer ~ \.$name == "Bob"))
      #expect(try context.deleteMany(Customer.self, where: \.$name == "Ann") == 1)
      #expect(try context.count(Order.self) == 3 && left.customer.name == "Bob")
      #expect(context.core.graph.brokenInvariants() == [])
    }
  }
}
