#if PostgreSQL
import DatastoreCore

/// One statement of a save, and what is known of it when the server refuses it.
struct SaveStep {
  let statement: PostgreSQLStatement
  /// Whose rows it writes; nil for statements about no rows.
  var entity: EntityIndex?
  /// What it divides by zero for; nil where it does not.
  var assertion: Assertion?

  /// What has to hold for a save to go on.
  enum Assertion {
    /// The rows are still what the edits began from.
    case unchanged
    /// All rows were inserted, and can be seen.
    case inserted
    /// None of the rows is there any more.
    case gone
    /// No row that was not seen would go with deleted ones, or lose its reference to them: those of a to-many
    /// relationship.
    case noOthers(Slot, counting: PostgreSQLStatement, [RowKey])
  }
}
#endif
