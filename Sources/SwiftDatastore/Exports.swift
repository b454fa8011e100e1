// Users of SwiftDatastore see the values, schemas, predicates, errors and settings it is made of without
// naming the target they live in.
@_exported public import DatastoreCore

/// Names that Foundation has, too, for files that import both. The module cannot be put before them, since
/// this class has its name; the class can.
extension SwiftDatastore {
  /// The condition type of this library, where Foundation's is imported as well: `SwiftDatastore.Predicate`.
  public typealias Predicate = DatastoreCore.Predicate
  /// The sort key of this library, where Foundation's is imported as well: `SwiftDatastore.SortDescriptor`.
  public typealias SortDescriptor = DatastoreCore.SortDescriptor
}
