import Basics
import Dispatch
import Glibc
package import TerminalUI

/// A full-screen terminal program: it shows a ``TerminalView`` and follows the data of the view.
///
/// ```swift
/// try await TerminalApplication(ContactBook(datastore)).run()
/// ```
///
/// The application redraws the screen after every key, and when something changes that the screen was drawn
/// from: once for all changes in one turn of the main queue. It writes only the cells that differ. `ctrl-z`
/// suspends the program, `ctrl-c` ends it unless a command is bound to that key, and `ctrl-l` writes the
/// whole screen again. The application restores the terminal however the program ends: by ``quit()``, by a
/// signal, by `exit` or by a trap.
///
/// For tests, ``send(_:)`` presses keys and ``picture(columns:rows:)`` returns the screen without a terminal.
///
/// The application lives on the main actor.
@MainActor
public final class TerminalApplication {
  let view: any TerminalView
  /// The colours. Setting another theme redraws the screen.
  public var theme: TerminalTheme {
    didSet { terminal?.theme = theme.theme }
  }

  private(set) var terminal: (any Terminal)?
  /// The number of times that the screen was drawn.
  package private(set) var drawCount = 0
  /// The lists on the screen, and the identity of the list that receives the keys.
  var lists: [(list: any ScrolledList, area: Rectangle)] = []
  var focused: ObjectIdentifier?
  /// The footer as last drawn.
  var footer: (hints: Footer, line: Rectangle)?
  /// The message in the last line, until the next key.
  var message: (text: String, role: TextRole)?
  /// The open question, drawn over everything else.
  var question: Question?
  /// The running command.
  var running: Task<Void, Never>?
  /// Keys that wait for the running command.
  var waiting: [Key] = []
  private(set) lazy var followed = FollowedPublishers { [weak self] in self?.redraw() }
  private(set) lazy var schedule = DrawingSchedule(
    isWorking: { [weak self] in self.map { $0.running != nil && $0.question == nil } ?? false },
    draw: { [weak self] in self?.draw() })
  private var ending: CheckedContinuation<Void, Never>?
  private var endingSignal: Int32?
  private(set) var isEnded = false

  /// Creates an application, which does nothing before ``run()``.
  ///
  /// - Parameters:
  ///   - view: the first view.
  ///   - theme: the colours.
  public init(_ view: any TerminalView, theme: TerminalTheme = .standard) {
    self.view = view
    self.theme = theme
  }

  /// Takes the terminal and shows the view. Returns after ``quit()``, or when a signal ends the application,
  /// and restores the terminal.
  ///
  /// - Returns: the signal that ended the application: SIGTERM, SIGINT, or SIGHUP when the terminal is gone;
  ///   nil if ``quit()`` did.
  /// - Throws: an error that describes why no terminal can show the view.
  @discardableResult
  public func run() async throws -> Int32? {
    try start(on: CursesTerminal(theme: theme.theme))
    if !isEnded { await withCheckedContinuation { ending = $0 } }
    // The running command finishes its writes before the program ends.
    await running?.value
    return endingSignal
  }

  /// Takes a terminal and shows the view; returns at once.
  package func start(on terminal: any Terminal) throws {
    require(self.terminal == nil, "this application runs already")
    self.terminal = terminal
    (isEnded, endingSignal) = (false, nil)
    terminal.onEvent = { [weak self] event in self?.receive(event) }
    // Changes made by keys are drawn at once, not in a later turn of the main queue.
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

  /// Ends the application and restores the terminal. An open question is cancelled; ``run()`` returns when
  /// the running command has ended.
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

  /// Draws the screen in the next turn of the main queue, once for all changes until then. Changes to the
  /// lists and objects that the view reads, and changes made by a key, redraw the screen without this call.
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
  /// Returns when the application is idle: commands have ended or wait for an answer, lists have been read,
  /// and the work queued on the main queue before has run.
  public func settled() async {
    await schedule.idle {
      await withCheckedContinuation { continuation in
        DispatchQueue.main.async { continuation.resume() }
      }
      await followed.settled()
    }
  }
}
