/// Turns what differs between two pictures into the bytes that change a terminal from one to the other.
///
/// Curses could do this, but sends both colours with every change of one and works on cells of its own:
/// over a slow line the bytes are what one waits for, on a fast one the conversion. It knows where the
/// cursor is and what the terminal writes with, and tells it only what changes.
///
/// The work is linear in the cells; nothing is allocated for cells that stay.
struct ScreenWriter {
  private let strings: TerminalStrings
  private(set) var bytes: [UInt8] = []
  /// Where the terminal's cursor is; nil when that is not certain.
  private var position: Position?
  /// What the terminal writes with; nil when that is not known.
  private var look: Appearance?
  private var foregrounds: [Int: String] = [:]
  private var backgrounds: [Int: String] = [:]

  init(_ strings: TerminalStrings) {
    self.strings = strings
  }

  /// Takes the bytes that have been made.
  mutating func takeBytes() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  /// Forgets everything about the terminal: something else has written on it.
  mutating func forget() {
    position = nil
    look = nil
  }

  /// Writes what differs between two buffers.
  ///
  /// - Parameters:
  ///   - shown: what the terminal shows; nil when every cell must be written.
  ///   - size: cells outside of it are left out.
  ///   - appearance: the look of a cell.
  ///   - text: what is written for a cell.
  mutating func write(
    _ buffer: ScreenBuffer, over shown: ScreenBuffer?, size: Size,
    appearance: (Cell) -> Appearance, text: (Cell) -> String
  ) {
    let columns = min(buffer.size.columns, size.columns)
    for row in 0..<min(buffer.size.rows, size.rows) {
      let cells = buffer.row(row)
      let old = shown?.row(row)
      if let old, old == cells { continue }
      writeRow(
        row, cells.prefix(columns), over: old, isLast: row == size.rows - 1,
        appearance: appearance, text: text)
    }
  }

  private mutating func writeRow(
    _ row: Int, _ cells: ArraySlice<Cell>, over old: ArraySlice<Cell>?, isLast: Bool,
    appearance: (Cell) -> Appearance, text: (Cell) -> String
  ) {
    let start = cells.startIndex
    let offset = (old?.startIndex ?? start) - start
    var index = start
    while index < cells.endIndex {
      let cell = cells[index]
      if cell.isContinuation {
        index += 1
        continue
      }
      let wanted = appearance(cell)
      if let old, Self.isSame(cell, wanted, old[index + offset], appearance) {
        index += 1
        continue
      }
      let column = index - start
      if isLast, strings.scrollsAtEnd, column + cell.width >= cells.count { return }
      let blanks = blankRun(cells, from: index, wanted, appearance)
      if blanks >= 5, erase(blanks, at: Position(column: column, row: row), wanted, cells.count) {
        index += blanks
        continue
      }
      reach(column, row, cells, text, appearance)
      set(wanted, isBlank: cell.text == " ")
      bytes.append(contentsOf: text(cell).utf8)
      advance(by: cell, column: column, row: row, count: cells.count)
      index += 1
    }
  }

  /// Whether a cell looks like the one that is shown there already.
  private static func isSame(
    _ cell: Cell, _ wanted: Appearance, _ old: Cell, _ appearance: (Cell) -> Appearance
  ) -> Bool {
    guard cell.text == old.text, cell.width == old.width else { return false }
    if cell.role == old.role, cell.backdrop == old.backdrop { return true }
    let before = appearance(old)
    return before == wanted || cell.text == " " && isSameBlank(before, wanted)
  }

  /// Whether blanks of two looks are the same to the eye.
  private static func isSameBlank(_ one: Appearance, _ other: Appearance) -> Bool {
    let visible: TextAttributes = [.underline, .reverse]
    return one.background == other.background && one.attributes.isDisjoint(with: visible)
      && other.attributes.isDisjoint(with: visible)
  }

  /// How many cells from one on are blank and look alike.
  private func blankRun(
    _ cells: ArraySlice<Cell>, from start: Int, _ wanted: Appearance,
    _ appearance: (Cell) -> Appearance
  ) -> Int {
    guard wanted.background == nil || strings.erasesWithBackground else { return 0 }
    var index = start
    while index < cells.endIndex, cells[index].text == " ",
      Self.isSameBlank(appearance(cells[index]), wanted)
    {
      index += 1
    }
    return index - start
  }

  /// Blanks cells without writing each; false when the terminal cannot.
  private mutating func erase(
    _ count: Int, at place: Position, _ wanted: Appearance, _ columns: Int
  ) -> Bool {
    let isToEnd = place.column + count == columns
    guard let text = isToEnd ? strings.eraseToEnd : strings.eraseCells?(count) else {
      return false
    }
    if position != place { moveTo(place) }
    set(wanted, isBlank: true)
    append(text)
    return true
  }

  /// Brings the cursor to a cell: by writing again what lies between when that is shorter.
  private mutating func reach(
    _ column: Int, _ row: Int, _ cells: ArraySlice<Cell>, _ text: (Cell) -> String,
    _ appearance: (Cell) -> Appearance
  ) {
    if let position, position.row == row, position.column < column, column - position.column <= 4,
      let look
    {
      let between = cells[cells.startIndex + position.column..<cells.startIndex + column]
      let canRewrite = between.allSatisfy { cell in
        let wanted = appearance(cell)
        return cell.width == 1 && cell.text.utf8.count == 1
          && (wanted == look || cell.text == " " && Self.isSameBlank(wanted, look))
      }
      if canRewrite {
        for cell in between { bytes.append(contentsOf: cell.text.utf8) }
        return
      }
    }
    let place = Position(column: column, row: row)
    if position != place { moveTo(place) }
  }

  private mutating func moveTo(_ place: Position) {
    append(strings.move(place.column, place.row))
    position = place
  }

  private mutating func advance(by cell: Cell, column: Int, row: Int, count: Int) {
    let next = column + cell.width
    // Terminals differ in what they do at the end of a line, and in how wide they take what is no plain
    // character; the next cell is then reached by its place.
    let isPlain =
      cell.width == 1 && cell.text.utf8.count <= 3
      && cell.text.unicodeScalars.count == 1
    position = next < count && isPlain ? Position(column: next, row: row) : nil
  }

  /// Has the terminal write with a look; a blank asks only for what is seen of it.
  private mutating func set(_ wanted: Appearance, isBlank: Bool) {
    if let look, look == wanted || isBlank && Self.isSameBlank(look, wanted) { return }
    var present = Appearance(foreground: nil, background: nil, attributes: [])
    if let look {
      let surplus = look.attributes.subtracting(wanted.attributes)
      present = look
      if surplus == .underline, let end = strings.endUnderline {
        append(end)
        present.attributes.remove(.underline)
      } else if !surplus.isEmpty {
        append(strings.plain)
        append(strings.ownColors)
        present = Appearance(foreground: nil, background: nil, attributes: [])
      }
    } else {
      append(strings.plain)
      append(strings.ownColors)
    }
    let added = wanted.attributes.subtracting(present.attributes)
    if added.contains(.bold) { append(strings.bold) }
    if added.contains(.dim) { append(strings.dim) }
    if added.contains(.underline) { append(strings.underline) }
    if added.contains(.reverse) { append(strings.reverse) }
    setColors(wanted, present)
    look = wanted
  }

  private mutating func setColors(_ wanted: Appearance, _ present: Appearance) {
    var present = present
    if present.foreground != nil && wanted.foreground == nil
      || present.background != nil && wanted.background == nil
    {
      append(strings.ownColors)
      (present.foreground, present.background) = (nil, nil)
    }
    if let color = wanted.foreground, color != present.foreground {
      append(Self.cached(color, in: &foregrounds, strings.foreground))
    }
    if let color = wanted.background, color != present.background {
      append(Self.cached(color, in: &backgrounds, strings.background))
    }
  }

  private static func cached(
    _ color: Int, in cache: inout [Int: String], _ make: (Int) -> String
  ) -> String {
    if let text = cache[color] { return text }
    let text = make(color)
    cache[color] = text
    return text
  }

  private mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  /// Puts the cursor where it is to be seen.
  mutating func showCursor(at place: Position) {
    if position != place { moveTo(place) }
  }

  /// Ends all looks, before the terminal is given to somebody else.
  mutating func end() {
    append(strings.plain)
    append(strings.ownColors)
    forget()
  }
}
