internal import CNCurses
internal import Foundation
internal import Glibc

extension CursesScreen {
  /// What decides the look of a cell.
  struct Look: Hashable {
    var role: StyleRole
    var backdrop: StyleRole?
  }

  /// Sends what differs from what is shown.
  func draw(_ buffer: ScreenBuffer, cursor: Position?, theme: Theme) {
    let size = size
    if shown == nil || shown?.size != buffer.size { clear() }
    // Neighbours mostly look alike, so the last look is at hand without a search.
    var last: (look: Look, appearance: Appearance)?
    writer.write(
      buffer, over: shown, size: size,
      appearance: { cell in
        let look = Look(role: cell.role, backdrop: cell.backdrop)
        if let last, last.look == look { return last.appearance }
        let appearance = appearance(of: look, theme: theme)
        last = (look, appearance)
        return appearance
      }, text: { Self.written($0) })
    shown = buffer
    let visible = cursor.flatMap { Rectangle(size).contains($0) ? $0 : nil }
    if let visible { writer.showCursor(at: visible) }
    send(writer.takeBytes())
    if (visible != nil) != isCursorVisible {
      isCursorVisible = visible != nil
      send(isCursorVisible ? "cnorm" : "civis")
    }
  }

  /// Has curses take the screen, if it has not, and clear it.
  private func clear() {
    shown = nil
    werase(window)
    clearok(window, true)
    wrefresh(window)
    writer.forget()
  }

  /// Forgets the colours of an old theme; the next drawing writes everything.
  func forgetLooks() {
    looks = [:]
    shown = nil
  }

  /// Forgets what the terminal shows; the next drawing clears it and writes everything.
  func forgetShown() {
    shown = nil
  }

  /// The text to write for a cell: its own, unless the C library, by which terminals mostly count
  /// columns, would give it another width. Then marks keep the columns straight.
  private static func written(_ cell: Cell) -> String {
    guard let base = cell.text.unicodeScalars.first else { return " " }
    if base.value < 0x7F || wcwidth(wchar_t(bitPattern: base.value)) == cell.width {
      return cell.text
    }
    let mark = wcwidth(0xFFFD) == 1 ? "\u{FFFD}" : "?"
    return String(repeating: mark, count: cell.width)
  }

  private func appearance(of look: Look, theme: Theme) -> Appearance {
    if let appearance = looks[look] { return appearance }
    let appearance = theme.appearance(of: look.role, backdrop: look.backdrop, depth: colorDepth)
    looks[look] = appearance
    return appearance
  }

  /// Writes bytes on the terminal, all of them.
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
        // The terminal is gone; the hang-up is told by the input.
        return
      }
    }
  }
}

extension CursesScreen {
  /// What this terminal is told, by its description.
  static func strings(colorDepth: ColorDepth) -> TerminalStrings {
    // Nearly all terminals place the cursor like this, and writing it ourselves is many times faster.
    let isUsual = text("cup") == "\u{1B}[%i%p1%d;%p2%dH"
    var strings = TerminalStrings(move: { column, row in
      isUsual ? "\u{1B}[\(row + 1);\(column + 1)H" : text("cup", row, column)
    })
    strings.plain = text("sgr0")
    strings.bold = text("bold")
    strings.dim = text("dim")
    strings.underline = text("smul")
    strings.reverse = text("rev")
    let end = text("rmul")
    strings.endUnderline = end.isEmpty || end == strings.plain ? nil : end
    if colorDepth > .none {
      strings.ownColors = text("op")
      strings.foreground = { text("setaf", $0, 0) }
      strings.background = { text("setab", $0, 0) }
    }
    if !text("ech").isEmpty { strings.eraseCells = { text("ech", $0, 0) } }
    let erase = text("el")
    strings.eraseToEnd = erase.isEmpty ? nil : erase
    strings.erasesWithBackground = tigetflag("bce") > 0
    strings.scrollsAtEnd = tigetflag("am") > 0 && tigetflag("xenl") <= 0
    return strings
  }

  /// A string of the terminal's description with its parameters put in, without marks for delays, which
  /// only terminals of long ago need; empty when there is none.
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
    guard text.contains("$<") else { return text }
    return text.components(separatedBy: "$<").enumerated().map { index, part in
      index == 0 ? part : String(part.drop { $0 != ">" }.dropFirst())
    }.joined()
  }
}
