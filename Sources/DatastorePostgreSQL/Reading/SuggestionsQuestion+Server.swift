#if PostgreSQL
import Basics
import DatastoreCore
import DatastoreSQL

extension SuggestionsQuestion: ServerQuestion {
  /// Only for third-party tables: native ones declare all relationships.
  func answer(in transaction: PostgreSQLReadTransaction) throws -> [RelationshipSuggestion] {
    let mapping = transaction.mapping
    if mapping.isNative { return [] }
    let tables = try ServerTable.all(on: transaction.connection).filter { table in
      mapping.entities.contains {
        $0.table.isExactly(table.storedName) && $0.namespace == table.schema
      }
    }
    return try RelationshipSearch(transaction, tables, transaction.store.annotations).suggestions()
  }
}
#endif
