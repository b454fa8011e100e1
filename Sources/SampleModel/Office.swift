public import Foundation
public import SwiftDatastore

/// A place where employees of a company work.
public final class Office: DatastoreObject {
  /// The number of the office in the files of the sample data.
  @Attribute.NotOptional(unique: true) public var id: Int
  @Attribute.NotOptional public var name: String
  @Attribute.NotOptional(indexed: true) public var city: String
  @Attribute.NotOptional public var country: String
  @Attribute.Optional public var street: String?
  /// The number of people that it has room for.
  @Attribute.NotOptional public var capacity: Int32 = 0
  @Attribute.Optional public var openedAt: Date?
  @Relationship.ToOne public var company: Company?
  @Relationship.ToMany(inverse: \.$office) public var employees: Set<Employee>
}
