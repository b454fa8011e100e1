#if PostgreSQL
import DatastoreCore
import DatastoreSQL

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
