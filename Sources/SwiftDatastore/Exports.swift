// An import of SwiftDatastore shows the values, schemas and predicates it is made of, and the
// errors and settings of the store, without naming the targets they live in.
@_exported public import DatastoreCore

@_exported public import enum DatastoreSQLite.StoreError
@_exported public import enum DatastoreSQLite.Synchronous
