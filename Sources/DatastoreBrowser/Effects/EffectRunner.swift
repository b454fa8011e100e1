import DatastoreCore
import Dispatch
import SwiftDatastore

import struct Foundation.URL

/// Carries out effects: reads the store off the main actor and sends what it finds as events.
///
/// Every piece of work is registered before it begins, so that `isIdle` is never true too early.
@MainActor
final class EffectRunner {
  let datastore: SwiftDatastore
  let themeFolders: [URL]
  let view: SwiftDatastoreViewContext
  var schema: Schema { datastore.schema }
  /// Takes the results.
  var send: (BrowserEvent) -> Void = { _ in }
  /// Called whenever the last piece of work has ended.
  var becameIdle: () -> Void = {}

  /// Where decisions about columns are kept.
  var settingsFile: TableSettingsFile?
  /// The last write of that file: they are made one after the other.
  var lastSettingsWrite: Task<Void, Never>?

  private var work: [Int: Task<Void, Never>] = [:]
  private var lastWork = 0
  private var contextObservation: ContextObservation?
  /// The list that the table shows.
  var list: ListFeed?
  var fetchWork: Int?
  /// The rows that the table has read last.
  var recentRows: [[DynamicObject]] = []
  /// The object of the detail pane.
  var watched: ObjectFeed?
  var watchWork: Int?
  var summaryWork: Int?
  /// The running search, and the value that is being laid out.
  var searchWork: Int?
  var valueWork: Int?
  var sparkWork: Int?
  /// The search for the values that occur in the column that is edited.
  var occurringWork: Int?
  /// The last count that was asked for: counts are read one after the other, since each may go
  /// through a whole table.
  var lastCount: Task<Void, Never>?
  /// What runs for the filter.
  var filterWork: FilterWork
  /// The last piece of work on what is staged: each begins when the one before it has ended.
  var lastStaging: Task<Void, Never>?
  /// The last saving, or writing of many objects at once.
  var saveWork: Int?
  /// What the screens know of what is staged.
  var publishedMarks = StagingMarks()
  /// What the recovery file says, or will say.
  var publishedStaging: [StagedObject] = []
  /// The search for objects by name that was asked for last.
  var nameSearchWork: Int?
  /// What the last search has found, of tables whose keys are mere row numbers.
  var offered: Set<ObjectReference> = []
  /// Keeps what is staged over a crash; nil for stores without a file.
  let recovery: RecoveryFile?
  var recoveryWork: Int?
  var isWritingRecovery = false
  /// What is to be written next.
  var waitingForRecovery: [StagedObject]?
  /// The import that runs, or was last, and the beginning of a file that is read before.
  var importWork: Int?
  var previewWork: Int?
  /// Whether the last writing failed, which was told.
  var hasRecoveryFailed = false
  /// The file that is being written, and the text that is being made.
  var exportWork: Int?
  var copyWork: Int?
  /// The statement that runs, and the last write of those that ran before.
  var sqlWork: Int?
  var lastSQLHistory: Task<Void, Never>?
  var isSQLHistoryBroken = false
  /// Where the browser keeps what outlives it, if anywhere.
  let stateDirectory: URL?
  /// Tells of writes to the file, and what looks at them.
  var fileWatch: FileWatch?
  var looking: Task<Void, Never>?
  var isFileTouched = false
  /// Whether the screens know that another process has changed the tables.
  var hasToldOfTables = false

  init(
    _ datastore: SwiftDatastore, themeFolders: [URL], stateDirectory: URL?,
    filterFiles: FilterFiles? = nil
  ) {
    self.datastore = datastore
    self.stateDirectory = stateDirectory
    filterWork = FilterWork(files: filterFiles)
    recovery = datastore.url.map { RecoveryFile(store: $0, stateDirectory: stateDirectory) }
    self.themeFolders = themeFolders
    view = datastore.sharedViewContext
  }

  convenience init(
    _ datastore: SwiftDatastore, _ options: BrowserOptions, _ settingsFile: TableSettingsFile?
  ) {
    self.init(
      datastore, themeFolders: options.themeFolders, stateDirectory: options.stateDirectory,
      filterFiles: options.filterFiles)
    self.settingsFile = settingsFile
  }

  /// Whether nothing is being done.
  var isIdle: Bool { work.isEmpty }

  /// Begins to hear of changes in the store.
  func begin() {
    view.isUndoEnabled = true
    contextObservation = view.observeChanges { [weak self] changed in
      guard let self else { return }
      send(.storeChanged(changed.keys))
      if changed.isEverything { send(.everythingChanged) }
      publishStaging()
      // The list may have begun to read itself anew because of the change.
      if let list { perform { _ in await list.controller.settled() } }
    }
  }

  /// Ends everything.
  func stop() {
    contextObservation = nil
    stopWatchingFile()
    // What is staged is still to be kept, or to be forgotten.
    for (number, task) in work where number != recoveryWork { task.cancel() }
    list = nil
    watched = nil
  }

  /// Begins an effect.
  func start(_ effect: Effect) {
    switch effect {
    case .fetch(let number, let query): fetch(number, query)
    case .stopFetching: stopFetching()
    case .loadRows(let fetch, let entity, let keys):
      loadRows(fetch: fetch, entity: entity, keys: keys)
    case .loadNames(let entity, let keys): loadNames(entity: entity, keys: keys)
    case .count(let entity): count(entity: entity)
    case .watch(let object): watch(object)
    case .loadMembers(let object, let slot): loadMembers(of: object, slot: slot)
    case .summarize(let request): summarize(request)
    case .stopSummarizing: stopSummarizing()
    case .stage(let step): stage(step)
    case .beginEdit(let target, let bulk): beginEdit(target, bulk)
    case .findValues(let target): findValues(target)
    case .planDeletion(let objects): planDeletion(of: objects)
    case .findSelection(let objects): findSelection(objects)
    case .save: save()
    case .stopSaving: cancel(saveWork)
    case .settle(let settlements, let saves): settle(settlements, saves: saves)
    case .review: review()
    case .searchObjects(let number, let entity, let text):
      searchObjects(number, entity: entity, text)
    case .completePath(let path): completePath(path)
    case .saveValue(let target, let path, let replacing):
      saveValue(of: target, to: path, replacing: replacing)
    case .loadValue(let target, let path, let asText):
      loadValue(of: target, from: path, asText: asText)
    case .planUpdate(let target, let slot, let value): planUpdate(target, slot: slot, value)
    case .writeUpdate(let entity, let predicate, let slot, let value):
      writeUpdate(entity: entity, predicate, slot: slot, value)
    case .writeDeletion(let entity, let predicate): writeDeletion(entity: entity, predicate)
    case .findRecovery: findRecovery()
    case .restoreRecovery(let path): restoreRecovery(path)
    case .discardRecovery(let path): discardRecovery(path)
    case .dropRecovery: keepForRecovery([])
    case .keepAndLeave: keepAndLeave()
    case .listThemes: listThemes()
    case .filter(let effect): start(effect)
    case .importing(let effect): start(effect)
    case .loadCounts(let fetch, let entity, let slot, let keys):
      loadCounts(fetch: fetch, entity: entity, slot: slot, keys: keys)
    case .loadMemberKeys(let object, let slot): loadMemberKeys(of: object, slot: slot)
    case .keepColumns(let entity, let settings): keepColumns(settings, of: entity)
    case .search(let request): search(request)
    case .stopSearching: stopSearching()
    case .layOutValue(let request): layOutValue(request)
    case .export(let request): export(request)
    case .stopExporting: stopExporting()
    case .copy(let request): copy(request)
    case .sql(let effect): start(effect)
    case .readSchema: readSchema()
    case .computeSparks(let request): computeSparks(request)
    case .stopSparks: stopSparks()
    case .editExternally, .suspend, .useTheme, .replay, .quit, .redraw, .putOnClipboard, .openAnew:
      preconditionFailure("the browser itself carries out effects on the terminal")
    }
  }

  /// Returns when nothing is being saved any more.
  func saveHasEnded() async {
    if let saveWork, let task = task(saveWork) { await task.value }
  }

  /// Registers a piece of work, then begins it.
  @discardableResult
  func perform(_ body: @escaping @MainActor (EffectRunner) async -> Void) -> Int {
    lastWork += 1
    let number = lastWork
    work[number] = Task { @MainActor in
      await body(self)
      work[number] = nil
      if work.isEmpty { becameIdle() }
    }
    return number
  }

  /// Ends a piece of work early; it stays registered until it has noticed.
  func cancel(_ number: Int?) {
    if let number { work[number]?.cancel() }
  }

  /// The task of a piece of work.
  func task(_ number: Int) -> Task<Void, Never>? { work[number] }

  /// Returns when everything that is on the main queue now has run, merges of saved changes among
  /// it.
  func drainMainQueue() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
  }
}
