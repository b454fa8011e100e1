package import DatastoreCore
import DatastoreSQL
import GRDB

extension SQLiteStore {
  /// The least length of the range of keys that is worth a second connection.
  private static var longTable: Int64 { 50_000 }
  /// The greatest number of first rows to find: for more, finding them in each range costs more than it
  /// saves.
  private static var mostFirstRows: Int { 1000 }

  /// The rows of a request. If its order has no index and only the first rows are wanted, several connections
  /// look for them.
  ///
  /// When the task is cancelled, SQLite is interrupted and `CancellationError` is thrown.
  package func fetch(_ request: DatastoreCore.FetchRequest) async throws -> [RowPage] {
    if let pages = try await firstRows(request) { return pages }
    return try await readAsync { try self.fetch(request, in: $0) }
  }

  /// The first rows in an order without an index, found by several connections; nil if a single one has to
  /// read them.
  private func firstRows(_ request: DatastoreCore.FetchRequest) async throws -> [RowPage]? {
    guard let rangeReader, request.limit > 0,
      request.limit + max(request.offset, 0) <= Self.mostFirstRows,
      !request.sortDescriptors.isEmpty
    else { return nil }
    let entity = try QueryBuilder(mapping).entity(named: request.entity)
    // An index of words finds them.
    if request.sortDescriptors.hasRank(of: entity) { return nil }
    guard try await readAsync({ try self.looksAtAllRows(request, of: entity, in: $0) }) else {
      return nil
    }
    let search = FirstRowsSearch()
    do {
      return try await withTaskCancellationHandler {
        try await BlockingWork.run {
          try rangeReader.firstRows(request, of: entity, for: search)
        }
      } onCancel: {
        search.cancel()
        rangeReader.interrupt(for: search)
      }
    } catch is DatabaseError {
      try Task.checkCancellation()
      // The single connection reports the error, if it meets it as well.
      return nil
    }
  }

  /// Whether SQLite finds the first rows of a request by scanning a long table from beginning to end.
  func looksAtAllRows(
    _ request: DatastoreCore.FetchRequest, of entity: Entity, in database: Database
  ) throws -> Bool {
    guard mapping.entities[entity.index].kind == .table,
      let keys = try mapping.keyRange(of: entity, in: database)
    else { return false }
    let (distance, isHuge) = keys.upperBound.rawValue.subtractingReportingOverflow(
      keys.lowerBound.rawValue)
    guard isHuge || distance >= Self.longTable else { return false }
    let builder = QueryBuilder(mapping)
    if let first = request.sortDescriptors.first, first.options.isEmpty, let path = first.keyPath {
      builder.integerReference = try integerReference(path, of: entity, in: database)
    }
    let plan = try RawStatement(
      "EXPLAIN QUERY PLAN \(builder.rows(request))", in: database)
    var isScan = false
    var isSorted = false
    while try plan.step() {
      guard case .text(let step) = plan.value(at: 3) else { continue }
      // Each connection would create the index again.
      if step.contains("USING AUTOMATIC") { return false }
      if step.hasPrefix("SCAN") { isScan = true }
      if step == "USE TEMP B-TREE FOR ORDER BY" { isSorted = true }
    }
    return isScan && isSorted
  }
}
