package import DatastoreCore
package import DatastoreImport
import SwiftDatastore
package import TerminalUI

package import struct Foundation.URL

/// The options of a browser: the first table and its rows, and the files that the browser uses.
package struct BrowserOptions: Sendable {
  /// The entity of the first table; nil for the first entity.
  package var entity: String?
  /// The path of the property that the rows are grouped by.
  package var groupBy: [String]?
  /// The condition of the rows; nil for all rows. The user can change it like a typed filter.
  package var predicate: Predicate?
  /// The order of the rows; by key if empty.
  package var order: [SortDescriptor] = []
  /// The theme; nil for the one chosen in the browser, or else the terminal's own colours.
  package var theme: Theme?
  /// The visible panels, if the state directory has no saved ones.
  package var panes = Panes()
  /// The directory of the data that is kept between runs: column settings, and, when the store's own
  /// directory cannot be written, unsaved changes to recover after a crash. Nil to keep nothing.
  package var stateDirectory: URL?
  /// Whether to show a new user the keys that lead to all others.
  package var isFirstRun = false
  /// The folders of the scheme files to choose from. If several have a file of the same name, the first
  /// folder counts.
  package var themeFolders: [URL] = []
  /// The files of filters; nil to keep filters for this run only.
  package var filterFiles: FilterFiles?
  /// Whether annotations of the file are kept between runs.
  package var keepsAnnotations = true
  /// Whether changes of the file by other processes are shown automatically.
  package var watchesFile = false
  /// A file to import when the browser starts.
  package var importing: LoadSource?
  /// The column types guessed from the beginning of the input. If a later row contradicts them, the browser
  /// ends, and `reopening` has the reason.
  package var guessedTypes: GuessedTypes?
  /// The name of the shown file, if the store is only a copy of it. The copy is read-only unless the file is
  /// one of the `sourceFiles`.
  package var copiedFile: String?
  /// Why that file is not written, as part of a sentence; nil if it was opened read-only.
  package var copyRefusal: String?
  /// Sentences about what is not shown, to report when the browser starts.
  package var notices: [String] = []
  /// When the shown store was copied from a machine that has the database; nil for others.
  package var farCopyTime: String?
  /// The shown database, if it is in a server.
  package var server: KeptServer?
  /// Has a closure called, on any thread, whenever a store elsewhere stops answering or answers again.
  package var watchAnswering:
    @Sendable (_ told: @escaping @Sendable (_ isAnswering: Bool) -> Void) -> Void = { _ in }
  /// The files whose rows the copy has, as they can be queried again; nil for the store itself.
  package var queriedFiles: [String]?
  /// The options of `datastore query` that the files were read with.
  package var readingWords: [String] = []
  /// The files to write the tables of a copy into on saving.
  package var sourceFiles: [SourceFile] = []
  /// The files that the rows of a copy are read from.
  package var rowSources: [LoadSource] = []
  /// Lists with more rows are read only around the visible rows; a million by default.
  package var mostKeys: Int?
  /// The user's configuration.
  package var configuration = Configuration.standard

  /// Whether the options determine the rows or their order; then no view is restored.
  var asksForRows: Bool {
    // A copy is filled while it is shown.
    groupBy != nil || predicate != nil || !order.isEmpty || importing != nil && copiedFile == nil
  }

  /// Whether the shown store can be changed, and where its changes are saved.
  func access(to datastore: SwiftDatastore) -> StoreAccess {
    if let copiedFile {
      return sourceFiles.isEmpty
        ? .readOnlyCopy(of: copiedFile, reason: copyRefusal) : .copy(of: copiedFile)
    }
    if let farCopyTime { return .farCopy(of: datastore.storeName, time: farCopyTime) }
    if datastore.isCoreData { return .coreData }
    guard datastore.isReadOnly else { return .writable }
    return datastore.isInServer ? .readOnlyInServer : .readOnly
  }

  /// The subject of the kept views, columns and labels: the files of a copy, since the copy is another store
  /// the next time.
  ///
  /// - Parameter store: the path of the shown store.
  func subject(showing store: URL?) -> KeptSubject? {
    guard copiedFile == nil, farCopyTime == nil else {
      return KeptSubject(files: queriedFiles ?? [])
    }
    return KeptSubject(store: store) ?? server.map { KeptSubject($0) }
  }

  /// The options that effects use.
  ///
  /// - Parameter store: the path of the shown store.
  func environment(showing store: URL?) -> EffectEnvironment {
    // Named the other way round, they are the same files.
    let files = sourceFiles.sorted { $0.identity < $1.identity }
    return EffectEnvironment(
      subject: subject(showing: store), server: store == nil ? server : nil,
      sourceFiles: files.map(\.identity), sourceStates: files.map(\.state),
      stateDirectory: stateDirectory,
      keepsAnnotations: keepsAnnotations,
      filterFiles: filterFiles.map { ($0.savedFile, $0.historyFile) },
      themeFolders: themeFolders, mostKeys: mostKeys)
  }

  /// The options for a reopened store that show the table that a file is imported into.
  package func opening(_ source: LoadSource) -> BrowserOptions {
    var options = self
    options.entity = source.entityName
    (options.groupBy, options.predicate, options.order) = (nil, nil, [])
    (options.importing, options.guessedTypes) = (source, nil)
    return options
  }
}

extension BrowserOptions {
  /// - Parameter entity: the entity of the first table; nil for the first entity.
  package init(at entity: String?) {
    self.init(entity: entity)
  }
}
