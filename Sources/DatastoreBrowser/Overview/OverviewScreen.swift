import DatastoreCore
import TerminalUI

/// All columns of the table at once: a line for each, whose facts lead to their rows.
struct OverviewScreen: LineListOverlay {
  var scope: CommandScope { .overview }
  let request: OverviewRequest
  var scroll = ScrollState()
  /// The fact under the cursor.
  private(set) var fact = ColumnOverview.Fact.mostFrequent
  /// By the index of the column.
  private(set) var results: [Int: Result<ColumnOverview, EffectFailure>] = [:]
  /// Columns of which only the first rows have been read.
  private(set) var partial: Set<Int> = []

  init(_ request: OverviewRequest) {
    self.request = request
  }

  mutating func apply(
    _ result: Result<ColumnOverview, EffectFailure>, of column: Int, _ number: Int, isPartial: Bool
  ) {
    guard number == request.number else { return }
    results[column] = result
    if isPartial { partial.insert(column) } else { partial.remove(column) }
  }

  /// How many columns are known of all rows.
  var completeCount: Int { results.count - partial.count }

  mutating func moveFact(by step: Int) {
    let all = ColumnOverview.Fact.allCases
    fact = all[min(max(0, fact.rawValue + step), all.count - 1)]
  }

  /// The column under the cursor and what is known of it.
  var current: (index: Int, column: TableColumn, overview: ColumnOverview?)? {
    guard request.columns.indices.contains(scroll.cursor) else { return nil }
    let (index, column) = request.columns[scroll.cursor]
    return (index, column, try? results[index]?.get())
  }

  static func area(in size: Size) -> Rectangle {
    Rectangle.aboveStatus(size).inset(horizontal: size.columns >= 100 ? 4 : 0, vertical: 0)
  }

  func box(in state: BrowserState) -> Rectangle? { Self.area(in: state.size) }

  func body(in state: BrowserState) -> Rectangle {
    Self.area(in: state.size).inset(horizontal: 2, vertical: 1).split(top: 2).rest
  }

  func lineCount(in state: BrowserState) -> Int { request.columns.count }

  func pick(in state: inout BrowserState) { state.showRows(of: self) }

  func dismiss(in state: inout BrowserState) { state.closeOverview() }

  /// Requests the names of related objects that the lines show.
  mutating func requestMissing(in state: inout BrowserState) {
    var wanted: [EntityIndex: Set<RowKey>] = [:]
    for (index, column) in request.columns {
      guard let destination = column.destination, let overview = try? results[index]?.get() else {
        continue
      }
      for value in [overview.mostFrequent?.value].compactMap({ $0 }) {
        if let key = value.key, state.names[destination, key] == nil, asked.insert(key).inserted {
          wanted[destination, default: []].insert(key)
        }
      }
    }
    for (entity, keys) in wanted.sorted(by: { $0.key < $1.key }) {
      state.request(.loadNames(entity: entity, keys: keys.sorted()))
    }
  }

  private var asked: Set<RowKey> = []
}

extension BrowserState {
  /// Shows all columns of the table at once.
  mutating func openOverview() {
    guard let table else { return }
    summaries.last += 1
    let columns = table.arrangement.all.filter { !table.columns[$0].isToMany }
      .map { (index: $0, column: table.columns[$0]) }
    var request = OverviewRequest(number: summaries.last, query: table.query, columns: columns)
    if table.list.keys.count > SummaryRequest.longest {
      request.sample = Array(
        table.list.keys.readKeys.prefix(SummaryRequest.sampled).map(\.key))
    }
    var screen = OverviewScreen(request)
    screen.moveCursor(to: columns.firstIndex { $0.index == table.column } ?? 0, in: self)
    open(screen)
    self.request(.computeOverview(request))
  }

  mutating func closeOverview() {
    closeOverlay()
    request(.stopOverlooking)
  }

  /// Shows the rows that the fact under the cursor is about, or more of the column.
  mutating func showRows(of screen: OverviewScreen) {
    guard let (index, column, overview) = screen.current, let overview else { return }
    let value: Value
    switch screen.fact {
    case .nulls: value = .null
    case .least: value = overview.least
    case .greatest: value = overview.greatest
    case .mostFrequent: value = overview.mostFrequent?.value ?? .null
    case .distinct, .distribution:
      closeOverview()
      goToColumn(index)
      return summarize(screen.fact == .distinct ? .frequencies : .histogram)
    }
    closeOverview()
    goToColumn(index)
    let condition = Predicate.comparison(
      Predicate.Comparison(column.value, .equal, .value(value)))
    let parts = [table?.query.filter, condition].compactMap { $0 }
    setFilter(parts.count > 1 ? .and(parts) : parts.first)
  }
}

extension CommandScope {
  static let overview = CommandScope(
    "overview", title: "In the overview of all columns", traits: [.scrolls])
}
