public import Foundation
public import SwiftDatastore

/// A company of the sample data: the owner of offices and the employer of people.
public final class Company: DatastoreObject {
  /// The number of the company in the files of the sample data.
  @Attribute.NotOptional(unique: true) public var id: Int
  @Attribute.NotOptional(indexed: true) public var name: String
  @Attribute.Optional public var industry: String?
  @Attribute.Optional public var founded: Date?
  /// The revenue of the last year in euros; nil if it is not published.
  @Attribute.Optional public var revenue: Double?
  @Attribute.Optional public var website: URL?
  /// Whether its shares are traded.
  @Attribute.NotOptional public var isPublic: Bool = false
  /// Its offices are deleted with it.
  @Relationship.ToMany(inverse: \.$company, deleteRule: .cascade) public var offices: Set<Office>
  @Relationship.ToMany(inverse: \.$company) public var employees: Set<Employee>
}
