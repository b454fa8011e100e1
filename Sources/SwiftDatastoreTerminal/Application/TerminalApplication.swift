import Basics
import Dispatch
import Glibc
package import TerminalUI

/// A program with a screen of its own: shows a ``TerminalView`` on the terminal, and follows its data.
///
/// ```swift
/// try await TerminalApplication(ContactBook(datastore)).run()
/// ```
///
/// The screen is drawn after every key, and when something changes that it was drawn from: once for all that
/// happens in a turn of the main queue. Only the cells that differ are written to the terminal. `ctrl-z`
/// suspends the program, `ctrl-c` ends it unless a command is bound to that key, and `ctrl-l` writes the
/// whole screen again. The terminal is given back however the program ends: by ``quit()``, by a signal, by
/// `exit` or by a trap.
///
/// Without a terminal, ``send(_:)`` presses keys and ``picture(columns:rows:)`` shows what comes of it, for
/// tests.
///
/// Lives on the main actor.
@MainActor
public final class TerminalApplication {
  let view: any TerminalView
  /// The colours. Another theme repaints the screen.
  public var theme: TerminalTheme {
    didSet { terminal?.theme = theme.theme }
  }

  private(set) var terminal: (any Terminal)?
  /// Counts how often the screen was drawn.
  package private(set) var drawCount = 0
  /// The lists on the screen, and the one that the keys go to.
  var lists: [(list: any ScrolledList, area: Rectangle)] = []
  var focused: ObjectIdentifier?
  /// The foot of the screen as it was drawn last.
  var footer: (hints: Footer, line: Rectangle)?
  /// What the last line says until the next key.
  var message: (text: String, role: TextRole)?
  /// What is asked, over everything else.
  var question: Question?
  /// The command that runs.
  var running: Task<Void, Never>?
  /// Keys that wait for it.
  var waiting: [Key] = []
  private(set) lazy var followed = FollowedPublishers { [weak self] in self?.redraw() }
  private(set) lazy var schedule = DrawingSchedule(
    isWorking: { [weak self] in self.map { $0.running != nil && $0.question == nil } ?? false },
    draw: { [weak self] in self?.draw() })
  private var ending: CheckedContinuation<Void, Never>?
  private var endingSignal: Int32?
  private(set) var isEnded = false

  /// An application; it does nothing before ``run()``.
  ///
  /// - Parameters:
  ///   - view: the first view.
  ///   - theme: its colours.
  public init(_ view: any TerminalView, theme: TerminalTheme = .standard) {
    self.view = view
    self.theme = theme
  }

  /// Takes the terminal, shows the view, and returns when ``quit()`` was called or a signal has ended the
  /// application. The terminal is given back.
  ///
  /// - Returns: the signal that ended it: SIGTERM, SIGINT, or SIGHUP when the terminal is gone; nil when the
  ///   user did.
  /// - Throws: an error whose description says what is wrong, when there is no terminal that can show the
  ///   view.
  @discardableResult
  public func run() async throws -> Int32? {
    try start(on: CursesTerminal(theme: theme.theme))
    if !isEnded { await withCheckedContinuation { ending = $0 } }
    // What it writes is written before the program ends.
    await running?.value
    return endingSignal
  }

  /// Takes a terminal and shows the view; returns at once.
  package func start(on terminal: any Terminal) throws {
    require(self.terminal == nil, "this application runs already")
    self.terminal = terminal
    (isEnded, endingSignal) = (false, nil)
    terminal.onEvent = { [weak self] event in self?.receive(event) }
    // What keys have changed is shown at once, not in a later turn of the main queue.
    terminal.onInputTaken = { [weak self] in self?.schedule.drawIfNeeded() }
    do {
      try terminal.start()
    } catch {
      self.terminal = nil
      throw error
    }
    if let notice = terminal.notices.first { message = (notice, .warning) }
    schedule.draw()
  }

  /// Ends the application and gives the terminal back. What is asked is cancelled; ``run()`` returns when the
  /// command that runs has ended.
  public func quit() {
    guard !isEnded else { return }
    isEnded = true
    waiting = []
    cancelQuestion()
    terminal?.stop()
    terminal = nil
    ending?.resume()
    ending = nil
    schedule.workEnded()
  }

  /// Draws the screen in the next turn of the main queue, once for all that is changed until then. Not needed
  /// for what is read of lists and objects, nor for what a key has changed.
  public func redraw() { schedule.request() }

  private func receive(_ event: InputEvent) {
    switch event {
    case .key(let key): handle(key)
    case .paste(let text): paste(text)
    case .mouse(let event): handle(event)
    case .terminate(let signal):
      endingSignal = signal
      quit()
    case .closed:
      endingSignal = SIGHUP
      quit()
    case .resize, .resumed: break
    case .suspended: return
    }
    redraw()
  }

  private func draw() {
    guard let terminal, !isEnded else { return }
    drawCount += 1
    let drawing = draw(terminal.size, terminal.glyphs)
    terminal.draw(drawing.buffer, cursor: drawing.cursor)
  }
}

/// Waiting, for tests.
extension TerminalApplication {
  /// Returns when nothing is under way any more: commands have ended or ask for something, lists have been
  /// read, and what was on the main queue before has run.
  public func settled() async {
    await schedule.idle {
      await withCheckedContinuation { continuation in
        DispatchQueue.main.async { continuation.resume() }
      }
      await followed.settled()
    }
  }
}
