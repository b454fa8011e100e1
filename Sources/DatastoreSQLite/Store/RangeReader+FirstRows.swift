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

/// The first rows of an order that no index has: every row must be looked at to find them, and the
/// connections share that.
extension RangeReader {
  /// Ranges for each connection: each costs the finding of as many rows as are wanted in all, and with few
  /// of them a core that others use as well keeps the rest waiting.
  private static let sortedRangesPerConnection: Int64 = 4

  /// The first rows of a request with a limit, in its order; nil when they have to be read by one
  /// connection.
  ///
  /// Each connection finds the first of its ranges by their keys; the first among those are found by
  /// SQLite too, so that there is one rule for what comes first.
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
        // An interrupt that comes before the first step would be lost.
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
