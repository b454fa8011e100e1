package import DatastoreCore
import DatastoreSQL
import GRDB

/// One state of a file, on a connection that reads it. The kinds of questions are answered in extensions, in the
/// rooms that they belong to.
struct SQLiteReadTransaction: ReadTransaction {
  let store: SQLiteStore
  let database: Database

  var mapping: SchemaMapping { store.mapping }
  var schema: Schema { store.schema }

  init(_ store: SQLiteStore, _ database: Database) {
    self.store = store
    self.database = database
  }

  /// Runs `body` for what is asked about an entity, with a builder of its SQL.
  ///
  /// - Throws: what `body` throws; `StoreError`, also where SQLite cannot read that entity.
  func asking<Result>(
    _ request: DatastoreCore.FetchRequest, _ body: (QueryBuilder, Entity) throws -> Result
  ) throws -> Result {
    let builder = QueryBuilder(mapping)
    let entity = try builder.entity(named: request.entity)
    return try store.reading(entity) { try body(builder, entity) }
  }
}

extension SQLiteStore {
  package func readTransaction<Result>(
    _ body: (any ReadTransaction) throws -> Result
  ) throws -> Result {
    try read { try body(SQLiteReadTransaction(self, $0)) }
  }

  package func readTransaction<Result: Sendable>(
    reporting progress: ReadProgress?,
    _ body: @escaping @Sendable (any ReadTransaction) throws -> Result
  ) async throws -> Result {
    try await readAsync(reporting: progress) { try body(SQLiteReadTransaction(self, $0)) }
  }
}
