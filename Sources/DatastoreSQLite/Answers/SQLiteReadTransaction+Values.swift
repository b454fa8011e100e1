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

extension SQLiteReadTransaction {
  func answer(_ question: MovedRowsQuestion) throws -> [Int: RowKey] {
    try RowSearch(mapping, entity: question.entity).keys(of: question.rows, in: database)
  }
}

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

/// Summaries of one property over the rows of a request, computed by SQLite.
extension SQLiteReadTransaction: SummarizingTransaction {
  func summing<Answer>(
    _ request: DatastoreCore.FetchRequest, _ body: (SummaryAnswers) throws -> Answer
  ) throws -> Answer {
    try asking(request) { builder, _ in
      try body(SummaryAnswers(builder) { try RawStatement($0, in: database).rows() })
    }
  }
}
