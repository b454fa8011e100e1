import DatastoreCore
import DatastoreSQL
import GRDB

extension SQLiteReadTransaction {
  func answer(_ question: MovedRowsQuestion) throws -> [Int: Int64] {
    try RowSearch(mapping, entity: question.entity).keys(of: question.rows, in: database)
  }
}
