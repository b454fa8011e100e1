import Foundation
import SwiftDatastore

final class Department: DatastoreObject {
  @Attribute.NotOptional var name: String
}

/// The objects that are looked for by a key of the program.
final class Badge: DatastoreObject {
  @Attribute.NotOptional(unique: true) var number: Int
}

/// The objects that are imported and upserted.
final class Member: DatastoreObject {
  @Attribute.NotOptional(unique: true) var number: Int
  @Attribute.NotOptional var name: String
  @Attribute.NotOptional var surname: String
  @Attribute.NotOptional var age: Int
  @Attribute.NotOptional var salary: Double
  @Attribute.NotOptional var email: String
}

/// With the key, nine columns.
final class Employee: DatastoreObject {
  @Attribute.NotOptional var name: String
  @Attribute.NotOptional var surname: String
  @Attribute.NotOptional var age: Int
  @Attribute.NotOptional var salary: Double
  @Attribute.NotOptional var position: Int
  @Relationship.ToOne var department: Department?
  @Attribute.NotOptional var hired: Date
  @Attribute.NotOptional var email: String

  func set(_ values: EmployeeValues, department: Department) {
    name = values.name
    surname = values.surname
    age = values.age
    salary = values.salary
    position = values.position
    self.department = department
    hired = Date(timeIntervalSinceReferenceDate: values.hired)
    email = values.email
  }
}
