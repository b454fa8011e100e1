import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite
import Synchronization

/// A search for the first rows, which can be cancelled.
final class FirstRowsSearch: Sendable {
  private let cancelled = Atomic(false)

  var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  func cancel() { cancelled.store(true, ordering: .relaxed) }
}

/// The first rows in an order without an index: every row must be examined, and the connections share that
/// work.
extension RangeReader {
  /// The number of ranges for each connection: each costs finding as many rows as are wanted in all, and with
  /// few of them a busy core keeps the others waiting.
  private static let sortedRangesPerConnection: Int64 = 4

  /// The first rows of a request with a limit, in its order; nil when a single connection has to read them.
  ///
  /// Each connection finds the first rows of its ranges by their keys; SQLite also finds the first among
  /// those, so that a single rule decides the order.
  ///
  /// - Throws: `DatabaseError`, `StoreError`, `CancellationError`.
  func firstRows(
    _ request: DatastoreCore.FetchRequest, of entity: Entity, for search: FirstRowsSearch
  ) throws -> [RowPage]? {
    var ahead = request
    ahead.limit = request.limit + request.offset
    ahead.offset = 0
    let part = ahead
    return try withConnections(entity, for: search) { connections, keys in
      let ranges = Self.split(
        keys, into: Int64(connections.count) * Self.sortedRangesPerConnection)
      var first: [RowKey] = []
      try RangeWork(ranges) { range, database in
        // An interrupt before the first step would be lost.
        if search.isCancelled { throw CancellationError() }
        return try self.keys(Self.request(part, in: range), in: database)
      }.run(with: connections) { first += $0 }
      if search.isCancelled { throw CancellationError() }
      var last = request
      last.predicate = .comparison(
        Predicate.Comparison(
          .keyPath([]), .in, .list(first.map { .value(.key($0)) })))
      return try connections[0].inDatabase { database in
        let statement = try RawStatement(QueryBuilder(mapping).rows(last), in: database)
        return try RowReader(mapping, entity: entity.index)
          .pages(statement, expecting: request.limit)
      }
    }
  }

  private func keys(
    _ request: DatastoreCore.FetchRequest, in database: Database
  ) throws -> [RowKey] {
    let statement = try RawStatement(QueryBuilder(mapping).keys(request), in: database)
    var keys: [RowKey] = []
    while try statement.step() { keys.append(statement.key(at: 0)) }
    return keys
  }
}
