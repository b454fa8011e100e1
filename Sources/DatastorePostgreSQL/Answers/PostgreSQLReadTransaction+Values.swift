#if PostgreSQL
import DatastoreCore
import DatastoreSQL

/// Questions whose answers are values, not objects.
extension PostgreSQLReadTransaction {
  func answer(_ question: ValuesQuestion) throws -> [[Value]] {
    try asking(question.request) { builder, _ in
      try run(builder.values(of: question.paths, in: question.request)).rows()
    }
  }

  func answer(_ question: AggregatesQuestion) throws -> [[Value]] {
    try asking(question.request) { builder, _ in try run(builder.aggregates(question)).rows() }
  }

  func answer(_ question: DistinctValuesQuestion) throws -> [Value] {
    let builder = QueryBuilder(mapping)
    return try store.reading(schema.entities[question.entity]) {
      try run(builder.distinctValues(question)).rows().map { $0[0] }
        .sorted { Value.compare($0, $1) == .ascending }
    }
  }

  func answer(_ question: MatchingKeysQuestion) throws -> Set<RowKey> {
    let entity = schema.entities[question.entity]
    let key = ServerKey(mapping, question.entity)
    return try store.reading(entity) {
      // Keys that are no integers are chosen here: lists of them have no place in this statement.
      guard case .integer = key else {
        let sql = try QueryBuilder(mapping).keys(matching: question, among: nil)
        let found = Set(try key.numbers(run(sql), 0))
        return question.keys.map(found.intersection) ?? found
      }
      let sql = try QueryBuilder(mapping).keys(matching: question, among: question.keys)
      return Set(try key.numbers(run(sql), 0))
    }
  }
}

/// Summaries of one property over the rows of a request, computed by the server.
extension PostgreSQLReadTransaction: SummarizingTransaction {
  func summing<Answer>(
    _ request: FetchRequest, _ body: (SummaryAnswers) throws -> Answer
  ) throws -> Answer {
    try asking(request) { builder, _ in
      try body(SummaryAnswers(builder) { try self.run($0).rows() })
    }
  }
}
#endif
