public import Foundation
public import SwiftDatastore

/// A task of an employee.
///
/// In files that import this module, `_Concurrency.Task` is the task of Swift's concurrency.
public final class Task: DatastoreObject {
  /// The number of the task in the files of the sample data.
  @Attribute.NotOptional(unique: true) public var id: Int
  @Attribute.NotOptional public var title: String
  /// From 0 for some day to 3 for at once.
  @Attribute.NotOptional public var priority: Int8 = 0
  @Attribute.NotOptional(indexed: true) public var isDone: Bool = false
  @Attribute.Optional public var dueAt: Date?
  /// The estimated work in hours.
  @Attribute.Optional public var estimate: Double?
  @Attribute.Optional public var details: String?
  /// nil while the task is not assigned.
  @Relationship.ToOne public var employee: Employee?
}
