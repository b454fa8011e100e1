import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

/// Questions whose answers are values, not objects.
extension SQLiteReadTransaction {
  func answer(_ question: ValuesQuestion) throws -> [[Value]] {
    try asking(question.request) { builder, _ in
      try RawStatement(
        builder.values(of: question.paths, in: question.request), in: database
      ).rows()
    }
  }

  func answer(_ question: AggregatesQuestion) throws -> [[Value]] {
    try asking(question.request) { builder, _ in
      try RawStatement(builder.aggregates(question), in: database).rows()
    }
  }
}

extension RawStatement {
  /// All rows that are still to come.
  func rows() throws -> [[Value]] {
    let count = sqlite3_column_count(pointer)
    var rows: [[Value]] = []
    while try step() {
      rows.append((0..<count).map { value(at: $0) })
    }
    return rows
  }
}
