import DatastoreCore
import Foundation
package import SwiftDatastore
package import TerminalUI

/// The data browser: shows a datastore on a terminal until the user leaves.
///
/// ```swift
/// let datastore = try SwiftDatastore(opening: url)
/// try await Browser(datastore, terminal: CursesTerminal()).run()
/// ```
///
/// Runs on the main actor and never blocks it: the store is read elsewhere, and the results come back as
/// events. The objects of the datastore must be `DynamicObject`s: open it with `SwiftDatastore(opening:)`.
@MainActor
package final class Browser {
  private let terminal: any Terminal
  private let options: BrowserOptions
  /// The shown stores, the topmost last; the first one is the store that the browser was created for.
  private(set) var levels: [BrowserLevel]
  private let screenFile: ScreenFile?
  /// The content of the screen file, written or about to be.
  private var keptScreen: (panes: Panes, theme: Theme?) = (Panes(), nil)
  /// Events that wait until the current one is applied.
  private var pending: [any BrowserEvent] = []
  private var isUpdating = false
  /// Why the browser has ended, if it is to continue after the store is opened again; nil otherwise.
  package var reopening: ReopeningReason? { levels[0].state.importing.awaitsReopening }
  private var endingSignal: Int32?
  /// Finds the texts for a screen reader.
  private var presenter = LinearPresenter()
  private lazy var drawing = DrawingSchedule(
    isWorking: { [weak self] in self?.levels.contains { !$0.runner.isIdle } ?? false },
    draw: { [weak self] in self?.draw() })
  /// The replay of recorded keys.
  private(set) var replaying: Task<Void, Never>?
  private var ending: CheckedContinuation<Void, Never>?

  /// Creates a browser, which does nothing before `run()` or `start()`. Reads the saved column settings of
  /// this store, if `options` has a directory for them.
  package init(
    _ datastore: SwiftDatastore, terminal: any Terminal,
    options: BrowserOptions = BrowserOptions(at: nil)
  ) {
    self.terminal = terminal
    self.options = options
    screenFile = ScreenFile(in: options.stateDirectory)
    levels = [BrowserLevel(datastore, size: terminal.size, options: options)]
  }

  /// The topmost level.
  var level: BrowserLevel { levels[levels.count - 1] }
  var state: BrowserState {
    get { level.state }
    _modify { yield &level.state }
  }
  var runner: EffectRunner { level.runner }
  /// The datastore that the browser was created for, or its successor if the file's tables changed and it was
  /// opened again: the one to close in the end.
  package var datastore: SwiftDatastore { levels[0].datastore }

  /// Takes the terminal, shows the browser, and returns when the user has left it. The terminal is restored
  /// however the browser ends.
  ///
  /// - Returns: the signal that ended the browser, such as SIGHUP when the terminal is gone; nil if the user
  ///   left it.
  /// - Throws: `TerminalError` if there is no usable terminal.
  @discardableResult
  package func run() async throws -> Int32? {
    try start()
    if !state.isFinished {
      await withCheckedContinuation { ending = $0 }
    }
    await levels[0].runner.finish()
    return endingSignal
  }

  /// Takes the terminal and shows the browser; returns at once.
  ///
  /// - Throws: `TerminalError` if there is no usable terminal.
  package func start() throws {
    terminal.onEvent = { [weak self] event in
      guard let self else { return }
      if case .key = event, replaying != nil { return stopReplaying() }
      receive(event)
    }
    // Changes made by keys are drawn at once, not in a later turn of the main queue.
    terminal.onInputTaken = { [weak self] in self?.drawing.drawIfNeeded() }
    listenToRunner()
    let kept = screenFile?.read() ?? ScreenFile.Contents(panes: options.panes)
    keptScreen = (kept.panes, kept.theme?.theme)
    (state.panes, state.chosenTheme) = keptScreen
    if let theme = options.theme ?? state.chosenTheme { terminal.theme = theme }
    state.theme = terminal.theme
    try terminal.start()
    state.size = terminal.size
    state.clipboardHint = terminal.clipboardHint
    beginRunner()
    beginTop()
    state.report(terminal.notices, severity: .warning)
    drawing.draw()
  }

  /// Returns when every started effect has ended, its results are shown, and everything that was on the main
  /// queue before has run.
  package func idle() async {
    await drawing.idle { await runner.drainMainQueue() }
  }

  /// Checks whether another process has written the file, and returns when the changes are shown.
  package func checkForExternalChanges() async {
    await runner.service(TableChangeWatch.self).check()
    await idle()
  }

  private func listenToRunner() {
    runner.send = { [weak self] in self?.send($0) }
    runner.becameIdle = { [weak self] in self?.drawing.workEnded() }
  }

  private func beginRunner() {
    runner.begin()
    if level.options.watchesFile { runner.service(TableChangeWatch.self).watchFile() }
  }

  /// Starts the topmost level.
  func beginTop() {
    let (effects, fault) = level.begin()
    carryOut(effects)
    if let fault { send(StateChange { $0.tell(fault, .error) }) }
  }

  /// Puts a level above the others; the level below continues unseen.
  func enter(_ next: BrowserLevel) {
    let below = level
    below.runner.send = { [weak below] in below?.applyUnseen($0) }
    levels.append(next)
    listenToRunner()
    beginRunner()
    drawing.request()
  }

  /// Removes and returns the topmost level; nil if it is the only one.
  @discardableResult
  func leaveTop() -> BrowserLevel? {
    guard levels.count > 1 else { return nil }
    let left = levels.removeLast()
    left.runner.send = { _ in }
    listenToRunner()
    drawing.request()
    return left
  }

  /// Opens the file again after its tables have changed, and continues with it. No changes are staged.
  private func reopen() {
    let level = level
    let present = level.datastore
    let annotations = state.annotations
    runner.perform { [weak self] runner in
      let opened = await BlockingWork.run {
        Result { try present.reopened(annotations: annotations) }
      }
      await runner.ended(.columnSettings)
      await runner.service(RecoveryKeeper.self).written()
      guard let self else { return }
      resume(with: opened, at: level)
      if level === self.level { send(ReopeningEnded()) }
    }
  }

  private func resume(with opened: Result<SwiftDatastore, any Error>, at level: BrowserLevel) {
    guard !state.isFinished else { return }
    guard level === self.level else {
      // Meanwhile another store was shown above this one; the file is followed when that store is left.
      level.state.following = .awaited
      return
    }
    switch opened {
    case .failure(let error): state.giveUpFollowing(String(describing: error))
    case .success(let opened):
      // Changes may have been staged meanwhile.
      guard state.canFollowTables else {
        state.following = .awaited
        return
      }
      runner.send = { _ in }
      // Staged schema edits stay staged, in the recovery file of the new runner.
      if !state.schemaEditing.edits.isEmpty { runner.service(RecoveryKeeper.self).keepNothing() }
      runner.stop()
      level.datastore = opened
      level.runner = EffectRunner(opened, level.options.environment(showing: opened.url))
      listenToRunner()
      let before = state
      state = before.following(
        opened.schema, quickCounts: runner.quickCounts, labels: runner.labels)
      state.entities.kinds = opened.entityKinds
      state.editing.refusedWrites = opened.refusedWrites
      beginRunner()
      state.adopt(before.keptViews) { opened.hasRowids($0) }
      if !state.schemaEditing.edits.isEmpty {
        carryOut([.keepSchemaEdits(state.schemaEditing.edits)])
      }
      carryOut(state.begin(before.firstView(in: opened.schema)) + [.prepareConsole])
      state.keepPlace(of: before.table) { opened.hasRowids($0) }
    }
    drawing.request()
  }

  private func receive(_ input: InputEvent) {
    switch input {
    case .terminate(let signal): endingSignal = signal
    case .closed: endingSignal = SIGHUP
    case .key(let key): presenter.key = key
    default: break
    }
    send(UserInput(input))
  }

  /// Applies an event and then the events that followed from it, in order: an effect that answers at once
  /// does not overtake the effects that start beside it.
  private func send(_ event: any BrowserEvent) {
    pending.append(event)
    guard !isUpdating else { return }
    isUpdating = true
    var next = 0
    while next < pending.count {
      apply(pending[next])
      next += 1
    }
    pending.removeAll(keepingCapacity: true)
    isUpdating = false
  }

  private func apply(_ event: any BrowserEvent) {
    guard !state.isFinished else { return }
    let isSeen = event.isSeen(in: state)
    carryOut(state.update(event))
    if isSeen { drawing.request() }
    keepScreen()
    guard !state.isFinished else { return }
    level.keepViews()
    // Views of an answer are kept with the file that was queried.
    if levels.count > 1, levels[0].state.viewMemory != state.viewMemory {
      levels[0].state.viewMemory = state.viewMemory
      levels[0].keepViews()
    }
  }

  /// Saves the panels and the theme for the next run.
  private func keepScreen() {
    guard let screenFile, !state.isFinished else { return }
    var panes = state.panes
    panes.isZoomed = false
    guard panes != keptScreen.panes || state.chosenTheme != keptScreen.theme else { return }
    keptScreen = (panes, state.chosenTheme)
    let contents = ScreenFile.Contents(
      panes: panes, theme: state.chosenTheme.map { KeptTheme($0) })
    runner.keep("The division of the screen", at: screenFile.url) {
      try screenFile.write(contents)
    }
  }

  func carryOut(_ effects: [Effect]) {
    for effect in effects {
      switch effect {
      case .work: runner.start(effect)
      case .terminal(let effect): carryOut(effect)
      }
    }
  }

  private func carryOut(_ effect: TerminalEffect) {
    switch effect {
    case .suspend: terminal.suspend()
    case .redraw:
      // Draws the changes since the last drawing first: they belong to the screen.
      drawing.draw()
      terminal.redraw()
    case .useTheme(let theme): terminal.theme = theme
    case .replay(let input): replay(input)
    case .replaySession(let steps): replay(SessionScript(steps))
    case .putOnClipboard(let text): terminal.copy(text)
    case .editExternally(let edit): editExternally(edit)
    case .showAbove(let store, let replaces): show(store, replaces: replaces)
    case .leaveStore(let body): leaveStore(body)
    case .askAgain: askAgain()
    case .reopen: reopen()
    case .quit: finish()
    }
  }

  /// Gives recorded input piece by piece, and stops after one that ends in a warning or an error.
  private func replay(_ recorded: [InputEvent]) {
    replaying = Task { @MainActor in
      for input in recorded {
        guard !Task.isCancelled, !state.isFinished else { break }
        send(UserInput(input))
        await idle()
        if state.message?.isFailure ?? false { break }
      }
      replaying = nil
    }
  }

  /// Performs the steps of a session one after the other, and stops after one that ends in a warning or an
  /// error.
  private func replay(_ script: SessionScript) {
    replaying = Task { @MainActor in
      for (_, step) in script.steps {
        guard !Task.isCancelled, !state.isFinished else { break }
        // A replay cannot change the size of the terminal.
        if case .size = step { continue }
        await perform(step)
        if state.message?.isFailure ?? false { break }
      }
      replaying = nil
    }
  }

  /// Starts the browser, performs the steps of a session, and leaves without asking. The session must not
  /// wait for the user.
  ///
  /// - Returns: the final screen, and the reason and line of a step that could not be performed.
  package func run(_ script: SessionScript) async throws -> SessionOutcome {
    try start()
    await idle()
    var outcome = SessionOutcome()
    for (line, step) in script.steps {
      guard !state.isFinished else { break }
      await perform(step)
      guard let message = state.message, message.isFailure else { continue }
      outcome.failure = "Line \(line) of the session, “\(step)”, was not done: \(message.text)"
      break
    }
    let marks = levels[0].state.editing.marks
    outcome.unsaved = marks.isEmpty ? nil : marks.description
    if !state.isFinished {
      drawing.draw()
      state.request(.dropRecovery)
      state.finish()
      carryOut(state.takeRequests())
    }
    await runner.finish()
    return outcome
  }

  /// Performs a step of a session; returns when everything that it has started is done.
  private func perform(_ step: SessionStep) async {
    send(SessionInput(step: step))
    await idle()
    guard case .begin(let text) = step, state.message?.isFailure != true else { return }
    send(StateChange { $0.sessionBegan(text) })
  }

  private func stopReplaying() {
    replaying?.cancel()
    state.tell("The replay was stopped.", .warning)
    drawing.request()
  }

  /// Gives the screen to the user's own editor until it ends.
  private func editExternally(_ edit: ExternalEdit) {
    let outcome = ExternalEditor().edit(edit.text, suffix: edit.suffix, on: terminal)
    send(edit.ended(outcome))
  }

  private func finish() {
    replaying?.cancel()
    for level in levels.reversed() { level.endForGood() }
    terminal.stop()
    ending?.resume()
    ending = nil
  }

  private func draw() {
    guard !state.isFinished else { return }
    if options.configuration.isForScreenReader {
      terminal.say(presenter.announce(state))
      return
    }
    var buffer = ScreenBuffer(size: state.size, glyphs: terminal.glyphs)
    let cursor = state.draw(into: &buffer)
    terminal.draw(buffer, cursor: cursor)
  }
}
