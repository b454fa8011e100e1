import DatastoreImport

/// The files whose rows are shown from a copy, and that are written when something is saved.
struct SourceFilesState: FeatureState {
  /// All files that rows were read from, also those that cannot be written.
  var read: [LoadSource] = []
  /// By the name of the table that each fills.
  var files: [String: SourceFile] = [:]
  /// The tables of those that lack what was saved.
  var behind: Set<String> = []

  /// Adds a file.
  mutating func add(_ file: SourceFile) {
    if let entity = file.entity { files[entity] = file }
  }

  /// Records that files have what their tables have.
  mutating func record(written files: [SourceFile]) {
    for file in files {
      add(file)
      if let entity = file.entity { behind.remove(entity) }
    }
  }
}

extension BrowserState {
  var sourceFiles: SourceFilesState {
    get { self[SourceFilesState.self] }
    _modify { yield &self[SourceFilesState.self] }
  }
}
