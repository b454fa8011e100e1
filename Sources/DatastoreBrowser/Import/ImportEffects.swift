import DatastoreImport

/// The events of an import.
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

/// The progress of an import.
struct ImportProgress: Hashable, Sendable {
  let load: LoadProgress
  let rate: LoadRate
}

/// The outcome of an import.
enum ImportOutcome: Sendable {
  case completed(LoadReport)
  case cancelled
  /// The import has failed, for the reason in the sentence.
  case failed(String)
}
