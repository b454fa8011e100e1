import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

/// Reads rows by key on a separate connection, with one prepared statement for each entity.
///
/// Reading a single row on a connection of the pool costs several times what SQLite needs to find it: waiting
/// for a connection, switching queues, beginning and ending a transaction, and looking up a statement. Here
/// it costs a lock. The connection belongs to this object alone, which uses it only under the lock, as
/// SQLite's multi-thread mode requires.
final class PointReader: Sendable {
  private struct State: ~Copyable {
    var connection: DatabaseQueue?
    /// By entity index, prepared while tables match the mapping.
    var statements: [EntityIndex: (statement: RawStatement, reader: RowReader)] = [:]
    var isClosed = false
  }

  private let path: String
  private let tables: TableGuard
  private let trace: SQLTrace?
  private let state = Lock(State())

  private var mapping: SchemaMapping { tables.mapping }

  init(path: String, tables: TableGuard, trace: SQLTrace?) {
    self.path = path
    self.tables = tables
    self.trace = trace
  }

  /// The row of a key on a page of its own, no page when there is no such row; nil when someone else is
  /// reading at the moment, the store is closed, or its table has changed.
  ///
  /// Checking that the tables match the mapping costs nothing: SQLite compares their version with that of the
  /// statement before each step, and counts how often it had to prepare the statement again.
  ///
  /// - Throws: `DatabaseError`.
  func row(entity: EntityIndex, key: RowKey) throws -> [RowPage]? {
    let answer: [RowPage]?? = try state.withLockIfAvailable { state in
      guard !state.isClosed else { return nil }
      do {
        return try row(entity, key, &state)
      } catch let error as DatabaseError
        where error.resultCode == .SQLITE_ERROR || error.resultCode == .SQLITE_AUTH
      {
        // Names are missing, or refused. Reading it in the ordinary way reports why.
        _ = try areKnown(&state)
        return nil
      }
    }
    return answer ?? nil
  }

  private func row(_ entity: EntityIndex, _ key: RowKey, _ state: inout State) throws -> [RowPage]?
  {
    let known = state.statements[entity]
    let (statement, reader) = try known ?? prepare(entity, in: &state)
    // It may be discarded meanwhile.
    defer { withExtendedLifetime(statement) { _ = sqlite3_reset($0.pointer) } }
    statement.bind(key, at: 1)
    let isThere = try statement.step()
    let isPreparedAgain =
      sqlite3_stmt_status(statement.pointer, SQLITE_STMTSTATUS_REPREPARE, 1) != 0
    if isPreparedAgain || known == nil {
      // The statement is still running, so the tables are checked in the state that it read.
      guard try areKnown(&state) else { return nil }
    }
    guard isThere else { return [] }
    let page = RowPage(
      columnCount: tables.complete.schema.entities[entity].pageColumnCount, rowCapacity: 1)
    try reader.readAny(statement.pointer, key: key, into: page)
    page.seal()
    return [page]
  }

  /// Whether all tables are compatible with the mapping; discards all statements if they are not.
  private func areKnown(_ state: inout State) throws -> Bool {
    do {
      if try state.connection?.inDatabase(tables.check) == nil { return true }
    } catch is StoreError {}
    state.statements = [:]
    return false
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

  /// Closes the connection; waits for a read in progress. Nothing is read from now on.
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
