public import Foundation
public import SwiftDatastore

/// A person who works for a company.
public final class Employee: DatastoreObject {
  /// The number of the employee in the files of the sample data.
  @Attribute.NotOptional(unique: true) public var id: Int
  @Attribute.NotOptional(initial: { UUID() }) public var uuid: UUID
  @Attribute.NotOptional public var name: String
  @Attribute.NotOptional(indexed: true) public var surname: String
  @Attribute.NotOptional public var age: Int16 = 0
  /// The salary in euros a year.
  @Attribute.NotOptional public var salary: Decimal = 0
  @Attribute.Enum(indexed: true) public var position: Position?
  @Attribute.Optional public var email: String?
  @Attribute.Optional public var phone: String?
  @Attribute.Optional public var hiredAt: Date?
  @Attribute.NotOptional public var isRemote: Bool = false
  @Attribute.Optional public var notes: String?
  @Relationship.ToOne public var company: Company?
  /// nil for people who work from home or travel.
  @Relationship.ToOne public var office: Office?
  /// nil for people at the top.
  @Relationship.ToOne(inverse: \.$reports) public var manager: Employee?
  /// The employees whom this one manages.
  @Relationship.ToMany public var reports: Set<Employee>
  /// The tasks in the order of their execution; deleted with the employee.
  @Relationship.ToMany.Ordered(inverse: \.$employee, deleteRule: .cascade) public var tasks: [Task]
}
