internal import CNCurses
internal import Glibc
internal import Synchronization

/// The curses library: this type and its extensions are the only code that calls it. It opens and restores
/// the screen, writes buffers and reads input units; it handles no signals and decides nothing.
@MainActor
final class CursesScreen {
  /// Whether curses has the terminal at this moment, for the exit handler.
  private static let isTaken = Atomic(false)
  private static let restoresAtExit = Atomic(false)

  let glyphs: GlyphSet
  /// The replacements for what the environment asks for, as sentences.
  let notices: [String]
  let colorDepth: ColorDepth
  let window: UnsafeMutablePointer<WINDOW>
  /// Input is read through a pad, since reading through a window repaints that window.
  let input: UnsafeMutablePointer<WINDOW>
  private let screen: OpaquePointer

  /// The keys by their terminfo codes.
  var keys: [Int32: Key] = [:]
  var clicks = ClickCounter()

  /// The content of the terminal; nil if everything must be written.
  var shown: ScreenBuffer?
  /// Nil before anything was drawn in the current theme.
  var styles: StyleTable?
  var writer: ScreenWriter
  var isCursorVisible = false

  /// Takes the screen. Throws `TerminalError` if there is no usable terminal.
  init(
    environment: [String: String], glyphs wanted: GlyphSet? = nil, usesMouse: Bool = true
  ) throws(TerminalError) {
    guard isatty(STDIN_FILENO) == 1 else { throw .notATerminal(stream: "standard input") }
    guard isatty(STDOUT_FILENO) == 1 else { throw .notATerminal(stream: "standard output") }
    let characters = Self.chooseLocale(LocaleName(environment: environment))
    glyphs = characters.areUnicode ? wanted ?? .unicode : .ascii
    let named = environment["TERM"] ?? ""
    let type: String
    let screen: OpaquePointer
    if let opened = Self.open(named, environment) {
      (type, screen) = (named, opened)
    } else if let opened = Self.open(Self.usualType, environment) {
      (type, screen) = (Self.usualType, opened)
    } else {
      throw .unknownType(named)
    }
    notices = [characters.notice, type == named ? nil : Self.notice(ofType: named)].compactMap {
      $0
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

  /// Chooses the character encoding. A notice about an encoding that it could not choose is in ASCII, which
  /// may be all that can be shown.
  ///
  /// A locale with a UTF-8 name need not be installed; a locale with another encoding cannot show Unicode.
  private static func chooseLocale(_ locale: LocaleName) -> (areUnicode: Bool, notice: String?) {
    let isInstalled = setlocale(LC_CTYPE, "") != nil
    if isUTF8 { return (true, nil) }
    let isReplaced = locale.isUnicode && setlocale(LC_CTYPE, "C.UTF-8") != nil && isUTF8
    guard let name = locale.name, !isInstalled else { return (isReplaced, nil) }
    let notice =
      isReplaced
      ? "The locale \(name) is not installed on this machine; C.UTF-8 is used instead."
      : "The locale \(name) is not installed on this machine"
        + (locale.isUnicode ? ", nor is C.UTF-8" : "")
        + ", so only ASCII characters can be shown. Install it, or set LANG to one that locale -a lists."
    return (isReplaced, notice)
  }

  private static var isUTF8: Bool {
    nl_langinfo(nl_item(CODESET)).map { String(cString: $0) } == "UTF-8"
  }

  /// A type that nearly every terminal today understands, whatever its name.
  private static let usualType = "xterm-256color"

  private static func notice(ofType named: String) -> String {
    (named.isEmpty
      ? "The environment variable TERM is not set"
      : "The terminal type \(named) (environment variable TERM) is not known on this machine")
      + "; \(usualType) is used instead."
  }

  /// Opens the terminal, as its direct-colour variant if it reports 24-bit colour and the variant is
  /// installed. Nil for a type that is not known here.
  private static func open(_ type: String, _ environment: [String: String]) -> OpaquePointer? {
    guard !type.isEmpty else { return nil }
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
        CursesScreen.releaseErrors()
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

  /// The current size.
  var size: Size { Size(columns: Int(getmaxx(window)), rows: Int(getmaxy(window))) }

  /// Whether the terminal's settings make the byte 8 the Backspace key.
  var isControlHBackspace: Bool { erasechar() == 8 }

  /// Reads the size from the system and applies it.
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
    Self.releaseErrors()
  }

  /// Records that the terminal must be restored, however the process ends.
  private func markEntered() {
    Self.isTaken.store(true, ordering: .relaxed)
    Self.setCrashReset(Self.resetSequence)
    Self.keepErrors()
  }

  /// Takes the terminal again after `leave()`, or after another program wrote on it.
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

  /// Sends a terminfo string, if the terminal has it.
  func send(_ name: String) {
    guard let text = Self.capability(name) else { return }
    putp(text)
    fflush(nil)
  }

  /// A terminfo string.
  nonisolated static func capability(_ name: String) -> UnsafeMutablePointer<CChar>? {
    guard let text = tigetstr(name), Int(bitPattern: text) != -1, text.pointee != 0 else {
      return nil
    }
    return text
  }
}
