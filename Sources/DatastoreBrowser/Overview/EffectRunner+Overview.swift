import DatastoreCore
import SwiftDatastore

extension Lane {
  static let overview = Lane("overview", .latest)
}

extension Effect {
  /// Sums up one column after the other, of a long list first the first rows of each; what still runs of an
  /// overview before is interrupted.
  static func computeOverview(_ request: OverviewRequest) -> Effect {
    .work { runner in
      runner.perform(in: .overview) { runner in
        let parts: [Predicate?] =
          request.sample.isEmpty ? [nil] : [.hasKey(in: request.sample), nil]
        for part in parts {
          for (index, column) in request.columns {
            let result: Result<ColumnOverview, EffectFailure>
            do {
              result = .success(try await runner.overview(of: column, request, part))
            } catch is CancellationError {
              return
            } catch {
              result = .failure(EffectFailure(error))
            }
            if Task.isCancelled { return }
            runner.send(
              ColumnOverviewed(
                number: request.number, column: index, result: result, isPartial: part != nil))
          }
        }
      }
    }
  }

  static var stopOverlooking: Effect { .work { $0.cancel(.overview) } }
}

/// One more column was summed up.
struct ColumnOverviewed: BrowserEvent {
  let number: Int
  let column: Int
  let result: Result<ColumnOverview, EffectFailure>
  /// Whether only of the first rows.
  let isPartial: Bool

  func apply(to state: inout BrowserState) {
    state.changeOverlay(as: OverviewScreen.self) {
      $0.apply(result, of: column, number, isPartial: isPartial)
    }
  }
}

extension EffectRunner {
  private static let bins = 16

  /// - Parameter part: which of the rows; all of them without it.
  fileprivate func overview(
    of column: TableColumn, _ request: OverviewRequest, _ part: Predicate?
  ) async throws -> ColumnOverview {
    var rows = request.query.request(in: schema)
    rows.sortDescriptors = []
    if let part { rows.predicate = part }
    let path = column.groupPath
    let statistics = try await view.answer(StatisticsQuestion(of: path, in: rows))
    let frequencies = try await view.answer(FrequencyQuestion(of: path, in: rows, limit: 1))
    let histogram =
      statistics.numbers == nil || column.destination != nil
      ? nil : try await view.answer(HistogramQuestion(of: path, in: rows, bins: Self.bins))
    return ColumnOverview(
      rows: statistics.rowCount, nulls: statistics.nullCount, distinct: statistics.distinctCount,
      least: statistics.minimum, greatest: statistics.maximum,
      mostFrequent: frequencies.entries.first, counts: histogram?.counts)
  }
}
