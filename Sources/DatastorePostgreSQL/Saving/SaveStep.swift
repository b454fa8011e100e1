#if PostgreSQL
import DatastoreCore

/// One statement of a save, and what is known of it when the server refuses it.
struct SaveStep {
  let statement: PostgreSQLStatement
  /// Whose rows it writes; nil for statements about no rows.
  var entity: EntityIndex?
  /// Whether it divides by zero where a row is not the one that was seen.
  var isAssertion = false
}
#endif
