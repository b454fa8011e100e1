import DatastoreImport

/// What comes back.
enum ImportEvent: BrowserEvent {
  case previewed(Int, Result<ImportPreview, EffectFailure>)
  /// How far the import is, and new faults.
  case progressed(ImportProgress, [LoadFault], faultCount: Int)
  case ended(ImportOutcome)
  case tableMade(LoadSource)
  /// The rest of a file has other types than its beginning.
  case typesRefuted

  func apply(to state: inout BrowserState) { state.apply(self) }
}

/// How far an import is.
struct ImportProgress: Hashable, Sendable {
  let load: LoadProgress
  let rate: LoadRate
}

/// How an import has ended.
enum ImportOutcome: Sendable {
  case completed(LoadReport)
  case cancelled
  /// In a sentence.
  case failed(String)
}
