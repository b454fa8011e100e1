import DatastoreCore
import Foundation
import SwiftDatastore
import TerminalUI

/// One of the stores that the browser shows above each other, with its state. The levels below continue:
/// their work ends there, unseen.
@MainActor
final class BrowserLevel {
  let options: BrowserOptions
  /// The store that is shown above another level; nil for the file that the browser was created for.
  let above: (any NestedStore)?
  /// Replaced when the tables of the file have changed and it was opened again.
  var datastore: SwiftDatastore
  var runner: EffectRunner
  var state: BrowserState
  private let settingsFile: TableSettingsFile?
  private var viewsKeeper: ViewsKeeper?
  /// Effects for the terminal that wait until the level is topmost again.
  private var awaiting: [TerminalEffect] = []

  init(
    _ datastore: SwiftDatastore, size: Size, options: BrowserOptions,
    above: (any NestedStore)? = nil
  ) {
    self.options = options
    self.above = above
    self.datastore = datastore
    let subject = options.subject(showing: datastore.url)
    settingsFile = TableSettingsFile(of: subject, in: options.stateDirectory)
    viewsKeeper = ViewsKeeper(of: subject, in: options.stateDirectory)
    runner = EffectRunner(datastore, options.environment(showing: datastore.url))
    var settings = TableSettings()
    settings.quickCounts = runner.quickCounts
    settings.labels = runner.labels
    settings.keepsIdentifiersInPlace = options.configuration.keepsIdentifiersInPlace
    state = BrowserState(
      schema: datastore.schema, storeName: datastore.storeName,
      size: size, keymap: options.configuration.keymap, tableSettings: settings)
    state.entities.kinds = datastore.entityKinds
    state.filters.file = datastore.url?.path
    state.annotations = datastore.annotations
    state.adoptMeaning(of: datastore.annotations)
    state.editing.access = options.access(to: datastore)
    state.editing.isInServer = datastore.isInServer
    state.editing.refusedWrites = datastore.refusedWrites
    state.queryCommandState.files =
      options.queriedFiles ?? (datastore.url.map { [$0.path] } ?? [])
    state.queryCommandState.reading = options.readingWords
    state.editing.isCopyIncomplete = options.copiedFile != nil && options.importing != nil
    state.sourceFiles.read = options.rowSources
    for file in options.sourceFiles { state.sourceFiles.add(file) }
    state.isAboveAnother = above != nil
  }

  /// The first effects. Reads the data that was kept about the store.
  ///
  /// - Returns: the effects, and the fault that kept some data from being read.
  func begin() -> (effects: [Effect], fault: String?) {
    if above == nil { watchAnswering() }
    let kept = settingsFile?.read()
    if let kept { state.tableSettings.columns = kept.columns }
    var first = options
    if let views = viewsKeeper?.read() {
      state.adopt(views) { datastore.hasRowids($0) }
      let isThere = views.shown.map { datastore.schema.entity(named: $0) != nil } ?? false
      if first.entity == nil, !first.asksForRows, isThere { first.entity = views.shown }
    }
    var effects = state.begin(first)
    if above == nil { state.recordStart() }
    if let above {
      above.arrange(&state)
      effects += state.takeRequests() + above.work()
    }
    if state.message == nil,
      let sentence = SchemaDifferences.sentence(datastore.schemaDifferences)
        ?? datastore.modelNotes.first
    {
      state.tell(sentence, .warning)
    }
    state.report(first.predicate?.advice ?? [], severity: .information)
    if above == nil { state.report(options.notices, severity: .warning) }
    // Above a file, a greeting would cover that a table has only a part of its rows.
    if state.message == nil, above == nil, options.isFirstRun { state.greet() }
    return (effects, kept?.fault)
  }

  /// Shows from now on whether the store answers.
  private func watchAnswering() {
    options.watchAnswering { [weak self] isAnswering in
      Task { @MainActor in
        self?.runner.send(StateChange { $0.storeAnswers(isAnswering) })
      }
    }
  }

  /// Saves the views, if they have changed.
  func keepViews() { viewsKeeper?.keep(state, by: runner) }

  /// Applies an event while another level is topmost: nothing is drawn, and effects for the terminal wait.
  func applyUnseen(_ event: any BrowserEvent) {
    for effect in state.update(event) {
      switch effect {
      case .work: runner.start(effect)
      case .terminal(let effect): awaiting.append(effect)
      }
    }
  }

  /// Removes and returns the effects for the terminal, now that the level is topmost again.
  func takeAwaiting() -> [Effect] {
    defer { awaiting = [] }
    return awaiting.map { .terminal($0) }
  }

  /// Copies from the former topmost level the state that belongs to the user and not to a store.
  func adopt(from other: BrowserState) {
    state.panes = other.panes
    state.theme = other.theme
    state.chosenTheme = other.chosenTheme
    state.clipboardHint = other.clipboardHint
    state.messageLog = other.messageLog
    state.session = other.session
    state.macro = other.macro
    state.viewMemory = other.viewMemory
  }

  /// Stops all work. Removes the store in the background, if it was shown above another one.
  func end() {
    runner.stop()
    guard let above else { return }
    BlockingWork.begin { above.close() }
  }

  /// Saves the views and stops all work when the browser ends. Waits until a store that was shown above
  /// another one is removed.
  func endForGood() {
    viewsKeeper?.keepAll(state, by: runner)
    runner.stop()
    above?.close()
  }
}
