/// Runs of adjacent cells in one style, collected from several rows and written style by style.
struct StyledRuns {
  struct Run {
    let row: Int
    let column: Int
    /// The column after the last cell.
    var end: Int
    var style: CellStyle
    /// Whether only the background of the style is visible.
    var isBlank: Bool
    /// The sequence that blanks the cells in place of writing them.
    var erasure: String?
    /// The index of the style among all styles written; nil while undecided.
    fileprivate var place: Int?
  }

  /// Unchanged cells are written again if skipping them takes as many bytes.
  private static let longestBridge = 4

  private var runs: [Run] = []
  private var styles: [CellStyle] = []
  /// The styles that have not been taken.
  private var left: [Int] = []
  /// The first run of the current row.
  private var rowStart = 0
  /// Whether the next cell may continue the last run.
  private var isOpen = false
  /// Whether terminals may disagree on the width of a character in the current row.
  private(set) var hasUncertainWidths = false

  /// The runs of the current row.
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
    // Blanks accept any style with the same background.
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
      // A run of blanks can skip other cells only if they are blank, too.
      if !between.isBlank, runs[last].isBlank, !isTaking { return false }
    }
    runs[last].end = column + cell.width
    runs[last].style = joined
    runs[last].isBlank = runs[last].isBlank && cell.isBlank
    return true
  }

  mutating func endRow() {
    rowStart = runs.count
    (isOpen, hasUncertainWidths) = (false, false)
  }

  /// Removes the runs of the current row after they have been written.
  mutating func dropRow() { runs.removeSubrange(rowStart...) }

  mutating func removeAll() {
    runs.removeAll(keepingCapacity: true)
    styles.removeAll(keepingCapacity: true)
    rowStart = 0
  }

  /// Assigns all runs to styles. O(runs · styles).
  mutating func sort() {
    for index in runs.indices where !runs[index].isBlank {
      let style = runs[index].style
      runs[index].place = place { $0 == style } ?? add(style)
    }
    // Blanks get the style of a neighbour, or another style that is written anyhow.
    for index in runs.indices where runs[index].isBlank {
      let style = runs[index].style
      if index > 0, let before = runs[index - 1].place,
        ScreenWriter.isSameBlank(styles[before], style)
      {
        runs[index].place = before
      } else {
        runs[index].place = place { ScreenWriter.isSameBlank($0, style) } ?? add(style)
      }
    }
    left = Array(styles.indices)
  }

  private func place(_ fits: (CellStyle) -> Bool) -> Int? { styles.firstIndex(where: fits) }

  private mutating func add(_ style: CellStyle) -> Int {
    styles.append(style)
    return styles.count - 1
  }

  /// Takes the style that costs least after another one; nil if all are taken.
  mutating func takeNearest(to current: CellStyle?) -> Int? {
    let nearest = left.indices.min {
      Self.cost(of: styles[left[$0]], after: current)
        < Self.cost(of: styles[left[$1]], after: current)
    }
    return nearest.map { left.remove(at: $0) }
  }

  /// The runs of a style, in the order of rows and columns.
  func ofStyle(_ style: Int) -> some Sequence<Run> { runs.lazy.filter { $0.place == style } }

  /// Approximately how many bytes the change of the style takes.
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
  /// Whether all terminals agree that the text is one column wide.
  var isPlain: Bool {
    width == 1 && isSingleScalar && base.map { $0.value < 0x10000 } ?? false
  }
}
