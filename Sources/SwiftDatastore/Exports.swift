// Users of SwiftDatastore see its values, schemas, predicates, errors and settings without importing the
// target that declares them.
@_exported public import DatastoreCore

/// Names that Foundation declares as well, for files that import both modules. Such a file cannot write the
/// module's name before them, because the class `SwiftDatastore` hides it, but it can write the class's.
extension SwiftDatastore {
  /// The condition type of this library, for files that also import Foundation: `SwiftDatastore.Predicate`.
  public typealias Predicate = DatastoreCore.Predicate
  /// The sort key of this library, for files that also import Foundation: `SwiftDatastore.SortDescriptor`.
  public typealias SortDescriptor = DatastoreCore.SortDescriptor
}
