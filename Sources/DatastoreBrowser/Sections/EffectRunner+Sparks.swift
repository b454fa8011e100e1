import DatastoreCore
import SwiftDatastore

extension Lane {
  static let sparks = Lane("sparks", .latest)
}

extension Effect {
  /// Computes the distribution of a column's numbers in some sections; the computation before it ends.
  static func computeSparks(_ request: SectionSparks.Request) -> Effect {
    .answer(in: .sparks) {
      try await $0.sparks(request)
    } then: {
      $0.apply($1, of: request)
    }
  }

  static var stopSparks: Effect { .work { $0.cancel(.sparks) } }
}

extension EffectRunner {
  fileprivate func sparks(_ request: SectionSparks.Request) async throws -> SectionSparks.Answer {
    var rows = request.query.request(in: schema)
    var scale = request.scale
    if scale == nil {
      scale = try await view.answer(
        HistogramScaleQuestion(
          of: HistogramQuestion(of: request.path, in: rows, bins: SectionSparks.bins)))
    }
    guard let scale else { return SectionSparks.Answer(scale: nil, counts: [:]) }
    let sections = Predicate.comparison(
      Predicate.Comparison(
        .keyPath(request.groupPath), .in, .list(request.sections.map { .value($0) })))
    rows.predicate = rows.predicate.map { .and([$0, sections]) } ?? sections
    let groups = try await view.answer(
      GroupedHistogramsQuestion(of: request.path, in: rows, groupBy: request.groupPath, scale))
    return SectionSparks.Answer(
      scale: scale,
      counts: Dictionary(
        groups.map { ($0.group, $0.counts) }, uniquingKeysWith: { first, _ in first }))
  }
}
