import DatastoreImport

enum ImportEvent: BrowserEvent {
  case previewed(Int, Result<ImportPreview, EffectFailure>)
  /// The progress of the import, and new faults.
  case progressed(ImportProgress, [LoadFault], faultCount: Int)
  case ended(ImportOutcome)
  case tableMade(LoadSource)
  /// The rest of the file has other types than its beginning.
  case typesRefuted

  func apply(to state: inout BrowserState) { state.apply(self) }
}

struct ImportProgress: Hashable, Sendable {
  let load: LoadProgress
  let rate: LoadRate
}

enum ImportOutcome: Sendable {
  case completed(LoadReport)
  case cancelled
  /// The import has failed, for the reason in the sentence.
  case failed(String)
}
