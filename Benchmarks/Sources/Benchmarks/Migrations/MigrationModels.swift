import SwiftDatastore

/// The versions of a model between which migrations are measured: `Old`, and what each of them leads to.
enum Old {
  final class Person: DatastoreObject {
    @Attribute.NotOptional var name: String
    @Attribute.NotOptional var age: Int
    @Attribute.Optional var phone: String?
    @Attribute.Optional var note: String?
    @Relationship.ToOne(inverse: \.$people) var company: Company?
  }

  final class Company: DatastoreObject {
    @Attribute.NotOptional var name: String
    @Relationship.ToMany var people: Set<Person>
  }

  static func model() throws -> SwiftDatastoreModel {
    try SwiftDatastoreModel(version: "Old", from: Person.self, Company.self)
  }
}

/// With one optional attribute more.
enum Added {
  final class Person: DatastoreObject {
    @Attribute.NotOptional var name: String
    @Attribute.NotOptional var age: Int
    @Attribute.Optional var phone: String?
    @Attribute.Optional var note: String?
    @Attribute.Optional var email: String?
    @Relationship.ToOne(inverse: \.$people) var company: Company?
  }

  final class Company: DatastoreObject {
    @Attribute.NotOptional var name: String
    @Relationship.ToMany var people: Set<Person>
  }
}

/// With another name.
enum Renamed {
  final class Person: DatastoreObject {
    @Attribute.NotOptional var name: String
    @Attribute.NotOptional var age: Int
    @Attribute.Optional(renamedFrom: "phone") var tel: String?
    @Attribute.Optional var note: String?
    @Relationship.ToOne(inverse: \.$people) var company: Company?
  }

  final class Company: DatastoreObject {
    @Attribute.NotOptional var name: String
    @Relationship.ToMany var people: Set<Person>
  }
}

/// Without notes.
enum Dropped {
  final class Person: DatastoreObject {
    @Attribute.NotOptional var name: String
    @Attribute.NotOptional var age: Int
    @Attribute.Optional var phone: String?
    @Relationship.ToOne(inverse: \.$people) var company: Company?
  }

  final class Company: DatastoreObject {
    @Attribute.NotOptional var name: String
    @Relationship.ToMany var people: Set<Person>
  }
}

/// With ages as text.
enum Retyped {
  final class Person: DatastoreObject {
    @Attribute.NotOptional var name: String
    @Attribute.NotOptional var age: String
    @Attribute.Optional var phone: String?
    @Attribute.Optional var note: String?
    @Relationship.ToOne(inverse: \.$people) var company: Company?
  }

  final class Company: DatastoreObject {
    @Attribute.NotOptional var name: String
    @Relationship.ToMany var people: Set<Person>
  }
}

/// With a telephone for everyone.
enum Required {
  final class Person: DatastoreObject {
    @Attribute.NotOptional var name: String
    @Attribute.NotOptional var age: Int
    @Attribute.NotOptional var phone: String = "none"
    @Attribute.Optional var note: String?
    @Relationship.ToOne(inverse: \.$people) var company: Company?
  }

  final class Company: DatastoreObject {
    @Attribute.NotOptional var name: String
    @Relationship.ToMany var people: Set<Person>
  }
}

/// With telephones and notes in an entity of their own.
enum Split {
  final class Person: DatastoreObject {
    @Attribute.NotOptional var name: String
    @Attribute.NotOptional var age: Int
    @Relationship.ToOne(inverse: \.$people) var company: Company?
  }

  final class Details: DatastoreObject {
    @Attribute.Optional var phone: String?
    @Attribute.Optional var note: String?
  }

  final class Company: DatastoreObject {
    @Attribute.NotOptional var name: String
    @Relationship.ToMany var people: Set<Person>
  }

  static func model() throws -> SwiftDatastoreModel {
    try SwiftDatastoreModel(version: "Split", from: Person.self, Details.self, Company.self)
  }

  static let step = CustomSchemaMappingProvider(
    from: "Old", to: "Split", entityMappings: [.copyEntity("Person", to: "Details")])
}

/// With several companies for a person.
enum Several {
  final class Person: DatastoreObject {
    @Attribute.NotOptional var name: String
    @Attribute.NotOptional var age: Int
    @Attribute.Optional var phone: String?
    @Attribute.Optional var note: String?
    @Relationship.ToMany(inverse: \.$people, renamedFrom: "company") var companies: Set<Company>
  }

  final class Company: DatastoreObject {
    @Attribute.NotOptional var name: String
    @Relationship.ToMany var people: Set<Person>
  }
}

/// With a name in two parts, made by a closure.
enum Custom {
  final class Person: DatastoreObject {
    @Attribute.NotOptional var first: String
    @Attribute.NotOptional var last: String
    @Attribute.NotOptional var age: Int
    @Attribute.Optional var phone: String?
    @Attribute.Optional var note: String?
    @Relationship.ToOne(inverse: \.$people) var company: Company?
  }

  final class Company: DatastoreObject {
    @Attribute.NotOptional var name: String
    @Relationship.ToMany var people: Set<Person>
  }

  static func model() throws -> SwiftDatastoreModel {
    try SwiftDatastoreModel(version: "Custom", from: Person.self, Company.self)
  }

  static let step = CustomSchemaMappingProvider(
    from: "Old", to: "Custom",
    entityMappings: [
      .transformEntity(Old.Person.self, into: Custom.Person.self) { old, createPerson in
        let name = old.name
        let end = name.utf8.firstIndex(of: UInt8(ascii: " ")) ?? name.endIndex
        let person = try createPerson()
        person.first = String(name[..<end])
        person.last = end == name.endIndex ? "" : String(name[name.utf8.index(after: end)...])
        person.age = old.age
        person.phone = old.phone
        person.note = old.note
        person.company = createPerson.counterpart(of: old.company)
      }
    ])
}
