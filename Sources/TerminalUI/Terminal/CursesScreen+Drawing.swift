internal import CNCurses
internal import Glibc

extension CursesScreen {
  /// What decides the look of a cell.
  struct Look: Hashable {
    var role: StyleRole
    var backdrop: StyleRole?
  }

  /// The colours of a curses pair; nil is the terminal's own.
  struct PairColors: Hashable {
    var foreground: Int?
    var background: Int?
  }

  /// Writes the rows that differ from what is shown and lets curses send the difference.
  func draw(_ buffer: ScreenBuffer, cursor: Position?, theme: Theme) {
    let isSameSize = shown?.size == buffer.size
    let size = size
    if !isSameSize { werase(window) }
    for row in 0..<min(buffer.size.rows, size.rows) {
      let cells = buffer.row(row)
      if isSameSize, let shown, shown.row(row) == cells { continue }
      write(cells.prefix(size.columns), row: row, theme: theme)
    }
    shown = buffer
    if let cursor, Rectangle(size).contains(cursor) {
      wmove(window, Int32(cursor.row), Int32(cursor.column))
      curs_set(1)
    } else {
      curs_set(0)
    }
    wrefresh(window)
  }

  /// Forgets the colours of an old theme; the next drawing writes everything.
  func forgetLooks() {
    looks = [:]
    pairs = [:]
    shown = nil
    if colorDepth > .none { reset_color_pairs() }
  }

  /// Forgets what the terminal shows; the next drawing clears it and writes everything.
  func forgetShown() {
    clearok(window, true)
    shown = nil
  }

  private func write(_ cells: ArraySlice<Cell>, row: Int, theme: Theme) {
    var line: [cchar_t] = []
    line.reserveCapacity(cells.count)
    for cell in cells where !cell.isContinuation {
      let look = look(of: cell, theme: theme)
      for part in Self.writable(cell) {
        var text = part.unicodeScalars.map { wchar_t(bitPattern: $0.value) }
        text.append(0)
        var character = cchar_t()
        cncurses_set_cell(&character, text, look.attributes, look.pair)
        line.append(character)
      }
    }
    mvwadd_wchnstr(window, Int32(row), 0, line, Int32(line.count))
  }

  /// The texts to write for a cell, one per curses cell: its own, unless the C library, by which
  /// curses counts columns, would give it another width. Then marks keep the columns straight.
  private static func writable(_ cell: Cell) -> [String] {
    guard let base = cell.text.unicodeScalars.first else { return [" "] }
    if base.value < 0x7F || wcwidth(wchar_t(bitPattern: base.value)) == cell.width {
      return [cell.text]
    }
    let mark = wcwidth(0xFFFD) == 1 ? "\u{FFFD}" : "?"
    return Array(repeating: mark, count: cell.width)
  }

  private func look(of cell: Cell, theme: Theme) -> (attributes: attr_t, pair: Int32) {
    let key = Look(role: cell.role, backdrop: cell.backdrop)
    if let look = looks[key] { return look }
    let appearance = theme.appearance(of: key.role, backdrop: key.backdrop, depth: colorDepth)
    var attributes: attr_t = 0
    if appearance.attributes.contains(.bold) { attributes |= cncurses_attribute_bold() }
    if appearance.attributes.contains(.dim) { attributes |= cncurses_attribute_dim() }
    if appearance.attributes.contains(.underline) { attributes |= cncurses_attribute_underline() }
    if appearance.attributes.contains(.reverse) { attributes |= cncurses_attribute_reverse() }
    let pair = pair(
      PairColors(foreground: appearance.foreground, background: appearance.background))
    looks[key] = (attributes, pair)
    return (attributes, pair)
  }

  /// The number of a colour pair, made at first use. When the terminal has no more, the
  /// terminal's own colours are used.
  private func pair(_ colors: PairColors) -> Int32 {
    guard colorDepth > .none, colors != PairColors() else { return 0 }
    if let pair = pairs[colors] { return pair }
    let number = Int32(pairs.count + 1)
    guard number < cncurses_color_pairs(),
      init_extended_pair(
        number, Int32(colors.foreground ?? -1), Int32(colors.background ?? -1)) == OK
    else { return 0 }
    pairs[colors] = number
    return number
  }
}
