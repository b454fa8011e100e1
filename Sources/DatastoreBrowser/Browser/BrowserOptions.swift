package import DatastoreCore
package import DatastoreImport
import SwiftDatastore
package import TerminalUI

package import struct Foundation.URL

/// What a browser shows first.
package struct BrowserOptions: Sendable {
  /// The entity whose table is shown; the first one without it.
  package var entity: String?
  /// The path of the property that makes the sections.
  package var groupBy: [String]?
  /// Which rows; all without it. It can be changed like a filter that was typed.
  package var predicate: Predicate?
  /// The order of the rows; by key without it.
  package var order: [SortDescriptor]
  /// The look; without it the one that was chosen in the browser, else the terminal's own.
  package var theme: Theme?
  /// Which panels are shown, where nothing is kept of that in the state directory.
  package var panes = Panes()
  /// The directory in which the browser keeps what outlives it: the arrangement of columns, and unsaved
  /// changes over a crash when the store's own directory cannot be written. Nothing is kept without it.
  package var stateDirectory: URL?
  /// Whether a new user is shown the keys that lead to all others.
  package var isFirstRun = false
  /// Where scheme files to choose from are; of two with one name the first folder's counts.
  package var themeFolders: [URL]
  /// Where filters are kept; without it they are for as long as the browser runs.
  package var filterFiles: FilterFiles?
  /// Whether what is said of the file is kept for the next time.
  package var keepsAnnotations = true
  /// Whether what other processes write to the file is shown by itself.
  package var watchesFile = false
  /// A file that is imported when the browser begins.
  package var importing: LoadSource?
  /// The types that its beginning has shown. Where the rest has others, the browser ends, and `reopening`
  /// says why.
  package var guessedTypes: GuessedTypes?
  /// The name of the file that is shown, when the store is only a copy of it: nothing can be changed then,
  /// unless it is one of the `sourceFiles`.
  package var copiedFile: String?
  /// Why that file is not written, as a part of a sentence; without it since it was opened to be read.
  package var copyRefusal: String?
  /// The database that is shown, where it is in a server.
  package var server: KeptServer?
  /// The files whose rows a copy has, as they can be asked for again; nil for the store itself.
  package var queriedFiles: [String]?
  /// The options of `datastore query` by which those files were read.
  package var readingWords: [String] = []
  /// The files that the tables of a copy are written into when something is saved.
  package var sourceFiles: [SourceFile] = []
  /// The files from which the rows of a copy are read.
  package var rowSources: [LoadSource] = []
  /// Lists with more rows are read where they are looked at; a million without it.
  package var mostKeys: Int?
  /// What the user has configured.
  package var configuration: Configuration

  /// Makes options.
  package init(
    entity: String? = nil, groupBy: [String]? = nil, predicate: Predicate? = nil,
    order: [SortDescriptor] = [], theme: Theme? = nil, themeFolders: [URL] = [],
    stateDirectory: URL? = nil, configuration: Configuration = .standard
  ) {
    self.entity = entity
    self.groupBy = groupBy
    self.predicate = predicate
    self.order = order
    self.theme = theme
    self.themeFolders = themeFolders
    self.stateDirectory = stateDirectory
    self.configuration = configuration
  }

  /// Whether it says which rows are shown, or how: then no view is shown as it was left.
  var asksForRows: Bool {
    // A copy is filled while it is shown.
    groupBy != nil || predicate != nil || !order.isEmpty || importing != nil && copiedFile == nil
  }

  /// Whether the store that is shown can be changed.
  func access(to datastore: SwiftDatastore) -> StoreAccess {
    if let copiedFile {
      return sourceFiles.isEmpty
        ? .readOnlyCopy(of: copiedFile, reason: copyRefusal) : .copy(of: copiedFile)
    }
    if datastore.isCoreData { return .coreData }
    guard datastore.isReadOnly else { return .writable }
    return datastore.isInServer ? .readOnlyInServer : .readOnly
  }

  /// What views, columns and labels are kept for: the files of a copy, since that is another store the next
  /// time.
  ///
  /// - Parameter store: where the shown store is.
  func subject(showing store: URL?) -> KeptSubject? {
    guard copiedFile == nil else { return KeptSubject(files: queriedFiles ?? []) }
    return KeptSubject(store: store) ?? server.map { KeptSubject($0) }
  }

  /// What effects use of it.
  ///
  /// - Parameter store: where the shown store is.
  func environment(showing store: URL?) -> EffectEnvironment {
    EffectEnvironment(
      subject: subject(showing: store), server: store == nil ? server : nil,
      stateDirectory: stateDirectory,
      keepsAnnotations: keepsAnnotations,
      filterFiles: filterFiles.map { ($0.savedFile, $0.historyFile) },
      themeFolders: themeFolders, mostKeys: mostKeys)
  }

  /// The same for a store that was reopened, with the table that a file is imported into.
  package func opening(_ source: LoadSource) -> BrowserOptions {
    var options = self
    options.entity = source.entityName
    (options.groupBy, options.predicate, options.order) = (nil, nil, [])
    (options.importing, options.guessedTypes) = (source, nil)
    return options
  }
}
