import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

/// Reads single rows, by key or by the value of a unique attribute, on a separate connection, with a prepared
/// statement for each entity and attribute.
///
/// Reading a single row on a connection of the pool costs several times what SQLite needs to find it: waiting
/// for a connection, switching queues, beginning and ending a transaction, and looking up a statement. Here
/// it costs a lock. The connection belongs to this object alone, which uses it only under the lock, as
/// SQLite's multi-thread mode requires.
final class PointReader: Sendable {
  /// What rows of an entity are found by.
  private struct Place: Hashable {
    let entity: EntityIndex
    /// The unique attribute; nil for the key.
    let slot: Slot?
  }

  private typealias Prepared = (statement: RawStatement, reader: RowReader)

  private struct State: ~Copyable {
    var connection: DatabaseQueue?
    /// Prepared while tables match the mapping.
    var statements: [Place: Prepared] = [:]
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
    try row(Place(entity: entity, slot: nil), .integer(key.rawValue))
  }

  /// The row with a value of a unique attribute of a native file, likewise; nil also for a value that is not
  /// looked for in the index as it is.
  func row(entity: EntityIndex, slot: Slot, value: Value) throws -> [RowPage]? {
    try row(Place(entity: entity, slot: slot), value)
  }

  private func row(_ place: Place, _ value: Value) throws -> [RowPage]? {
    let answer: [RowPage]?? = try state.withLockIfAvailable { state in
      guard !state.isClosed else { return nil }
      do {
        return try row(place, value, &state)
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

  private func row(_ place: Place, _ value: Value, _ state: inout State) throws -> [RowPage]? {
    let known = state.statements[place]
    guard let (statement, reader) = try known ?? prepare(place, value, in: &state) else {
      return nil
    }
    // It may be discarded meanwhile.
    defer { withExtendedLifetime(statement) { _ = sqlite3_reset($0.pointer) } }
    try statement.bind(value, at: 1)
    let isThere = try statement.step()
    let isPreparedAgain =
      sqlite3_stmt_status(statement.pointer, SQLITE_STMTSTATUS_REPREPARE, 1) != 0
    if isPreparedAgain || known == nil {
      // The statement is still running, so the tables are checked in the state that it read.
      guard try areKnown(&state) else { return nil }
    }
    guard isThere else { return [] }
    let page = RowPage(
      columnCount: tables.complete.schema.entities[place.entity].pageColumnCount, rowCapacity: 1)
    let key = place.slot == nil ? value.key : nil
    try reader.readAny(statement.pointer, key: key ?? statement.key(at: 0), into: page)
    // Another program may have dropped the index, and have added the value again.
    if place.slot != nil, try statement.step() { return nil }
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
    _ place: Place, _ value: Value, in state: inout State
  ) throws -> Prepared? {
    guard let text = try text(place, value) else { return nil }
    let connection =
      try state.connection
      ?? DatabaseQueue(
        path: path,
        configuration: Connections.configuration(
          keyTables: mapping.keyTables, isReadOnly: true, trace: trace))
    state.connection = connection
    let statement = try connection.inDatabase { try RawStatement(rendered: text, in: $0) }
    let prepared = (statement, RowReader(mapping, entity: place.entity))
    state.statements[place] = prepared
    return prepared
  }

  /// The statement whose only parameter is the key or value.
  private func text(_ place: Place, _ value: Value) throws -> String? {
    let builder = QueryBuilder(mapping)
    guard let slot = place.slot else { return builder.row(place.entity).rendered.text }
    let entity = mapping.schema.entities[place.entity]
    let isSame = Predicate.Comparison(
      .keyPath([entity.properties[slot].name]), .equal, .value(value))
    let (text, bindings) = try builder.rows(
      FetchRequest(entity: entity.name, predicate: .comparison(isSame))
    ).rendered
    return bindings == [value] ? text : nil
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
