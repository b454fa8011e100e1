#if PostgreSQL
import DatastoreCore

/// What this engine does not answer yet: a sentence instead of a wrong answer.
extension PostgreSQLReadTransaction {
  private func unanswered(_ what: String) -> StoreError {
    .unsupportedPredicate("\(what) is not possible with a database in a server yet.")
  }

  func answer(_ question: FrequencyQuestion) throws -> FrequencyTable {
    throw unanswered("Counting the values of a column")
  }
  func answer(_ question: StatisticsQuestion) throws -> ColumnStatistics {
    throw unanswered("Summing up a column")
  }
  func answer(_ question: HistogramQuestion) throws -> Histogram? {
    throw unanswered("Drawing the numbers of a column")
  }
  func answer(_ question: HistogramScaleQuestion) throws -> HistogramScale? {
    throw unanswered("Drawing the numbers of a column")
  }
  func answer(_ question: GroupedHistogramsQuestion) throws -> [GroupedHistogramsQuestion.Group] {
    throw unanswered("Drawing the numbers of a column")
  }
  func answer(_ question: BaselineQuestion) throws -> any StoreBaseline {
    throw unanswered("Comparing rows with those of an earlier moment")
  }
  func answer(_ question: DifferencesQuestion) throws -> StoreDifferences {
    throw unanswered("Comparing rows with those of an earlier moment")
  }
  func answer(_ question: SQLQuestion) throws -> SQLAnswer {
    throw unanswered("Running SQL")
  }
  func answer(_ question: SQLPagesQuestion) throws {
    throw unanswered("Running SQL")
  }
  func answer(_ question: SQLNamesQuestion) throws -> [SQLNamesQuestion.Table] {
    throw unanswered("Running SQL")
  }
  func answer(_ question: SuggestionsQuestion) throws -> [RelationshipSuggestion] {
    throw unanswered("Suggesting relationships")
  }
  func answer(
    _ query: ValueQuery, includingGenerated: Bool, begin: ([AnswerColumn]) throws -> Void,
    row: (RowPage, Int) throws -> Void
  ) throws {
    throw unanswered("Answering a query row by row")
  }
  func sql(of query: ValueQuery) throws -> String {
    throw unanswered("Showing the SQL of a query")
  }
  func answer(
    sql: String, begin: ([AnswerColumn]) throws -> Void, row: (RowPage, Int) throws -> Void
  ) throws {
    throw unanswered("Running SQL")
  }
}
#endif
