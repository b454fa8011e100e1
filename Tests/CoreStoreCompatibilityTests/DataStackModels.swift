import CoreStoreCompatibility

/// Four versions of one model.
enum V1 {
  final class Person: CoreStoreObject {
    @Attribute.NotOptional var name: String = ""
    @Attribute.NotOptional var age: Int = 0
  }

  final class Draft: CoreStoreObject {
    @Attribute.Optional var text: String?
  }

  static let schema = CoreStoreSchema(
    modelVersion: "V1", entities: [Entity<Person>("Person"), Entity<Draft>("Draft")])
}

/// One more property: no row is written for it.
enum V2 {
  final class Person: CoreStoreObject {
    @Attribute.NotOptional var name: String = ""
    @Attribute.NotOptional var age: Int = 0
    @Attribute.Optional var nickname: String?
  }

  final class Draft: CoreStoreObject {
    @Attribute.Optional var text: String?
  }

  static let schema = CoreStoreSchema(
    modelVersion: "V2", entities: [Entity<Person>("Person"), Entity<Draft>("Draft")])
}

/// A property of another type, and an entity less.
enum V3 {
  final class Person: CoreStoreObject {
    @Attribute.NotOptional var name: String = ""
    @Attribute.NotOptional var age: Double = 0
    @Attribute.Optional var nickname: String?
  }

  static let schema = CoreStoreSchema(modelVersion: "V3", entities: [Entity<Person>("Person")])
}

/// Lacks a property, without declaring the removal.
enum V4 {
  final class Person: CoreStoreObject {
    @Attribute.NotOptional var name: String = ""
  }

  static let schema = CoreStoreSchema(modelVersion: "V4", entities: [Entity<Person>("Person")])

  /// The same, with the removal declared.
  static let removing = CoreStoreSchema(
    modelVersion: "V4", entities: [Entity<Person>("Person")], removes: ["Person.age", "Draft"])
}
