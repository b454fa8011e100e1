import DatastoreCore
import DatastoreSQL
import Foundation
import GRDB
import GRDBSQLite

/// Reads the rows of a whole table with several connections at once, each of which reads one range of keys
/// after the other.
///
/// The connections belong to this object alone, which uses them only under its lock. All of them read the
/// same state of the file: each reads `PRAGMA data_version` before the first begins its transaction and again
/// inside its own; if the number is the same, no one has committed in between, so all transactions see the
/// same state.
final class RangeReader: Sendable {
  private struct State: ~Copyable {
    var connections: [DatabaseQueue] = []
    var isClosed = false
  }

  private let path: String
  private let tables: TableGuard
  private let trace: SQLTrace?
  private let state = Lock(State())
  /// The connections that are reading and their client, so that they can be interrupted.
  private let running = Lock<(connections: [DatabaseQueue], asker: ObjectIdentifier?)>(([], nil))

  var mapping: SchemaMapping { tables.mapping }

  init(path: String, tables: TableGuard, trace: SQLTrace?) {
    self.path = path
    self.tables = tables
    self.trace = trace
  }

  /// The greatest number of connections: more would wait for each other more than they read.
  private static let connectionCount = min(ProcessInfo.processInfo.activeProcessorCount, 4)
  /// The number of ranges for each connection, so that none has all the work when rows are unevenly
  /// distributed.
  private static let rangesPerConnection: Int64 = 8

  /// Reads the rows of a request without order and limit, by ascending key, and passes them on on the calling
  /// thread, the first while others are still being read. Returns false when a single connection has to read
  /// them: someone else uses these, someone has just saved, or the store is closed.
  ///
  /// - Throws: `DatabaseError`, `StoreError`, `CancellationError`.
  func read(
    _ request: DatastoreCore.FetchRequest, of entity: Entity, _ receive: ([RowPage]) -> Void
  ) throws -> Bool {
    try withConnections(entity) { connections, keys in
      let ranges = Self.split(keys, into: Int64(connections.count) * Self.rangesPerConnection)
      try RangeWork(ranges) { range, database in
        try self.pages(request, of: entity, range, in: database)
      }.run(with: connections, receive)
      return true
    } ?? false
  }

  /// Runs `body` with all connections, each in a transaction on the same state of the file, and with the
  /// range of the existing keys; nil when that is not possible.
  ///
  /// - Parameter asker: the client that may interrupt it.
  func withConnections<Result>(
    _ entity: Entity, for asker: AnyObject? = nil,
    _ body: ([DatabaseQueue], ClosedRange<RowKey>) throws -> Result?
  ) throws -> Result? {
    guard Self.connectionCount > 1 else { return nil }
    let answer: Result?? = try state.withLockIfAvailable { state in
      guard !state.isClosed else { return nil }
      try connect(&state)
      let connections = state.connections
      defer {
        running.withLock { $0 = ([], nil) }
        for connection in connections { Self.end(connection) }
      }
      guard let keys = try begin(connections, entity) else { return nil }
      running.withLock { $0 = (connections, asker.map { ObjectIdentifier($0) }) }
      return try body(connections, keys)
    }
    return answer ?? nil
  }

  /// Interrupts a read, if it is for the given client.
  func interrupt(for asker: AnyObject) {
    // Under the lock, so that none is closed meanwhile.
    running.withLock { running in
      guard running.asker == ObjectIdentifier(asker) else { return }
      for connection in running.connections { connection.interrupt() }
    }
  }

  private func connect(_ state: inout State) throws {
    while state.connections.count < Self.connectionCount {
      var configuration = Connections.configuration(
        keyTables: mapping.keyTables, isReadOnly: true, trace: trace)
      // Transactions begin in one access and end in another.
      configuration.allowsUnsafeTransactions = true
      configuration.busyMode = .immediateError
      state.connections.append(try DatabaseQueue(path: path, configuration: configuration))
    }
  }

  /// Begins a transaction on each connection; returns the range of keys that they all see, or nil when they
  /// see different states, tables do not match the mapping, or there are no rows.
  private func begin(
    _ connections: [DatabaseQueue], _ entity: Entity
  ) throws -> ClosedRange<RowKey>? {
    let others = connections.dropFirst()
    let versions = try others.map { try $0.inDatabase(Self.version) }
    let keys: ClosedRange<RowKey>? = try connections[0].inDatabase { database in
      try database.execute(sql: "BEGIN")
      guard try tables.check(database) == nil else { return nil }
      return try mapping.keyRange(of: entity, in: database)
    }
    for (connection, version) in zip(others, versions) {
      let now = try connection.inDatabase { database in
        try database.execute(sql: "BEGIN")
        // Reads the file, which fixes the transaction's state.
        _ = try mapping.keyRange(of: entity, in: database)
        return try Self.version(database)
      }
      if now != version { return nil }
    }
    return keys
  }

  private static func version(_ database: Database) throws -> Int64 {
    let statement = try RawStatement("PRAGMA data_version", in: database, isCached: true)
    return try statement.firstInteger() ?? 0
  }

  private static func end(_ connection: DatabaseQueue) {
    connection.inDatabase { database in
      // A transaction that only reads has nothing to lose.
      if database.isInsideTransaction { try? database.execute(sql: "ROLLBACK") }
    }
  }

  private func pages(
    _ request: DatastoreCore.FetchRequest, of entity: Entity, _ keys: ClosedRange<RowKey>,
    in database: Database
  ) throws -> [RowPage] {
    let part = Self.request(request, in: keys)
    let statement = try RawStatement(QueryBuilder(mapping).rows(part), in: database)
    return try RowReader(mapping, entity: entity.index)
      .pages(statement, expecting: RowPage.fullCount)
  }

  /// The part of a request whose rows have keys in a range.
  static func request(
    _ request: DatastoreCore.FetchRequest, in keys: ClosedRange<RowKey>
  ) -> DatastoreCore.FetchRequest {
    let isInRange = Predicate.comparison(
      .init(
        .keyPath([]), .between,
        .list([.value(.key(keys.lowerBound)), .value(.key(keys.upperBound))])))
    var part = request
    part.predicate = request.predicate.map { .and([$0, isInRange]) } ?? isInRange
    return part
  }

  /// Splits a range into ranges of about equal length.
  static func split(_ keys: ClosedRange<RowKey>, into count: Int64) -> [ClosedRange<RowKey>] {
    // Unsigned, because the distance between keys of a table may exceed a signed integer.
    let distance = UInt64(bitPattern: keys.upperBound.rawValue &- keys.lowerBound.rawValue)
    let step = Int64(bitPattern: max(distance / UInt64(count), 1))
    var ranges: [ClosedRange<RowKey>] = []
    var lower = keys.lowerBound
    while ranges.count < count - 1 {
      let (upper, isBeyond) = lower.rawValue.addingReportingOverflow(step)
      if isBeyond || upper >= keys.upperBound.rawValue { break }
      ranges.append(lower...RowKey(upper - 1))
      lower = RowKey(upper)
    }
    ranges.append(lower...keys.upperBound)
    return ranges
  }

  /// Closes the connections; waits for reads in progress. Nothing is read from now on.
  func close() throws {
    try state.withLock { state in
      state.isClosed = true
      let connections = state.connections
      state.connections = []
      for connection in connections { try connection.close() }
    }
  }
}
