import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

/// Finding a text in columns, as people read it there: a number by its digits, a date by its day, a
/// case of an enum by its name.
extension SQLiteReadTransaction {
  func answer(_ question: MatchingKeysQuestion) throws -> Set<RowKey> {
    let entity = schema.entities[question.entity]
    return try store.reading(entity) {
      // Equal rows of a view are counted in the order in which they come; all of them match, or none.
      var counter = occurrences(of: entity)
      let statement = try RawStatement(
        QueryBuilder(mapping).keys(
          matching: question, among: counter == nil ? question.keys : nil),
        in: database)
      var found: Set<RowKey> = []
      while try statement.step() {
        let key = statement.key(at: 0)
        found.insert(try counter?.key(key) ?? key)
      }
      return found
    }
  }
}
