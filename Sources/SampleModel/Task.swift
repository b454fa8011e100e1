public import Foundation
public import SwiftDatastore

/// Something that an employee has to do.
///
/// In files that import this module, the task of Swift's concurrency is `_Concurrency.Task`.
public final class Task: DatastoreObject {
  /// The number by which the files of the sample data refer to the task.
  @Attribute.NotOptional(unique: true) public var id: Int
  @Attribute.NotOptional public var title: String
  /// From 0, some day, to 3, at once.
  @Attribute.NotOptional public var priority: Int8 = 0
  @Attribute.NotOptional(indexed: true) public var isDone: Bool = false
  @Attribute.Optional public var dueAt: Date?
  /// In hours.
  @Attribute.Optional public var estimate: Double?
  @Attribute.Optional public var details: String?
  /// nil while it is not assigned.
  @Relationship.ToOne public var employee: Employee?
}
