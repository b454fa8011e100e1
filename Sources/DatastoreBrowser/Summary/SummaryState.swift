import DatastoreCore
import TerminalUI

/// A summary of one column of the rows that the table shows: frequencies, statistics, a histogram or
/// a chart. It is about what is saved.
struct SummaryState: LineListOverlay {
  var scope: CommandScope { .summary }

  private(set) var request: SummaryRequest
  /// Nil while it is being computed.
  private(set) var content: Result<SummaryContent, EffectFailure>?
  /// Whether the content is of the first rows only, while all are read.
  private(set) var isPartial = false
  /// How much of all rows has been read, while they are.
  private(set) var percent: Int?
  var scroll = ScrollState()
  /// Whether the frequencies and the groups of a chart are in the order of their values.
  private(set) var isByValue = false
  /// Objects whose names have been asked for.
  private var askedNames: Set<RowKey> = []
  /// Whether it is to be exported as soon as the names of its objects are known.
  var isExportAwaited = false

  init(_ request: SummaryRequest) {
    self.request = request
  }

  /// Looks at the column in another way.
  mutating func ask(_ request: SummaryRequest) {
    self.request = request
    content = nil
    isPartial = false
    percent = nil
    isExportAwaited = false
    scroll = ScrollState()
    isByValue = false
  }

  /// Applies an answer, unless it belongs to an older request.
  mutating func apply(
    _ result: Result<SummaryContent, EffectFailure>, of number: Int, isPartial: Bool
  ) {
    guard number == request.number else { return }
    content = result
    self.isPartial = isPartial
  }

  /// Shows how much of all rows has been read.
  mutating func apply(percent: Int, of number: Int) {
    if number == request.number, isPartial { self.percent = percent }
  }

  /// Changes between the order of the numbers and that of the values.
  mutating func toggleOrder() {
    isByValue.toggle()
    scroll = ScrollState()
  }

  /// The frequencies in the order that is wanted.
  var frequencies: [FrequencyTable.Entry] {
    guard case .success(.frequencies(let table))? = content else { return [] }
    return isByValue
      ? table.entries.sorted { Value.compare($0.value, $1.value) == .ascending } : table.entries
  }

  /// The groups of a chart in the order that is wanted: that of the groups, or of their sums.
  var chart: [ChartEntry] {
    guard case .success(.chart(let entries))? = content else { return [] }
    if isDate, isByValue { return entries.sorted { $0.count > $1.count } }
    return isByValue
      ? entries.sorted { ($0.sum ?? -.infinity) > ($1.sum ?? -.infinity) } : entries
  }

  /// The number of lines that the cursor moves through.
  var lineCount: Int {
    switch content {
    case .success(.frequencies(let table)): table.entries.count
    case .success(.chart(let entries)): entries.count
    case .success(.histogram(let histogram)): histogram?.counts.count ?? 0
    case .success(.statistics(let statistics)): facts(statistics).count
    case .failure, nil: 0
    }
  }

  /// The value that the cursor is on, to show its rows.
  var selectedValue: (path: [String], value: Value)? {
    switch request.kind {
    case .frequencies:
      let entries = frequencies
      guard entries.indices.contains(scroll.cursor) else { return nil }
      return (request.column.groupPath, entries[scroll.cursor].value)
    case .chart:
      let entries = chart
      guard entries.indices.contains(scroll.cursor) else { return nil }
      return (request.groupPath ?? request.column.groupPath, entries[scroll.cursor].group)
    case .statistics, .histogram: return nil
    }
  }

  /// The interval that the cursor is on.
  var selectedInterval: (lower: Double, upper: Double, isLast: Bool)? {
    guard case .success(.histogram(let histogram?))? = content,
      histogram.counts.indices.contains(scroll.cursor)
    else { return nil }
    let bounds = histogram.bounds(of: scroll.cursor)
    return (bounds.lower, bounds.upper, scroll.cursor == histogram.counts.count - 1)
  }

  static func area(in size: Size) -> Rectangle {
    let main = Rectangle.aboveStatus(size)
    return main.inset(horizontal: size.columns >= 100 ? 4 : 1, vertical: 1)
  }

  /// The line of the statistics that the cursor is on: its name, and what is stored.
  var selectedStatistic: (name: String, value: Value)? {
    guard case .success(.statistics(let statistics))? = content else { return nil }
    let facts = facts(statistics)
    guard facts.indices.contains(scroll.cursor) else { return nil }
    let name = facts[scroll.cursor].name
    let stored = lines(statistics).first { $0.first == .text(name) }
    return (name, stored?.last ?? .text(facts[scroll.cursor].value))
  }

  /// The rows of the list: inside the border, below the summary's own header.
  func body(in state: BrowserState) -> Rectangle {
    let isOfStatistics = request.kind == .statistics
    let body = Self.area(in: state.size).inset(horizontal: 2, vertical: 1)
      .split(top: isOfStatistics ? 2 : 3).rest
    return body.split(top: lineChartRows(of: body)).rest
  }

  func box(in state: BrowserState) -> Rectangle? { Self.area(in: state.size) }

  func lineCount(in state: BrowserState) -> Int { lineCount }

  mutating func cursorMoved(in state: inout BrowserState) {
    isExportAwaited = false
  }

  func pick(in state: inout BrowserState) { state.filterBySummary(self) }

  func dismiss(in state: inout BrowserState) { state.closeSummary() }

  /// Requests the names of related objects that the visible lines show.
  mutating func requestMissing(in state: inout BrowserState) {
    guard let destination = Self.destination(of: request, in: state.schema) else { return }
    let visible = scroll.visible(count: lineCount, height: body(in: state).rows)
    let values =
      request.kind == .chart
      ? chart[clamping: visible].map(\.group) : frequencies[clamping: visible].map(\.value)
    let missing = values.compactMap { value -> RowKey? in
      guard let key = value.key, state.names[destination, key] == nil,
        askedNames.insert(key).inserted
      else { return nil }
      return key
    }
    if !missing.isEmpty { state.request(.loadNames(entity: destination, keys: missing)) }
  }

  /// The keys of all objects of the lines whose names are not known.
  func unnamedKeys(in state: BrowserState) -> [RowKey] {
    guard let destination = Self.destination(of: request, in: state.schema) else { return [] }
    let values = request.kind == .chart ? chart.map(\.group) : frequencies.map(\.value)
    return values.compactMap { value in
      guard let key = value.key, state.names[destination, key] == nil else { return nil }
      return key
    }
  }

  /// The entity whose objects are the values of the lines, when the path ends at a relationship.
  static func destination(of request: SummaryRequest, in schema: Schema) -> EntityIndex? {
    guard request.kind == .chart, let path = request.groupPath else {
      return request.column.destination
    }
    var entity = schema.entities[request.query.entity]
    for (index, name) in path.enumerated() {
      guard let slot = entity.slot(named: name), let link = entity.links[slot] else { return nil }
      if index == path.count - 1 { return link.destination }
      entity = schema.entities[link.destination]
    }
    return nil
  }
}

extension BrowserState {
  /// Opens a summary of the column under the cursor, or looks at the open one in another way.
  ///
  /// - Parameter path: what makes the groups of a chart, where the table has no sections.
  mutating func summarize(_ kind: SummaryRequest.Kind, groupedBy path: [String]? = nil) {
    guard let table, let column = table.currentColumn else { return }
    summaries.last += 1
    let present = overlay(as: SummaryState.self)?.request
    var request = SummaryRequest(
      number: summaries.last, kind: kind, query: present?.query ?? table.query,
      column: present?.column ?? column,
      groupPath: kind == .chart ? path ?? table.query.groupBy : nil)
    if request.query == table.query, table.list.keys.count > SummaryRequest.longest {
      request.sample = Array(
        table.list.keys.readKeys.prefix(SummaryRequest.sampled).map(\.key))
      request.rows = table.rowTotal ?? table.list.keys.count
    }
    if present == nil {
      open(SummaryState(request))
    } else {
      changeOverlay(as: SummaryState.self) { $0.ask(request) }
    }
    self.request(.summarize(request))
  }

  /// Closes the summary; what is still computed for it is ended.
  mutating func closeSummary() {
    closeOverlay()
    request(.stopSummarizing)
  }

  /// Shows the rows that the line under the summary's cursor stands for.
  mutating func filterBySummary(_ summary: SummaryState) {
    let condition: Predicate
    let entity = schema.entities[summary.request.query.entity]
    func operand(_ path: [String]) -> Predicate.Operand {
      Predicate.Operand(at: path, of: entity, in: schema)
    }
    if let (path, value) = summary.selectedValue {
      condition = .comparison(Predicate.Comparison(operand(path), .equal, .value(value)))
    } else if let interval = summary.selectedInterval {
      let path = summary.request.column.groupPath
      condition = .and([
        .comparison(
          Predicate.Comparison(operand(path), .greaterThanOrEqual, .value(.real(interval.lower)))),
        .comparison(
          Predicate.Comparison(
            operand(path), interval.isLast ? .lessThanOrEqual : .lessThan,
            .value(.real(interval.upper)))),
      ])
    } else {
      return
    }
    closeSummary()
    focus = .table
    let parts = [table?.query.filter, condition].compactMap { $0 }
    setFilter(parts.count > 1 ? .and(parts) : parts.first)
  }
}

extension Array {
  /// The elements of a range, as far as they are there.
  fileprivate subscript(clamping range: Range<Int>) -> ArraySlice<Element> {
    self[range.clamped(to: indices)]
  }
}

extension CommandScope {
  static let summary = CommandScope(
    "summary", title: "In a summary of a column", traits: [.scrolls, .copiesValue, .copiesRow])
}
