import DatastoreCore
import TerminalUI

/// A pivot of the rows that the table shows: a line for each group of one kind, a column for each of another.
/// It is about what is saved.
struct PivotScreen: LineListOverlay {
  var scope: CommandScope { .pivot }
  let request: PivotRequest
  /// Nil while it is being computed.
  private(set) var result: Result<PivotTable, EffectFailure>?
  var scroll = ScrollState()
  /// The column under the cursor; the last one is that of the totals.
  private(set) var column = 0
  /// The leftmost column on the screen.
  private(set) var firstColumn = 0

  init(_ request: PivotRequest) {
    self.request = request
  }

  mutating func apply(_ result: Result<PivotTable, EffectFailure>, of number: Int) {
    if number == request.number { self.result = result }
  }

  var table: PivotTable? { try? result?.get() }

  /// Columns and the one of the totals.
  var columnCount: Int { table.map { $0.columns.count + 1 } ?? 0 }

  mutating func moveColumn(by step: Int) {
    column = min(max(0, column + step), max(0, columnCount - 1))
  }

  /// Keeps the column under the cursor on the screen.
  mutating func settle(in state: BrowserState) {
    let most = columnsArea(in: state).columns
    // From the cursor to the left, since a width is found by looking at many cells.
    var first = column
    var taken = room(of: column)
    while first > firstColumn {
      taken += room(of: first - 1)
      if taken > most { break }
      first -= 1
    }
    firstColumn = first
  }

  mutating func sortRows() { change { $0.sortRows(by: $1) } }

  private mutating func change(_ change: (inout PivotTable, _ column: Int) -> Void) {
    guard var table else { return }
    change(&table, column)
    result = .success(table)
  }

  mutating func sortColumns() {
    let line = scroll.cursor
    change { table, _ in table.sortColumns(by: line) }
  }

  static func area(in size: Size) -> Rectangle { Rectangle.aboveStatus(size) }

  func box(in state: BrowserState) -> Rectangle? { Self.area(in: state.size) }

  /// The lines are below what the pivot is of, and the names of the columns.
  func body(in state: BrowserState) -> Rectangle {
    Self.area(in: state.size).inset(horizontal: 2, vertical: 1).split(top: 2).rest
  }

  /// Groups and the line of the totals.
  func lineCount(in state: BrowserState) -> Int { table.map { $0.rows.count + 1 } ?? 0 }

  func pick(in state: inout BrowserState) { state.filterByPivot(self) }

  func dismiss(in state: inout BrowserState) { state.closePivot() }

  mutating func requestMissing(in state: inout BrowserState) {
    settle(in: state)
  }
}

extension BrowserState {
  /// Begins with the sections of the table as the rows; without sections they are asked for.
  mutating func beginPivot() {
    guard let table else { return }
    let rows = table.query.groupBy.map { axis($0) }
    open(PivotPicker(rows == nil ? .rows : .columns, rows: rows, in: self))
  }

  /// One of the groupings, by its path.
  func axis(_ path: [String]) -> PivotRequest.Axis {
    PivotRequest.Axis(path: path, format: table.flatMap { groupFormat(of: path, $0.query.entity) })
  }

  mutating func openPivot(
    _ rows: PivotRequest.Axis, _ columns: PivotRequest.Axis, _ measure: Measure
  ) {
    guard let table else { return }
    summaries.last += 1
    let request = PivotRequest(
      number: summaries.last, query: table.query, rows: rows, columns: columns, measure: measure)
    open(PivotScreen(request))
    self.request(.computePivot(request))
  }

  /// The same groups with another value in the cells.
  mutating func changePivotMeasure() {
    guard let request = overlay(as: PivotScreen.self)?.request else { return }
    closeOverlay()
    open(PivotPicker(.measure, rows: request.rows, columns: request.columns, in: self))
    self.request(.stopPivoting)
  }

  /// Rows as columns, and columns as rows.
  mutating func turnPivot() {
    guard let request = overlay(as: PivotScreen.self)?.request else { return }
    closeOverlay()
    openPivot(request.columns, request.rows, request.measure)
  }

  mutating func closePivot() {
    closeOverlay()
    request(.stopPivoting)
  }

  /// Shows the rows of the cell under the cursor in the table.
  mutating func filterByPivot(_ screen: PivotScreen) {
    guard let pivot = screen.table, let entity else { return }
    var parts = [table?.query.filter].compactMap { $0 }
    func add(_ axis: PivotRequest.Axis, _ groups: [PivotTable.Group], _ place: Int) {
      guard groups.indices.contains(place) else { return }
      parts.append(
        .comparison(
          Predicate.Comparison(
            Predicate.Operand(at: axis.path, of: entity, in: schema), .equal,
            .value(groups[place].value))))
    }
    add(screen.request.rows, pivot.rows, screen.scroll.cursor)
    add(screen.request.columns, pivot.columns, screen.column)
    closePivot()
    focus = .table
    setFilter(parts.count > 1 ? .and(parts) : parts.first)
  }
}

extension CommandScope {
  static let pivot = CommandScope(
    "pivot", title: "In a pivot",
    traits: [.scrolls, .copiesValue, .copiesRow, .exportsRows])
}
