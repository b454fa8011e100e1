import DatastoreCore
import DatastoreSQL
import GRDB

extension SQLiteReadTransaction {
  func answer(_ question: MovedRowsQuestion) throws -> [Int: RowKey] {
    try RowSearch(mapping, entity: question.entity).keys(of: question.rows, in: database)
  }
}
