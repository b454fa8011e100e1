import DatastoreCore
import DatastoreSQL
import GRDB

/// Which values there are, for an editor that offers them.
extension SQLiteReadTransaction {
  func answer(_ question: DistinctValuesQuestion) throws -> [Value] {
    try store.reading(schema.entities[question.entity]) {
      let statement = try RawStatement(QueryBuilder(mapping).distinctValues(question), in: database)
      return try statement.rows().compactMap(\.first).sorted {
        Value.compare($0, $1) == .ascending
      }
    }
  }
}
