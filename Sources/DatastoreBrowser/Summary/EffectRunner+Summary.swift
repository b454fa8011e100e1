import DatastoreCore
import DatastoreSQLite
import SwiftDatastore

extension EffectRunner {
  /// More values of a frequency table are not kept; the screen says how many there are.
  private static let mostFrequencies = 10_000
  private static let bins = 20

  /// Computes a summary; one that still runs is interrupted.
  func summarize(_ request: SummaryRequest) {
    cancel(summaryWork)
    summaryWork = perform { runner in
      do {
        let content = try await runner.summary(request)
        try Task.checkCancellation()
        runner.send(.summaryRead(request.number, .success(content)))
      } catch is CancellationError {
        return
      } catch {
        runner.send(
          .summaryRead(
            request.number, .failure(CountFailure(message: String(describing: error)))))
      }
    }
  }

  func stopSummarizing() {
    cancel(summaryWork)
    summaryWork = nil
  }

  private func summary(_ request: SummaryRequest) async throws -> SummaryContent {
    let rows = request.query.request(in: schema)
    let path = request.column.groupPath
    switch request.kind {
    case .frequencies:
      return .frequencies(
        try await view.frequencies(of: path, in: rows, limit: Self.mostFrequencies))
    case .statistics: return .statistics(try await view.statistics(of: path, in: rows))
    case .histogram:
      return .histogram(try await view.histogram(of: path, in: rows, bins: Self.bins))
    case .chart:
      let terms: [SQLiteStore.AggregateTerm] = [
        .countRows, .aggregate(.sum, path), .aggregate(.average, path),
        .aggregate(.minimum, path), .aggregate(.maximum, path),
      ]
      let groups = try await view.groupedAggregates(
        terms, of: rows, groupBy: request.groupPath ?? path)
      return .chart(
        groups.map { row in
          var count = 0
          if case .integer(let rows) = row[1] { count = Int(rows) }
          return ChartEntry(
            group: row[0], count: count, sum: Self.number(row[2]), mean: Self.number(row[3]),
            minimum: Self.number(row[4]), maximum: Self.number(row[5]))
        })
    }
  }

  private static func number(_ value: Value) -> Double? {
    switch value {
    case .integer(let integer): Double(integer)
    case .real(let real): real
    case .null, .text, .blob: nil
    }
  }
}
