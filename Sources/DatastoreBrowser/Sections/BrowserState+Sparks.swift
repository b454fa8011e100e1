import DatastoreCore

extension BrowserState {
  /// Shows the distribution of the current column's numbers in each section header, or hides it if it is
  /// shown.
  mutating func toggleSparkline() {
    guard let column = table?.currentColumn else { return }
    request(.stopSparks)
    arrange { settings, _ in
      settings.sparkline = settings.sparkline == column.name ? nil : column.name
    }
  }

  /// Applies the distributions for section headers.
  mutating func apply(
    _ result: Result<SectionSparks.Answer, EffectFailure>, of request: SectionSparks.Request
  ) {
    switch result {
    case .success(let answer): _ = table?.sparks.apply(answer, to: request)
    case .failure(let failure):
      if table?.sparks.apply(nil, to: request) == true {
        tell(failure.message, .error)
      }
    }
  }
}

extension DisabledReason {
  static let noSparkline = DisabledReason { state in
    if let reason = DisabledReason.noSections.reason(state) { return reason }
    guard let column = state.table?.currentColumn else { return "This table has no columns." }
    return column.hasNumbers || state.table?.settings.sparkline == column.name
      ? nil : "\(column.name) holds no numbers or dates. Go to a column that does."
  }
}
