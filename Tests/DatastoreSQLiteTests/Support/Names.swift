import DatastoreCore

// Foundation and GRDB have types of the same names.
typealias Predicate = DatastoreCore.Predicate
typealias SortDescriptor = DatastoreCore.SortDescriptor
typealias FetchRequest = DatastoreCore.FetchRequest
