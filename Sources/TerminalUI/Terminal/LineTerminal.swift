internal import Dispatch
internal import Foundation
internal import Gates
internal import Glibc

/// A terminal that is written line by line and never painted, for screen readers, which speak new text.
///
/// Keys are read one by one and not echoed. Each text of the application is written once, below the text
/// before. There are no colours, no control sequences, and no cursor to follow.
@MainActor
package final class LineTerminal: Terminal {
  package var onEvent: (@MainActor (InputEvent) -> Void)?
  package var onInputTaken: (@MainActor () -> Void)?
  package var theme = Theme.fallback
  /// Screens are laid out in this size and then read out: wide enough for whole lines.
  package let size = Size(columns: 120, rows: 40)
  package let glyphs = GlyphSet.ascii
  package var clipboardHint: String? {
    isInsideTmux ? ClipboardSequence.tmuxHint : nil
  }

  private let isInsideTmux: Bool
  private var settings: termios?
  private var keys = EscapeDecoder()
  private var decoder = InputDecoder()
  private var inputSource: (any DispatchSourceRead)?
  private var signalSources: [any DispatchSourceSignal] = []
  /// Whether the current line has characters.
  private var isInLine = false

  package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    isInsideTmux = !(environment["TMUX"] ?? "").isEmpty
  }

  /// Takes the keyboard.
  ///
  /// - Throws: `TerminalError` when standard input is not a terminal.
  package func start() throws {
    guard settings == nil else { return }
    guard isatty(STDIN_FILENO) == 1 else {
      throw TerminalError.notATerminal(stream: "standard input")
    }
    var present = termios()
    tcgetattr(STDIN_FILENO, &present)
    settings = present
    setRaw()
    let source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .main)
    source.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.readInput() } }
    source.resume()
    inputSource = source
    guard signalSources.isEmpty else { return }
    signalSources = [SIGTERM, SIGHUP, SIGCONT].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
      source.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.received(number) } }
      source.resume()
      return source
    }
  }

  /// Keys arrive one by one without an echo; output is unchanged.
  private func setRaw() {
    guard var raw = settings else { return }
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
    raw.c_iflag &= ~tcflag_t(IXON | ICRNL)
    tcsetattr(STDIN_FILENO, TCSADRAIN, &raw)
    decoder.isControlHBackspace = raw.c_cc.2 == 8
  }

  private func restore() {
    guard var settings else { return }
    tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
  }

  package func stop() {
    endLine()
    restore()
    settings = nil
    inputSource?.cancel()
    inputSource = nil
  }

  /// Stops the process until the shell continues it.
  package func suspend() {
    endLine()
    restore()
    onEvent?(.suspended)
    kill(0, SIGSTOP)
  }

  private func received(_ number: Int32) {
    switch number {
    case SIGCONT:
      guard settings != nil else { return }
      setRaw()
      onEvent?(.resumed)
    case SIGHUP: close()
    default:
      stop()
      onEvent?(.terminate(signal: number))
    }
  }

  private func close() {
    guard settings != nil else { return }
    stop()
    onEvent?(.closed)
  }

  package func redraw() {}

  package func run(_ command: [String]) throws -> Int32 {
    endLine()
    restore()
    defer { setRaw() }
    return try ForegroundProgram.run(command)
  }

  package func copy(_ text: String) {
    write(ClipboardSequence(text, isInsideTmux: isInsideTmux).bytes)
  }

  /// Draws nothing: see `say(_:)`.
  package func draw(_ buffer: ScreenBuffer, cursor: Position?) {}

  package func say(_ spoken: [SpokenText]) {
    for text in spoken {
      switch text {
      case .line(let line):
        endLine()
        write(Array((line.markingHarmful() + "\n").utf8))
      case .character(let character):
        isInLine = true
        write(Array(String(character).markingHarmful().utf8))
      }
    }
  }

  private func endLine() {
    if isInLine { write([10]) }
    isInLine = false
  }

  private func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR, errno != EAGAIN { return }
      rest = rest.dropFirst(max(0, count))
    }
  }

  private func readInput() {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = bytes.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
    guard count > 0 else {
      if count == 0 || errno != EINTR && errno != EAGAIN { close() }
      return
    }
    for byte in bytes.prefix(count) { feed(keys.feed(byte)) }
    feed(keys.endBurst())
    for event in decoder.endBurst() { deliver(event) }
    onInputTaken?()
  }

  private func feed(_ units: [InputDecoder.Unit]) {
    for unit in units { for event in decoder.feed(unit) { deliver(event) } }
  }

  private func deliver(_ event: InputEvent) {
    guard settings != nil else { return }
    if event == .key("ctrl-z") { suspend() } else { onEvent?(event) }
  }
}

/// A text that a terminal for screen readers speaks.
package enum SpokenText: Hashable, Sendable {
  /// A line of its own.
  case line(String)
  /// A typed character, in the current input line.
  case character(Character)
}
