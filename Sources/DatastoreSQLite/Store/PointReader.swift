import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

/// Reads rows by key on a connection of its own, with one prepared statement for each entity.
///
/// A single row asked for on a connection of the pool costs several times what SQLite needs to find
/// it: waiting for a connection, a change of queue, a transaction begun and ended, and a statement
/// looked up. Here it costs a lock. The connection belongs to this object alone, which uses it under
/// the lock only; that is all that SQLite's multi-thread mode asks for.
final class PointReader: Sendable {
  private struct State: ~Copyable {
    var connection: DatabaseQueue?
    var statements: [EntityIndex: (statement: RawStatement, reader: RowReader)] = [:]
    var isClosed = false
  }

  private let path: String
  private let mapping: SchemaMapping
  private let trace: SQLTrace?
  private let state = Lock(State())

  init(path: String, mapping: SchemaMapping, trace: SQLTrace?) {
    self.path = path
    self.mapping = mapping
    self.trace = trace
  }

  /// The row of a key as a page of its own, without a page when there is no such row; nil when
  /// someone else is reading just now, or the store is closed.
  ///
  /// - Throws: `DatabaseError`.
  func row(entity: EntityIndex, key: Int64) throws -> [RowPage]? {
    let answer: [RowPage]?? = try state.withLockIfAvailable { state in
      guard !state.isClosed else { return nil }
      let (statement, reader) = try state.statements[entity] ?? prepare(entity, in: &state)
      defer { sqlite3_reset(statement.pointer) }
      sqlite3_bind_int64(statement.pointer, 1, key)
      guard try statement.step() else { return [] }
      let page = RowPage(
        columnCount: mapping.schema.entities[entity].pageColumnCount, rowCapacity: 1)
      try reader.readAny(statement.pointer, key: key, into: page)
      page.seal()
      return [page]
    }
    return answer ?? nil
  }

  private func prepare(
    _ entity: EntityIndex, in state: inout State
  ) throws -> (statement: RawStatement, reader: RowReader) {
    let connection =
      try state.connection
      ?? DatabaseQueue(
        path: path,
        configuration: Connections.configuration(
          keyTables: mapping.keyTables, isReadOnly: true, trace: trace))
    state.connection = connection
    let statement = try connection.inDatabase { database in
      try RawStatement(QueryBuilder(mapping).row(entity), in: database)
    }
    let prepared = (statement, RowReader(mapping, entity: entity))
    state.statements[entity] = prepared
    return prepared
  }

  /// Closes the connection; waits for a row that is being read. Nothing is read from now on.
  func close() throws {
    try state.withLock { state in
      state.isClosed = true
      state.statements = [:]
      let connection = state.connection
      state.connection = nil
      try connection?.close()
    }
  }
}
