import Basics
internal import CNCurses
internal import Foundation
internal import Glibc

extension CursesScreen {
  /// Sends the cells that differ from the terminal.
  func draw(_ buffer: ScreenBuffer, cursor: Position?, theme: Theme) {
    let size = size
    if shown == nil || shown?.size != buffer.size { clear() }
    var styles = self.styles.take() ?? StyleTable(theme, colorDepth: colorDepth)
    writer.write(
      buffer, over: shown, size: size, style: { styles.style(of: $0) },
      text: { Self.written($0) })
    self.styles = styles
    shown = buffer
    let visible = cursor.flatMap { Rectangle(size).contains($0) ? $0 : nil }
    if let visible { writer.showCursor(at: visible) }
    send(writer.takeBytes())
    if (visible != nil) != isCursorVisible {
      isCursorVisible = visible != nil
      send(isCursorVisible ? "cnorm" : "civis")
    }
  }

  /// Makes curses take the screen, if it has not, and clears it.
  private func clear() {
    shown = nil
    werase(window)
    clearok(window, true)
    wrefresh(window)
    send("civis")
    isCursorVisible = false
    writer.forget()
  }

  /// Forgets the styles of the old theme; the next drawing writes everything.
  func forgetStyles() {
    styles = nil
    shown = nil
  }

  /// Forgets the content of the terminal; the next drawing clears it and writes everything.
  func forgetShown() {
    shown = nil
  }

  /// The text to write for a cell: its own, unless the C library, by which most terminals count columns,
  /// gives it another width. Then marks keep the columns straight.
  private static func written(_ cell: Cell) -> String {
    guard let base = cell.base else { return " " }
    if base.value < 0x7F || wcwidth(wchar_t(bitPattern: base.value)) == cell.width {
      return cell.text
    }
    let mark = wcwidth(0xFFFD) == 1 ? "\u{FFFD}" : "?"
    return String(repeating: mark, count: cell.width)
  }

  /// Writes all the bytes to the terminal.
  func send(_ bytes: [UInt8]) {
    fflush(nil)
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        var request = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        poll(&request, 1, -1)
      } else if errno != EINTR {
        // The terminal is gone; the input reports the hang-up.
        return
      }
    }
  }

  /// The control sequences of this terminal, from terminfo.
  static func strings(colorDepth: ColorDepth) -> TerminalStrings {
    var strings = TerminalStrings(move: { column, row in text("cup", row, column) })
    strings.hasANSIMove = text("cup") == "\u{1B}[%i%p1%d;%p2%dH"
    strings.hasANSIForward = text("cuf") == "\u{1B}[%p1%dC"
    strings.hasLineFeed =
      text("cud1") == "\n" && text("cr") == "\r" && text("cub1") == "\u{8}"
      && text("cub") == "\u{1B}[%p1%dD"
    strings.plain = text("sgr0")
    strings.bold = text("bold")
    strings.dim = text("dim")
    strings.underline = text("smul")
    strings.reverse = text("rev")
    let end = text("rmul")
    strings.endUnderline = end.isEmpty || end == strings.plain ? nil : end
    if colorDepth > .none {
      strings.defaultColors = text("op")
      strings.foreground = { text("setaf", $0, 0) }
      strings.background = { text("setab", $0, 0) }
    }
    if !text("ech").isEmpty { strings.eraseCells = { text("ech", $0, 0) } }
    let erase = text("el")
    strings.eraseToEnd = erase.isEmpty ? nil : erase
    strings.erasesWithBackground = tigetflag("bce") > 0
    let (up, down) = (text("ind"), text("ri"))
    if !text("csr").isEmpty, !up.isEmpty, !down.isEmpty {
      strings.scrolling = TerminalStrings.Scrolling(
        region: { text("csr", $0, $1) }, up: up, down: down)
    }
    strings.scrollsAtEnd = tigetflag("am") > 0 && tigetflag("xenl") <= 0
    return strings
  }

  /// A terminfo string with its parameters substituted, without delays, which only very old terminals need;
  /// empty if there is none.
  nonisolated private static func text(_ name: String, _ first: Int? = nil, _ second: Int = 0)
    -> String
  {
    guard let template = capability(name) else { return "" }
    guard let first else { return withoutDelays(String(cString: template)) }
    guard let text = cncurses_parameterised(template, Int32(first), Int32(second)) else {
      return ""
    }
    return withoutDelays(String(cString: text))
  }

  nonisolated static func withoutDelays(_ text: String) -> String {
    text.parts(at: "$<").enumerated().map { index, part in
      index == 0 ? part : part.drop { $0 != ">" }.dropFirst()
    }.joined()
  }
}
