import DatastoreCore
import SwiftDatastore

extension Effect {
  /// Computes the totals of columns; interrupts a running computation.
  static func computeTotals(_ request: ColumnTotals.Request) -> Effect {
    .answer(in: Lane("totals", .latest)) {
      try await $0.totals(request)
    } then: { state, result in
      guard state.table?.fetch == request.fetch else { return }
      if case .failure(let failure) = result { state.tell(failure.message, .error) }
      state.changeTable { $0.apply(totals: try? result.get(), of: request, height: $1) }
    }
  }
}

extension EffectRunner {
  /// The most sections whose totals are kept; with more, only the footer shows totals.
  private static let mostSections = 200_000

  fileprivate func totals(_ request: ColumnTotals.Request) async throws -> ColumnTotals.Answer {
    let rows = request.query.request(in: schema)
    let terms = request.measures.map(\.term)
    let all = try await view.answer(AggregatesQuestion(terms, of: rows))
    var sections: [Value: [Value]] = [:]
    if let path = request.groupPath {
      try Task.checkCancellation()
      let groups = try await view.answer(AggregatesQuestion(terms, of: rows, groupBy: [path]))
      for line in groups.prefix(Self.mostSections) { sections[line[0]] = Array(line.dropFirst()) }
    }
    return ColumnTotals.Answer(all: all.first ?? [], sections: sections)
  }
}
