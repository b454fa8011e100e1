import Basics
import DatastoreCore
import DatastoreSQL
import GRDB

extension SuggestionsQuestion: FileQuestion {
  func answer(in transaction: SQLiteReadTransaction) throws -> [RelationshipSuggestion] {
    let store = transaction.store
    // Its model already has all of them.
    if store.hasCoreDataModel { return [] }
    return try RelationshipSearch(
      transaction, store.referringTables(in: transaction.database),
      store.reflected?.annotations ?? SchemaAnnotations()
    ).suggestions()
  }
}

extension SQLiteStore {
  /// The tables whose columns may refer to rows, and be referred to: for a native file, without the row
  /// numbers, which nothing in it contains.
  func referringTables(in database: Database) throws -> [FileTable] {
    let tables = try reflected?.tables ?? FileTable.all(in: database)
    let keys = Dictionary(
      schema.entities.compactMap { entity in
        let mapped = mapping.entities[entity.index]
        return mapped.hiddenKey.map { (mapped.table.caselessKey, $0) }
      }, uniquingKeysWith: { first, _ in first })
    let known = Set(mapping.entities.map { $0.table.caselessKey })
    return tables.filter { known.contains($0.name.caselessKey) }.map { table in
      guard let key = keys[table.name.caselessKey] else { return table }
      var table = table
      table.columns.removeAll { $0.name == key }
      return table
    }
  }
}
