import DatastoreImport

/// What importing asks for.
enum ImportEffect: Hashable, Sendable {
  /// Read the beginning of a file.
  case preview(Int, path: String, ReadingOptions)
  /// Read a whole file into the table that it is for.
  case start(LoadSource)
  /// Make a table for a file. The import begins when the store has been opened anew with it.
  case makeTable(LoadSource)
  case cancel
}

/// What comes back.
enum ImportEvent: Sendable {
  case previewed(Int, Result<ImportPreview, CountFailure>)
  /// How far the import is, and faults that have not been told before.
  case progressed(ImportProgress, [LoadFault], faultCount: Int)
  case ended(ImportOutcome)
  case tableMade(LoadSource)
}

/// How far an import is.
struct ImportProgress: Hashable, Sendable {
  let load: LoadProgress
  let pace: LoadPace
}

/// How an import has ended.
enum ImportOutcome: Sendable {
  case completed(LoadReport)
  case cancelled
  /// In a sentence.
  case failed(String)
}
