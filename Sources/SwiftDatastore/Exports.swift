// Users of SwiftDatastore see the values, schemas, predicates, errors and settings it is made of without
// naming the target they live in.
@_exported public import DatastoreCore
