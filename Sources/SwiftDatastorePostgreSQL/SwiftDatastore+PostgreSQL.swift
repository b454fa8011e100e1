#if PostgreSQL
import DatastorePostgreSQL
@_exported public import SwiftDatastore
#endif
