package import DatastoreCore
import DatastoreSQLite

/// Summaries of what is saved, computed by the store off the main actor. Cancelling the task ends the
/// query. All throw `StoreError` when the store cannot be read, and `CancellationError`.
extension SwiftDatastoreViewContext {
  /// How often each value of a property occurs, the most frequent first.
  package func frequencies(
    of path: [String], in request: FetchRequest, limit: Int
  ) async throws -> FrequencyTable {
    try await core.readStore.frequencies(of: path, in: request, limit: limit)
  }

  /// Counts, extremes, mean, median and deviation of a property.
  package func statistics(
    of path: [String], in request: FetchRequest
  ) async throws -> ColumnStatistics {
    try await core.readStore.statistics(of: path, in: request)
  }

  /// How the numbers of a property are spread; nil when it has none.
  package func histogram(
    of path: [String], in request: FetchRequest, bins: Int
  ) async throws -> Histogram? {
    try await core.readStore.histogram(of: path, in: request, bins: bins)
  }

  /// The intervals over which the numbers of a property are spread; nil when it has none.
  package func histogramScale(
    of path: [String], in request: FetchRequest, bins: Int
  ) async throws -> HistogramScale? {
    try await core.readStore.histogramScale(of: path, in: request, bins: bins)
  }

  /// How the numbers of each group are spread over the same intervals; groups without any are left
  /// out.
  package func groupedHistograms(
    of path: [String], in request: FetchRequest, groupBy groupPath: [String],
    _ scale: HistogramScale
  ) async throws -> [(group: Value, counts: [Int])] {
    try await core.readStore.groupedHistograms(
      of: path, in: request, groupBy: groupPath, scale)
  }

  /// Terms over groups: the group's value, then the terms.
  package func groupedAggregates(
    _ terms: [AggregateTerm], of request: FetchRequest, groupBy path: [String]
  ) async throws -> [[Value]] {
    try await core.readStore.groupedAggregates(terms, of: request, groupBy: path)
  }
}
