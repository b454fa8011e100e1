import DatastoreCore
import DatastoreSQL

/// The tables of a third-party file that its mapping was made from.
struct ReflectedTables: Sendable {
  let tables: [FileTable]
  /// What was said of the file; nil where that was not looked for.
  let annotations: SchemaAnnotations?
  /// `PRAGMA schema_version` when the tables were read.
  let schemaVersion: Int64?
  /// What other tools have made otherwise than a native file says of itself: the ends of a sentence.
  var differences: [String] = []
}
