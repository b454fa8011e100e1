internal import CNCurses
internal import Glibc
internal import Synchronization

/// The curses library: this type and its extensions are the only code that calls it. It opens
/// the screen, gives it back, writes buffers and reads input units; it handles no signals and
/// decides nothing.
@MainActor
final class CursesScreen {
  /// Whether the terminal is in curses' hands at this moment, for the handler at exit.
  private static let isTaken = Atomic(false)
  private static let restoresAtExit = Atomic(false)

  let glyphs: GlyphSet
  let colorDepth: ColorDepth
  let window: UnsafeMutablePointer<WINDOW>
  /// Input is read through a pad, since reading through a window repaints that window.
  let input: UnsafeMutablePointer<WINDOW>
  private let screen: OpaquePointer

  /// Keys by the codes that this terminal's description gives them.
  var keys: [Int32: Key] = [:]
  var clicks = ClickCounter()

  /// What the terminal shows, row by row; nil when everything must be written.
  var shown: ScreenBuffer?
  /// Nil before anything was drawn in the present theme.
  var styles: StyleTable?
  var writer: ScreenWriter
  var isCursorVisible = false

  /// Takes the screen. Throws `TerminalError` when there is none to take.
  init(
    environment: [String: String], glyphs wanted: GlyphSet? = nil, usesMouse: Bool = true
  ) throws(TerminalError) {
    guard isatty(STDIN_FILENO) == 1 else { throw .notATerminal(stream: "standard input") }
    guard isatty(STDOUT_FILENO) == 1 else { throw .notATerminal(stream: "standard output") }
    // A locale without Unicode cannot be made to have it.
    glyphs = Self.chooseLocale(environment) ? wanted ?? .unicode : .ascii
    let type = environment["TERM"] ?? ""
    guard !type.isEmpty, let screen = Self.open(type, environment) else {
      throw .unknownType(type)
    }
    guard Self.capability("cup") != nil, let input = newpad(1, 1), let window = cncurses_screen()
    else {
      endwin()
      delscreen(screen)
      throw .noCursorAddressing(type)
    }
    self.screen = screen
    self.window = window
    self.input = input
    colorDepth = .detect(
      environment: environment, terminfoColors: Int(tigetnum("colors")),
      isDirect: tigetnum("colors") >= 1 << 24)
    writer = ScreenWriter(Self.strings(colorDepth: colorDepth))
    configure(usesMouse: usesMouse)
  }

  /// Chooses the character encoding and returns whether it is UTF-8. Without any locale set,
  /// UTF-8 is assumed: such environments are containers and services, whose terminals are
  /// as modern as any.
  private static func chooseLocale(_ environment: [String: String]) -> Bool {
    setlocale(LC_CTYPE, "")
    if isUTF8 { return true }
    let name = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty }
    guard ["C", "POSIX", nil].contains(name) else { return false }
    return setlocale(LC_CTYPE, "C.UTF-8") != nil && isUTF8
  }

  private static var isUTF8: Bool {
    nl_langinfo(nl_item(CODESET)).map { String(cString: $0) } == "UTF-8"
  }

  /// Opens the terminal, as its direct-colour variant when it says that it has 24-bit colour and
  /// the variant is installed.
  private static func open(_ type: String, _ environment: [String: String]) -> OpaquePointer? {
    if ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? ""),
      (environment["NO_COLOR"] ?? "").isEmpty, type.hasSuffix("-256color"),
      let screen = cncurses_newterm(type.dropLast("256color".count) + "direct")
    {
      return screen
    }
    return cncurses_newterm(type)
  }

  private func configure(usesMouse: Bool) {
    raw()
    noecho()
    nonl()
    nodelay(input, true)
    keypad(input, true)
    set_escdelay(25)
    curs_set(0)
    if colorDepth > .none {
      start_color()
      use_default_colors()
    }
    if usesMouse { watchMouse() }
    collectKeys()
    send("BE")
    markEntered()
    if !Self.restoresAtExit.exchange(true, ordering: .relaxed) {
      Self.restoreInCrashes()
      atexit {
        guard CursesScreen.isTaken.load(ordering: .relaxed) else { return }
        if let end = CursesScreen.capability("BD") { putp(end) }
        endwin()
      }
    }
  }

  private func watchMouse() {
    var mouse = cncurses_mouse_shift() | cncurses_mouse_control() | cncurses_mouse_alt()
    for button: Int32 in 1...5 {
      mouse |= cncurses_mouse_pressed(button) | cncurses_mouse_released(button)
    }
    mousemask(mouse, nil)
    mouseinterval(0)
  }

  /// The present extent.
  var size: Size { Size(columns: Int(getmaxx(window)), rows: Int(getmaxy(window))) }

  /// Whether the Backspace key sends the byte 8, as the terminal's settings say.
  var isControlHBackspace: Bool { erasechar() == 8 }

  /// Asks the system for the extent and takes it over.
  func updateSize() {
    var extent = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &extent) == 0, extent.ws_row > 0,
      extent.ws_col > 0
    else { return }
    resizeterm(Int32(extent.ws_row), Int32(extent.ws_col))
    shown = nil
  }

  /// Restores the terminal for a while.
  func leave() {
    writer.end()
    send(writer.takeBytes())
    send("BD")
    endwin()
    Self.setCrashReset("")
    Self.isTaken.store(false, ordering: .relaxed)
  }

  /// Notes that the terminal must be restored, however the process ends.
  private func markEntered() {
    Self.isTaken.store(true, ordering: .relaxed)
    Self.setCrashReset(Self.resetSequence)
  }

  /// Takes the terminal again after `leave()`, or after someone else wrote on it.
  func reenter() {
    reset_prog_mode()
    markEntered()
    send("BE")
    updateSize()
    shown = nil
  }

  /// Restores the terminal for good.
  func close() {
    leave()
    delwin(input)
    delscreen(screen)
  }

  /// Sends a string that the terminal's description names; nothing when it has none.
  func send(_ name: String) {
    guard let text = Self.capability(name) else { return }
    putp(text)
    fflush(nil)
  }

  /// A string of the terminal's description.
  nonisolated static func capability(_ name: String) -> UnsafeMutablePointer<CChar>? {
    guard let text = tigetstr(name), Int(bitPattern: text) != -1, text.pointee != 0 else {
      return nil
    }
    return text
  }
}
