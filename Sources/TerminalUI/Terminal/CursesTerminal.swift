internal import Dispatch
internal import Foundation
internal import Glibc

/// The terminal of the process.
///
/// Input and signals arrive as events on the main queue, so the application must let the main queue run
/// (`dispatchMain()`, `RunLoop.main` or an `async` main); while nothing happens the process sleeps. The
/// terminal is restored by `stop()`, before a stop by Ctrl-Z, when SIGTERM, SIGINT or SIGHUP arrive, when the
/// process calls `exit` or returns from `main`, and when it crashes.
@MainActor
package final class CursesTerminal: Terminal {
  package var onEvent: (@MainActor (InputEvent) -> Void)?
  package var onInputTaken: (@MainActor () -> Void)?
  package var theme: Theme {
    didSet { repaint() }
  }

  private let environment: [String: String]
  private let wantedGlyphs: GlyphSet?
  private let usesMouse: Bool
  private var screen: CursesScreen?
  private var decoder = InputDecoder()
  private var inputSource: (any DispatchSourceRead)?
  /// Created at the first start and kept: Dispatch never restores the action of a signal that it has watched,
  /// so this type performs it even while the screen is not taken.
  private var signalSources: [any DispatchSourceSignal] = []
  private var lastDrawn: (buffer: ScreenBuffer, cursor: Position?)?
  private var isClosed = false
  /// Whether the application was asked to end. It may still have data to write.
  private var isEnding = false
  /// Whether another program has the screen: keyboard signals are then for that program.
  private var isLent = false
  private let began = ContinuousClock.now

  /// Creates a terminal that does not touch the screen before `start()`.
  ///
  /// - Parameters:
  ///   - glyphs: the glyphs to draw with; nil for those that the locale allows.
  ///   - usesMouse: whether the terminal reports the mouse; if not, the terminal's own text selection works.
  package init(
    theme: Theme = .fallback, glyphs: GlyphSet? = nil, usesMouse: Bool = true,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    self.theme = theme
    wantedGlyphs = glyphs
    self.usesMouse = usesMouse
    self.environment = environment
  }

  package var size: Size { screen?.size ?? .zero }
  package var glyphs: GlyphSet { screen?.glyphs ?? .unicode }
  package var notices: [String] { screen?.notices ?? [] }

  /// Takes the screen. Has no effect if it is taken already.
  ///
  /// Throws `TerminalError`.
  package func start() throws {
    guard screen == nil else { return }
    let screen = try CursesScreen(
      environment: environment, glyphs: wantedGlyphs, usesMouse: usesMouse)
    self.screen = screen
    isClosed = false
    isEnding = false
    decoder = InputDecoder()
    decoder.isControlHBackspace = screen.isControlHBackspace
    screen.updateSize()
    watchInput()
    guard signalSources.isEmpty else { return }
    signalSources = [SIGWINCH, SIGCONT, SIGTSTP, SIGTERM, SIGINT, SIGHUP].map(watch)
  }

  /// Restores the screen as it was; input waits until the next `start()`.
  package func stop() {
    guard let screen else { return }
    inputSource?.cancel()
    inputSource = nil
    self.screen = nil
    lastDrawn = nil
    screen.close()
  }

  /// Shows a buffer; only the cells that differ from the last one are sent.
  package func draw(_ buffer: ScreenBuffer, cursor: Position?) {
    lastDrawn = (buffer, cursor)
    guard !isClosed else { return }
    screen?.draw(buffer, cursor: cursor, theme: theme)
  }

  /// Gives the screen to the shell and stops the whole job. Returns when the job is continued, after
  /// delivering `resumed`.
  package func suspend() {
    guard let screen, !isClosed else { return }
    screen.leave()
    onEvent?(.suspended)
    stopJob()
    // The application may have stopped the terminal in response to the suspension.
    guard self.screen != nil else { return }
    resume()
  }

  /// Gives the screen to another program until it ends.
  package func run(_ command: [String]) throws -> Int32 {
    guard let screen, !isClosed else { return try ForegroundProgram.run(command) }
    screen.leave()
    isLent = true
    // The main queue delivers the signals that arrived meanwhile before this runs.
    defer {
      DispatchQueue.main.async { self.isLent = false }
      if self.screen != nil { resume() }
    }
    return try ForegroundProgram.run(command)
  }

  /// Stops the whole job, as the terminal driver does at Ctrl-Z, and returns when it is continued.
  ///
  /// The other processes of the group get the signal while this process ignores it. Then this thread raises
  /// it for itself: only that is certain to stop the process before the call returns, for a signal sent to
  /// the process may reach another thread, and later. Dispatch, which catches and blocks the signal, gets it
  /// back afterwards.
  private func stopJob() {
    var previous = sigaction()
    var action = sigaction()
    action.__sigaction_handler.sa_handler = SIG_IGN
    sigaction(SIGTSTP, &action, &previous)
    kill(0, SIGTSTP)
    sigaction(SIGTSTP, &previous, nil)
    takeStandardAction(of: SIGTSTP)
  }

  /// Raises a signal with its default action: it ends the process, or stops it and returns when the process
  /// is continued, at once if there is no shell that could continue it.
  private func takeStandardAction(of number: Int32) {
    var previous = sigaction()
    var action = sigaction()
    action.__sigaction_handler.sa_handler = SIG_DFL
    sigaction(number, &action, &previous)
    var stopping = sigset_t()
    var previousMask = sigset_t()
    sigemptyset(&stopping)
    sigaddset(&stopping, number)
    pthread_sigmask(SIG_UNBLOCK, &stopping, &previousMask)
    raise(number)
    pthread_sigmask(SIG_SETMASK, &previousMask, nil)
    sigaction(number, &previous, nil)
  }

  /// Waits, stopped, until the job has the terminal; false if that cannot happen.
  ///
  /// The kernel would stop a background job that changes the terminal, but not a thread that blocks the
  /// signal, as Dispatch's threads do. Each round ends when a shell continues the job in the background;
  /// rounds that end at once mean that there is no shell.
  private func waitForForeground() -> Bool {
    for _ in 0..<100 {
      if tcgetpgrp(STDIN_FILENO) == getpgrp() { return true }
      takeStandardAction(of: SIGTTOU)
    }
    return false
  }

  /// Takes the screen again and notifies the application, which draws.
  private func resume() {
    guard let screen else { return }
    guard waitForForeground() else {
      close()
      return
    }
    let before = screen.size
    screen.reenter()
    if screen.size != before { onEvent?(.resize(screen.size)) }
    repaint()
    onEvent?(.resumed)
  }

  /// Writes the whole screen again, after another program has written on it.
  package func redraw() {
    guard let screen, !isClosed, let lastDrawn else { return }
    screen.forgetShown()
    draw(lastDrawn.buffer, cursor: lastDrawn.cursor)
  }

  /// Sends the text as OSC 52.
  package func copy(_ text: String) {
    guard !isClosed else { return }
    screen?.send(ClipboardSequence(text, isInsideTmux: isInsideTmux).bytes)
  }

  package var clipboardHint: String? { isInsideTmux ? ClipboardSequence.tmuxHint : nil }

  private var isInsideTmux: Bool { !(environment["TMUX"] ?? "").isEmpty }

  private func repaint() {
    screen?.forgetStyles()
    if let lastDrawn { draw(lastDrawn.buffer, cursor: lastDrawn.cursor) }
  }

  private func watchInput() {
    let source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .main)
    source.setEventHandler { [weak self] in
      MainActor.assumeIsolated { self?.readInput() }
    }
    source.resume()
    inputSource = source
  }

  private func watch(_ number: Int32) -> any DispatchSourceSignal {
    let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
    source.setEventHandler { [weak self] in
      MainActor.assumeIsolated { self?.received(number) }
    }
    source.resume()
    return source
  }

  /// Delivers all waiting input. The application may stop the terminal while it handles any of it, so every
  /// step checks again.
  private func readInput() {
    if screen?.isHungUp == true {
      close()
      return
    }
    while let unit = screen?.readUnit(time: ContinuousClock.now - began) {
      for event in decoder.feed(unit) { deliver(event) }
    }
    for event in decoder.endBurst() { deliver(event) }
    onInputTaken?()
  }

  private func deliver(_ event: InputEvent) {
    guard screen != nil else { return }
    if event == .key("ctrl-z") { suspend() } else { onEvent?(event) }
  }

  private func received(_ number: Int32) {
    guard let screen else {
      // A terminal that is closed sends several signals, and the end of a session sends more.
      if isEnding, number == SIGHUP || number == SIGTERM { return }
      if number != SIGWINCH, number != SIGCONT { takeStandardAction(of: number) }
      return
    }
    if isLent, [SIGINT, SIGTSTP, SIGCONT].contains(number) { return }
    switch number {
    case SIGWINCH:
      screen.updateSize()
      onEvent?(.resize(screen.size))
    case SIGTSTP: suspend()
    case SIGCONT: resume()
    case SIGHUP: close()
    default:
      isEnding = true
      stop()
      onEvent?(.terminate(signal: number))
    }
  }

  private func close() {
    guard !isClosed else { return }
    isClosed = true
    isEnding = true
    stop()
    onEvent?(.closed)
  }
}
