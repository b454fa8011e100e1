import DatastoreCore
import SwiftDatastore

extension Lane {
  static let summary = Lane("summary", .latest)
}

extension Effect {
  /// Computes a summary of a column, of a long list first one of its first rows; one that still runs is
  /// interrupted.
  static func summarize(_ request: SummaryRequest) -> Effect {
    .work { runner in
      runner.answer(in: .summary) { runner in
        guard !request.sample.isEmpty else { return try await runner.summary(request) }
        let work = SummaryWork()
        let first = try await runner.summary(request, of: .hasKey(in: request.sample)) {
          work.noteSample($0)
        }
        try Task.checkCancellation()
        runner.send(SummaryRead(number: request.number, result: .success(first), isPartial: true))
        return try await runner.summary(request) { [weak runner] done in
          guard let percent = work.percent(done, of: request) else { return }
          Task { @MainActor in
            runner?.send(SummaryProgressed(number: request.number, percent: percent))
          }
        }
      } as: {
        SummaryRead(number: request.number, result: $0)
      }
    }
  }

  static var stopSummarizing: Effect { .work { $0.cancel(.summary) } }
}

/// How much of the rows a summary has been computed of.
struct SummaryProgressed: BrowserEvent {
  let number: Int
  let percent: Int

  func apply(to state: inout BrowserState) {
    state.changeOverlay(as: SummaryState.self) { $0.apply(percent: percent, of: number) }
  }
}

struct SummaryRead: BrowserEvent {
  let number: Int
  let result: Result<SummaryContent, EffectFailure>
  var isPartial = false

  func apply(to state: inout BrowserState) {
    state.changeOverlay(as: SummaryState.self) {
      $0.apply(result, of: number, isPartial: isPartial)
    }
  }
}

extension EffectRunner {
  /// More values of a frequency table are not kept; the screen says how many there are.
  private static let mostFrequencies = 10_000
  private static let bins = 20

  /// - Parameters:
  ///   - part: which of the rows; all of them without it.
  ///   - progress: hears how far the store has come.
  fileprivate func summary(
    _ request: SummaryRequest, of part: Predicate? = nil, reporting progress: ReadProgress? = nil
  ) async throws -> SummaryContent {
    var rows = request.query.request(in: schema)
    if let part { rows.predicate = part }
    let path = request.column.groupPath
    switch request.kind {
    case .frequencies:
      return .frequencies(
        try await view.answer(
          FrequencyQuestion(of: path, in: rows, limit: Self.mostFrequencies), reporting: progress))
    case .statistics:
      return .statistics(
        try await view.answer(StatisticsQuestion(of: path, in: rows), reporting: progress))
    case .histogram:
      return .histogram(
        try await view.answer(
          HistogramQuestion(of: path, in: rows, bins: Self.bins), reporting: progress))
    case .chart:
      let terms: [AggregateTerm] = [
        .countRows, .aggregate(.sum, path), .aggregate(.average, path),
        .aggregate(.minimum, path), .aggregate(.maximum, path),
      ]
      let groups = try await view.answer(
        AggregatesQuestion(terms, of: rows, groupBy: [request.groupPath ?? path]),
        reporting: progress)
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
