#if PostgreSQL
import DatastoreCore
import DatastoreSQL

extension PostgreSQLStore {
  /// The rows of a request whose condition or order the server cannot decide.
  ///
  /// - Parameter error: the server's error.
  func fetch(
    _ request: FetchRequest, _ entity: Entity, after error: any Error,
    on connection: PostgreSQLConnection, _ receive: ([RowPage]) -> Void
  ) throws {
    guard (error as? StoreError)?.isUnsupported ?? (error is PostgreSQLFailure) else { throw error }
    let transaction = PostgreSQLReadTransaction(self, connection)
    defer { transaction.end() }
    let keys = try transaction.keys(request, after: error)
    var reader = ServerRowReader(mapping, entity: entity.index)
    for portion in keys.portions(of: 10_000) {
      var pages = reader.makePages(expecting: portion.count)
      try reader.read(
        connection.run(inOrder(entity, Array(portion))), into: &pages)
      receive(pages.finish())
    }
  }

  /// Rows by their keys, in the order of the keys.
  private func inOrder(_ entity: Entity, _ keys: [RowKey]) throws -> PostgreSQLStatement {
    let builder = QueryBuilder(mapping)
    let scope = builder.makeScope(entity.index)
    let columns = builder.rowColumns(entity.index, scope.alias)
    let (list, isSame) = PostgreSQLDialect().numbered(
      builder.key(entity.index, scope.alias), KeyParameters(mapping, entity.index).arrays(keys))
    let sql: SQLFragment =
      "SELECT \(columns)\(builder.from(scope)) JOIN \(list) ON \(isSame) ORDER BY given.place"
    return try PostgreSQLStatement(sql)
  }
}
#endif
