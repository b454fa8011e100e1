#if PostgreSQL
import DatastoreCore
import DatastoreSQL

/// Summaries of one property over the rows of a request, computed by the server.
extension PostgreSQLReadTransaction {
  private func summing<Answer>(
    _ request: FetchRequest, _ body: (SummaryAnswers) throws -> Answer
  ) throws -> Answer {
    try asking(request) { builder, _ in
      try body(SummaryAnswers(builder) { try self.run($0).rows() })
    }
  }

  func answer(_ question: FrequencyQuestion) throws -> FrequencyTable {
    try summing(question.request) { try $0.answer(question) }
  }

  func answer(_ question: StatisticsQuestion) throws -> ColumnStatistics {
    try summing(question.request) { try $0.answer(question) }
  }

  func answer(_ question: HistogramQuestion) throws -> Histogram? {
    try summing(question.request) { try $0.answer(question) }
  }

  func answer(_ question: HistogramScaleQuestion) throws -> HistogramScale? {
    try summing(question.histogram.request) { try $0.answer(question) }
  }

  func answer(_ question: GroupedHistogramsQuestion) throws -> [GroupedHistogramsQuestion.Group] {
    try summing(question.request) { try $0.answer(question) }
  }
}
#endif
