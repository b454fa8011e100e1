/// What is to be written on a terminal: cells beside each other in one style, from several rows.
///
/// The runs of a style are a list in the order of the rows, so that they can be written one after the other.
struct StyledRuns {
  struct Run {
    let row: Int
    let column: Int
    /// Behind the last cell.
    var end: Int
    var style: CellStyle
    /// Whether only the background is seen of the style.
    var isBlank: Bool
    /// What blanks the cells instead of writing them.
    var erasure: String?
    /// The next one of the style.
    var next: Int?
  }

  /// The runs of one style.
  struct Style {
    let style: CellStyle
    let first: Int
    var last: Int
  }

  /// Cells that need not be written are written again where going past them takes as many bytes.
  private static let longestBridge = 4

  private var runs: [Run] = []
  private var styles: [Style] = []
  /// The first run of the present row.
  private var rowStart = 0
  private var areBlanksAdded = false
  /// Whether the next cell may continue the last run.
  private var isOpen = false
  /// Whether terminals may take a character of the present row to be wider or narrower than it is.
  private(set) var hasUncertainWidths = false

  subscript(index: Int) -> Run { runs[index] }

  /// The runs of the present row.
  var ofRow: ArraySlice<Run> { runs[rowStart...] }

  /// Adds the next cell of a row that has to be written.
  mutating func append(
    _ cell: Cell, _ wanted: CellStyle, row: Int, column: Int, of cells: ArraySlice<Cell>,
    _ style: (Cell) -> CellStyle
  ) {
    if !cell.isPlain { hasUncertainWidths = true }
    if isOpen, continueRun(cell, wanted, column: column, of: cells, style) { return }
    isOpen = true
    runs.append(
      Run(
        row: row, column: column, end: column + cell.width, style: wanted, isBlank: cell.isBlank))
  }

  /// Adds cells that are blanked.
  mutating func append(_ erasure: String, _ count: Int, row: Int, column: Int, _ wanted: CellStyle)
  {
    isOpen = false
    runs.append(
      Run(
        row: row, column: column, end: column + count, style: wanted, isBlank: true,
        erasure: erasure))
  }

  private mutating func continueRun(
    _ cell: Cell, _ wanted: CellStyle, column: Int, of cells: ArraySlice<Cell>,
    _ style: (Cell) -> CellStyle
  ) -> Bool {
    let last = runs.count - 1
    let end = runs[last].end
    guard column - end <= Self.longestBridge else { return false }
    // Blanks take any style with their background.
    let isTaking = runs[last].isBlank && !cell.isBlank
    let joined = isTaking ? wanted : runs[last].style
    func fits(_ cell: Cell, _ style: CellStyle) -> Bool {
      style == joined || cell.isBlank && ScreenWriter.isSameBlank(style, joined)
    }
    guard !isTaking || ScreenWriter.isSameBlank(runs[last].style, wanted), fits(cell, wanted)
    else { return false }
    for place in end..<column {
      let between = cells[cells.startIndex + place]
      guard between.ascii != nil, fits(between, style(between)) else { return false }
      // A run that is blank up to here can have something between.
      if !between.isBlank, runs[last].isBlank, !isTaking { return false }
    }
    runs[last].end = column + cell.width
    runs[last].style = joined
    runs[last].isBlank = runs[last].isBlank && cell.isBlank
    return true
  }

  /// Ends a row: its runs are put to their styles, but for blanks, which wait for one that is there anyhow.
  mutating func endRow() {
    for index in rowStart..<runs.count where !runs[index].isBlank {
      let style = runs[index].style
      add(index) { $0 == style }
    }
    rowStart = runs.count
    (isOpen, hasUncertainWidths) = (false, false)
  }

  /// Forgets the runs of the present row: they are written.
  mutating func dropRow() { runs.removeSubrange(rowStart...) }

  mutating func removeAll() {
    runs.removeAll(keepingCapacity: true)
    styles.removeAll(keepingCapacity: true)
    rowStart = 0
    areBlanksAdded = false
  }

  private mutating func addBlanks() {
    guard !areBlanksAdded else { return }
    areBlanksAdded = true
    for index in runs.indices where runs[index].isBlank {
      let style = runs[index].style
      add(index) { ScreenWriter.isSameBlank($0, style) }
    }
  }

  private mutating func add(_ index: Int, _ fits: (CellStyle) -> Bool) {
    guard let place = styles.firstIndex(where: { fits($0.style) }) else {
      styles.append(Style(style: runs[index].style, first: index, last: index))
      return
    }
    runs[styles[place].last].next = index
    styles[place].last = index
  }

  /// Removes and returns the runs of the style that takes least after another one; nil when all are taken.
  mutating func takeNearest(to current: CellStyle?) -> Style? {
    addBlanks()
    let nearest = styles.indices.min {
      Self.cost(of: styles[$0].style, after: current)
        < Self.cost(of: styles[$1].style, after: current)
    }
    return nearest.map { styles.remove(at: $0) }
  }

  /// About how many bytes it takes to change the style.
  private static func cost(of style: CellStyle, after current: CellStyle?) -> Int {
    guard let current else { return 0 }
    var cost = style.foreground == current.foreground ? 0 : 11
    if style.background != current.background { cost += 11 }
    if style.attributes != current.attributes { cost += 3 }
    if !current.attributes.isSubset(of: style.attributes) { cost += 20 }
    return cost
  }
}

extension Cell {
  /// Whether all terminals take the text to be one column wide.
  var isPlain: Bool {
    width == 1 && isSingleScalar && base.map { $0.value < 0x10000 } ?? false
  }
}
