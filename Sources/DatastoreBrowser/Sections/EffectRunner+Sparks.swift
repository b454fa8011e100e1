import DatastoreCore
import SwiftDatastore

extension EffectRunner {
  /// Computes how the numbers of a column are spread in some sections; ends what was computed before.
  func computeSparks(_ request: SectionSparks.Request) {
    cancel(sparkWork)
    sparkWork = perform { runner in
      do {
        let answer = try await runner.sparks(request)
        try Task.checkCancellation()
        runner.send(.sparksRead(request, .success(answer)))
      } catch is CancellationError {
        return
      } catch {
        runner.send(
          .sparksRead(request, .failure(CountFailure(message: String(describing: error)))))
      }
    }
  }

  func stopSparks() {
    cancel(sparkWork)
    sparkWork = nil
  }

  private func sparks(_ request: SectionSparks.Request) async throws -> SectionSparks.Answer {
    var rows = request.query.request(in: schema)
    var scale = request.scale
    if scale == nil {
      scale = try await view.histogramScale(
        of: request.path, in: rows, bins: SectionSparks.bins)
    }
    guard let scale else { return SectionSparks.Answer(scale: nil, counts: [:]) }
    let sections = Predicate.comparison(
      Predicate.Comparison(
        .keyPath(request.groupPath), .in, .list(request.sections.map { .value($0) })))
    rows.predicate = rows.predicate.map { .and([$0, sections]) } ?? sections
    let groups = try await view.groupedHistograms(
      of: request.path, in: rows, groupBy: request.groupPath, scale)
    return SectionSparks.Answer(
      scale: scale,
      counts: Dictionary(
        groups.map { ($0.group, $0.counts) }, uniquingKeysWith: { first, _ in first }))
  }
}
