/// What the browser remembers about summaries.
struct SummaryMemory: FeatureState {
  /// The number of the last one.
  var last = 0
}

extension BrowserState {
  var summaries: SummaryMemory {
    get { self[SummaryMemory.self] }
    _modify { yield &self[SummaryMemory.self] }
  }
}
