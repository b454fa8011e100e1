import CoreValueCompatibility
import Foundation
// Named so that this target is built again with it; programs need not.
import SwiftDatastore

// The entities that the document has in a model file.

final class ShopObject: DatastoreObject {
  override class var entityName: String { "Shop" }
  @Attribute.NotOptional var name: String = ""
  @Attribute.NotOptional var age: Int32 = 0
  @Relationship.ToOne(inverse: \.$shops) var owner: OwnerObject?
  @Relationship.ToMany.Ordered(inverse: \.$shop) var employees: [EmployeeObject]
}

final class OwnerObject: DatastoreObject {
  override class var entityName: String { "Owner" }
  @Attribute.NotOptional var name: String = ""
  @Relationship.ToMany.Ordered var shops: [ShopObject]
}

final class EmployeeObject: DatastoreObject {
  override class var entityName: String { "Employee" }
  @Attribute.NotOptional var name: String = ""
  @Attribute.NotOptional var age: Int16 = 0
  @Attribute.Optional var position: String?
  @Attribute.NotOptional var department: String = ""
  @Attribute.NotOptional var job: String = ""
  @Relationship.ToOne var shop: ShopObject?
}

final class CounterObject: DatastoreObject {
  override class var entityName: String { "Counter" }
  @Attribute.NotOptional var count: Int
  @Attribute.NotOptional var name: String
}

final class CarObject: DatastoreObject {
  override class var entityName: String { "Car" }
  @Attribute.NotOptional var name: String
  @Attribute.NotOptional var type: String
}

final class AuthorObject: DatastoreObject {
  override class var entityName: String { "Author" }
  @Attribute.NotOptional(unique: true) var id: String
  @Attribute.NotOptional var name: String
}

/// The view context of a new store in memory, which holds all of these.
@MainActor func makeContext() throws -> SwiftDatastoreViewContext {
  try SwiftDatastore(
    inMemory: SwiftDatastoreModel(
      from: ShopObject.self, OwnerObject.self, EmployeeObject.self, CounterObject.self,
      CarObject.self, AuthorObject.self)
  ).sharedViewContext
}
