#if PostgreSQL
import DatastoreCore

/// What this engine does not answer yet: a sentence instead of a wrong answer.
extension PostgreSQLReadTransaction {
  private func unanswered(_ what: String) -> StoreError {
    .unsupportedPredicate("\(what) is not possible with a database in a server yet.")
  }

  func answer(_ question: BaselineQuestion) throws -> any StoreBaseline {
    throw unanswered("Comparing rows with those of an earlier moment")
  }
  func answer(_ question: DifferencesQuestion) throws -> StoreDifferences {
    throw unanswered("Comparing rows with those of an earlier moment")
  }
  func answer(_ question: SuggestionsQuestion) throws -> [RelationshipSuggestion] {
    throw unanswered("Suggesting relationships")
  }
}
#endif
