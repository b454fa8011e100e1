import DatastoreCore
import DatastoreImport

/// The files whose rows are shown from a copy, and that saving writes.
struct SourceFilesState: FeatureState {
  /// All files that rows were read from, including those that cannot be written.
  var read: [LoadSource] = []
  /// The files that can be written, by the name of their table.
  var files: [String: SourceFile] = [:]
  /// The tables with saved changes that their files lack.
  var behind: Set<String> = []

  mutating func add(_ file: SourceFile) {
    if let entity = file.entity { files[entity] = file }
  }

  /// Records that files are up to date with their tables.
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

  /// The decimal mark in the file of an entity's rows; a point if there is no such file.
  func decimalMark(of entity: Entity) -> DecimalMark {
    sourceFiles.files[entity.name]?.source.reading.csv.decimalMark ?? .point
  }
}
