/// Turns the difference of two pictures into the bytes that change a terminal from one to the other.
///
/// Curses could do this, but it sends both colours with every change of one and works on cells of its own:
/// over a slow line the user waits for the bytes, on a fast one for the conversion. The writer tracks the
/// position of the cursor and the style of the terminal, and sends only changes.
///
/// Cells in one style are written together, from all rows: the columns of a table have a colour each, and
/// going to the next row takes half the bytes of a change of colour. See `StyledRuns`.
///
/// The work is linear in the cells; nothing is allocated for cells that stay.
struct ScreenWriter {
  let strings: TerminalStrings
  var bytes: [UInt8] = []
  /// The position of the terminal's cursor; nil if unknown.
  var position: Position?
  /// The runs to be written.
  private var runs = StyledRuns()
  /// The current style of the terminal; nil if unknown.
  private var current: CellStyle?
  /// The end of the last style sequence, if another one can be joined to it.
  private var styleEnd: Int?
  private var foregrounds: [Int: String] = [:]
  private var backgrounds: [Int: String] = [:]

  init(_ strings: TerminalStrings) {
    self.strings = strings
  }

  /// Removes and returns the bytes written so far.
  mutating func takeBytes() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  /// Forgets the state of the terminal, after something else has written on it.
  mutating func forget() {
    position = nil
    current = nil
  }

  /// Writes the difference of two buffers.
  ///
  /// - Parameters:
  ///   - shown: the content of the terminal; nil to write every cell.
  ///   - size: the size of the terminal; cells outside are left out.
  ///   - style: the style of a cell.
  ///   - text: the text to write for a cell.
  mutating func write(
    _ buffer: ScreenBuffer, over shown: ScreenBuffer?, size: Size,
    style: (Cell) -> CellStyle, text: (Cell) -> String
  ) {
    let columns = min(buffer.size.columns, size.columns)
    var scrolled: ScrolledRows?
    if let shown, let scrolling = strings.scrolling, size == buffer.size {
      scrolled = ScrolledRows(from: shown, to: buffer)
      if let scrolled { scroll(scrolled, scrolling, of: size) }
    }
    for row in 0..<min(buffer.size.rows, size.rows) {
      let cells = buffer.row(row)
      let source = scrolled.map { $0.source(of: row) } ?? row
      let old = source.flatMap { shown?.row($0) }
      if let old, old == cells { continue }
      collectRow(
        row, cells.prefix(columns), over: old, isLast: row == size.rows - 1, style: style)
      // Terminals disagree on the width of some characters, so in a row with such characters everything is
      // written from left to right.
      if runs.hasUncertainWidths { writeRuns(inOrder: true, of: buffer, text) }
      runs.endRow()
    }
    writeRuns(inOrder: false, of: buffer, text)
  }

  /// Makes the terminal scroll lines; the new ones are blank, in the terminal's own colours.
  private mutating func scroll(
    _ scrolled: ScrolledRows, _ scrolling: TerminalStrings.Scrolling, of size: Size
  ) {
    set(CellStyle(foreground: nil, background: nil, attributes: []), isBlank: true)
    let last = scrolled.rows.upperBound - 1
    append(scrolling.region(scrolled.rows.lowerBound, last))
    moveTo(Position(column: 0, row: scrolled.distance > 0 ? last : scrolled.rows.lowerBound))
    for _ in 0..<abs(scrolled.distance) {
      append(scrolled.distance > 0 ? scrolling.up : scrolling.down)
    }
    append(scrolling.region(0, size.rows - 1))
    position = nil
  }

  /// Collects the runs of a row that have to be written.
  private mutating func collectRow(
    _ row: Int, _ cells: ArraySlice<Cell>, over old: ArraySlice<Cell>?, isLast: Bool,
    style: (Cell) -> CellStyle
  ) {
    let start = cells.startIndex
    let offset = (old?.startIndex ?? start) - start
    var index = start
    while index < cells.endIndex {
      let cell = cells[index]
      if cell.isContinuation || old.map({ $0[index + offset] == cell }) ?? false {
        index += 1
        continue
      }
      let wanted = style(cell)
      if let old, Self.isSame(cell, wanted, old[index + offset], style) {
        index += 1
        continue
      }
      let column = index - start
      if isLast, strings.scrollsAtEnd, column + cell.width >= cells.count { return }
      if cell.isBlank {
        let blanks = blankRun(cells, from: index, over: old, offset, wanted, style)
        if let erasure = erasure(of: blanks) {
          runs.append(erasure, blanks.count, row: row, column: column, wanted)
          index += blanks.count
          continue
        }
      }
      runs.append(cell, wanted, row: row, column: column, of: cells, style)
      index += 1
    }
  }

  /// Writes the collected runs, in their order or grouped by style.
  private mutating func writeRuns(
    inOrder: Bool, of buffer: ScreenBuffer, _ text: (Cell) -> String
  ) {
    // Moved out of `self`, so that writing does not change the runs while they are read.
    var runs = self.runs
    self.runs = StyledRuns()
    if inOrder {
      for run in runs.ofRow { write(run, of: buffer, text) }
      runs.dropRow()
    } else {
      runs.sort()
      while let style = runs.takeNearest(to: current) {
        for run in runs.ofStyle(style) { write(run, of: buffer, text) }
      }
      runs.removeAll()
    }
    self.runs = runs
  }

  private mutating func write(
    _ run: StyledRuns.Run, of buffer: ScreenBuffer, _ text: (Cell) -> String
  ) {
    var place = Position(column: run.column, row: run.row)
    if position != place { reach(place) }
    set(run.style, isBlank: run.isBlank)
    if let erasure = run.erasure {
      append(erasure)
      return
    }
    let cells = buffer.row(run.row)
    while place.column < run.end {
      let cell = cells[cells.startIndex + place.column]
      if !cell.isContinuation {
        if position != place { reach(place) }
        if let ascii = cell.ascii { bytes.append(ascii) } else { append(text(cell)) }
        advance(by: cell, column: place.column, row: place.row, count: cells.count)
      }
      place.column += 1
    }
  }

  /// Whether the terminal already shows the text and the style of a cell.
  private static func isSame(
    _ cell: Cell, _ wanted: CellStyle, _ old: Cell, _ style: (Cell) -> CellStyle
  ) -> Bool {
    guard cell.hasSameText(as: old) else { return false }
    if cell.role == old.role, cell.backdrop == old.backdrop { return true }
    let before = style(old)
    return before == wanted || cell.isBlank && isSameBlank(before, wanted)
  }

  /// Whether blanks in two styles look the same.
  static func isSameBlank(_ one: CellStyle, _ other: CellStyle) -> Bool {
    let visible: TextAttributes = [.underline, .reverse]
    return one.background == other.background && one.attributes.isDisjoint(with: visible)
      && other.attributes.isDisjoint(with: visible)
  }

  /// Equal blank cells from one cell on.
  private struct BlankRun {
    /// The number of cells up to the last one that the terminal does not show like that already.
    var count = 0
    /// Whether the rest of the line is blank like this.
    var reachesEnd = false
  }

  private func blankRun(
    _ cells: ArraySlice<Cell>, from start: Int, over old: ArraySlice<Cell>?, _ offset: Int,
    _ wanted: CellStyle, _ style: (Cell) -> CellStyle
  ) -> BlankRun {
    guard strings.eraseToEnd != nil || strings.eraseCells != nil,
      wanted.background == nil || strings.erasesWithBackground
    else { return BlankRun() }
    var run = BlankRun()
    var index = start
    while index < cells.endIndex, cells[index].isBlank {
      let current = style(cells[index])
      guard Self.isSameBlank(current, wanted) else { break }
      let isShown = old.map { Self.isSame(cells[index], current, $0[index + offset], style) }
      index += 1
      if isShown != true { run.count = index - start }
    }
    run.reachesEnd = index == cells.endIndex
    return run
  }

  /// The sequence that blanks the cells without writing each; nil if the terminal has none, or if writing
  /// them is shorter.
  private func erasure(of run: BlankRun) -> String? {
    if run.reachesEnd, run.count > 3, let sequence = strings.eraseToEnd { return sequence }
    // After this sequence the cursor has to be moved, too.
    return run.count > 8 ? strings.eraseCells?(run.count) : nil
  }

  private mutating func advance(by cell: Cell, column: Int, row: Int, count: Int) {
    let next = column + cell.width
    // Terminals differ at the end of a line and in the width of characters that are not plain; the next cell
    // is then addressed.
    position = next < count && cell.isPlain ? Position(column: next, row: row) : nil
  }

  /// Sets the style of the terminal; for a blank only the visible part of the style.
  private mutating func set(_ wanted: CellStyle, isBlank: Bool) {
    if let current, current == wanted || isBlank && Self.isSameBlank(current, wanted) { return }
    styleEnd = nil
    var present = CellStyle(foreground: nil, background: nil, attributes: [])
    if let current {
      let surplus = current.attributes.subtracting(wanted.attributes)
      present = current
      if surplus == .underline, let end = strings.endUnderline {
        append(style: end)
        present.attributes.remove(.underline)
      } else if !surplus.isEmpty {
        append(style: strings.plain)
        append(style: strings.defaultColors)
        present = CellStyle(foreground: nil, background: nil, attributes: [])
      }
    } else {
      append(style: strings.plain)
      append(style: strings.defaultColors)
    }
    let added = wanted.attributes.subtracting(present.attributes)
    if added.contains(.bold) { append(style: strings.bold) }
    if added.contains(.dim) { append(style: strings.dim) }
    if added.contains(.underline) { append(style: strings.underline) }
    if added.contains(.reverse) { append(style: strings.reverse) }
    setColors(wanted, present)
    current = wanted
  }

  private mutating func setColors(_ wanted: CellStyle, _ present: CellStyle) {
    var present = present
    if present.foreground != nil && wanted.foreground == nil
      || present.background != nil && wanted.background == nil
    {
      append(style: strings.defaultColors)
      (present.foreground, present.background) = (nil, nil)
    }
    if let color = wanted.foreground, color != present.foreground {
      append(style: Self.cached(color, in: &foregrounds, strings.foreground))
    }
    if let color = wanted.background, color != present.background {
      append(style: Self.cached(color, in: &backgrounds, strings.background))
    }
  }

  /// Appends a style sequence. Sequences of the usual form `ESC [ … m` that follow each other directly become
  /// one.
  private mutating func append(style text: String) {
    let part = text.utf8
    guard part.last == UInt8(ascii: "m") else {
      append(text)
      return
    }
    if styleEnd == bytes.count, part.starts(with: [0x1B, 0x5B]) {
      bytes.removeLast()
      // An empty number is a zero, which not all terminals know.
      if bytes.last == UInt8(ascii: "[") { bytes.append(UInt8(ascii: "0")) }
      bytes.append(UInt8(ascii: ";"))
      bytes.append(contentsOf: part.dropFirst(2))
    } else {
      bytes.append(contentsOf: part)
    }
    styleEnd = bytes.count
  }

  private static func cached(
    _ color: Int, in cache: inout [Int: String], _ make: (Int) -> String
  ) -> String {
    if let text = cache[color] { return text }
    let text = make(color)
    cache[color] = text
    return text
  }

  mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  /// Moves the cursor to the position where it is shown.
  mutating func showCursor(at place: Position) {
    if position != place { reach(place) }
  }

  /// Ends all styles, before another program gets the terminal.
  mutating func end() {
    append(strings.plain)
    append(strings.defaultColors)
    forget()
  }
}
