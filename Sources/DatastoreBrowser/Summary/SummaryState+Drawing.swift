import Basics
import DatastoreCore
import Foundation
import TerminalUI

extension SummaryState {
  /// Draws the summary over the panels.
  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let area = Self.area(in: buffer.size)
    buffer.fill(area)
    let inside = Box(
      title: "\(request.kind.title) of \(request.column.name)", note: note, isFocused: true
    ).draw(into: &buffer, in: area).inset(horizontal: 1)
    let (top, body) = inside.split(top: 3)
    switch content {
    case nil: line("computing… esc stops", into: &buffer, in: top, row: 0, role: .dim)
    case .failure(let failure)?:
      for (row, text) in failure.message.wrapped(to: inside.columns).prefix(inside.rows)
        .enumerated()
      {
        line(text, into: &buffer, in: inside, row: row, role: .error)
      }
    case .success(let content)?:
      let about =
        isPartial
        ? "the first \(CountText.grouped(request.sample.count)) rows, all are being read… \(percent ?? 0) %"
        : state.table?.query.filter == nil ? "all rows" : "the rows of the filter"
      draw(content, into: &buffer, top: top, body: body, state: state, about: about)
    }
    return nil
  }

  private var note: String { content == nil || isPartial ? "esc stops" : "esc closes" }

  private func draw(
    _ content: SummaryContent, into buffer: inout ScreenBuffer, top: Rectangle, body: Rectangle,
    state: BrowserState, about: String
  ) {
    switch content {
    case .frequencies(let table):
      let shown =
        table.entries.count < table.distinctCount
        ? ", the \(CountText.grouped(table.entries.count)) most frequent are shown" : ""
      let rows = CountText.counted(table.rowCount, "row")
      let place =
        isPartial
        ? about : state.table?.query.filter == nil ? "all \(rows)" : "\(rows) of the filter"
      line(
        "\(CountText.counted(table.distinctCount, "value")) in \(place)\(shown)",
        into: &buffer, in: top, row: 0, role: .dim)
      drawFrequencies(table, into: &buffer, top: top, body: body, state: state)
    case .statistics(let statistics):
      line(about, into: &buffer, in: top, row: 0, role: .dim)
      drawStatistics(statistics, into: &buffer, in: state)
    case .histogram(let histogram):
      guard let histogram else {
        line(
          "There are no numbers here to be spread over intervals; t shows the values.",
          into: &buffer, in: top, row: 0, role: .dim)
        return
      }
      drawHistogram(histogram, into: &buffer, top: top, body: body, about: about)
    case .chart(let entries):
      guard entries.contains(where: { $0.sum != nil }) else {
        line(
          "There are no numbers here to add up; go to a column of numbers.", into: &buffer,
          in: top, row: 0, role: .dim)
        return
      }
      drawChart(into: &buffer, top: top, body: body, state: state, about: about)
    }
  }

  private func drawFrequencies(
    _ table: FrequencyTable, into buffer: inout ScreenBuffer, top: Rectangle, body: Rectangle,
    state: BrowserState
  ) {
    let entries = frequencies
    let glyphs = buffer.glyphs
    let texts = { (entry: FrequencyTable.Entry) in text(entry.value, in: state, glyphs) }
    let visible = scroll.visible(count: entries.count, height: body.rows)
    let columns = SummaryColumns(
      body, name: request.column.name, names: visible.map { texts(entries[$0]).text },
      numbers: ["rows", "share"], widths: [12, 7])
    columns.drawHeader(into: &buffer, in: top, sorted: isByValue ? nil : 0)
    let most = table.entries.map(\.count).max() ?? 1
    for (row, index) in visible.enumerated() {
      let entry = entries[index]
      let share = Double(entry.count) / Double(max(1, table.rowCount))
      columns.draw(
        texts(entry), [CountText.grouped(entry.count), Self.percent(share)],
        bar: Double(entry.count) / Double(max(1, most)), into: &buffer, row: body.top + row,
        isSelected: index == scroll.cursor)
    }
    drawScrollbar(entries.count, visible, into: &buffer, body)
  }

  private func drawHistogram(
    _ histogram: Histogram, into buffer: inout ScreenBuffer, top: Rectangle, body: Rectangle,
    about: String
  ) {
    let total = histogram.counts.reduce(0, +)
    var heading =
      "\(CountText.counted(total, "number")) from \(number(histogram.minimum)) to "
      + "\(number(histogram.maximum)), \(about)"
    if histogram.otherCount > 0 {
      heading += "; \(CountText.grouped(histogram.otherCount)) without a number"
    }
    line(heading, into: &buffer, in: top, row: 0, role: .dim)
    line(
      Sparkline.text(histogram.counts, glyphs: buffer.glyphs), into: &buffer, in: top, row: 1,
      role: .progress)
    let visible = scroll.visible(count: histogram.counts.count, height: body.rows)
    let names = histogram.counts.indices.map { index in
      let bounds = histogram.bounds(of: index)
      return
        "\(number(bounds.lower)) \(buffer.glyphs == .unicode ? "…" : "..") \(number(bounds.upper))"
    }
    let columns = SummaryColumns(
      body, name: "from \(buffer.glyphs == .unicode ? "…" : "..") below", names: names,
      numbers: ["rows", "share"], widths: [12, 7])
    columns.drawHeader(into: &buffer, in: top, sorted: nil)
    let most = histogram.counts.max() ?? 1
    for (row, index) in visible.enumerated() {
      let count = histogram.counts[index]
      columns.draw(
        CellContent(names[index], role: .text),
        [CountText.grouped(count), Self.percent(Double(count) / Double(max(1, total)))],
        bar: Double(count) / Double(max(1, most)), into: &buffer, row: body.top + row,
        isSelected: index == scroll.cursor)
    }
    drawScrollbar(names.count, visible, into: &buffer, body)
  }

  private func drawChart(
    into buffer: inout ScreenBuffer, top: Rectangle, body: Rectangle, state: BrowserState,
    about: String
  ) {
    let entries = chart
    let (plot, body) = body.split(top: lineChartRows(of: body))
    // The names of the columns are above the lines, so the line over time takes their row, too.
    drawLineChart(
      into: &buffer,
      in: Rectangle(
        column: plot.left, row: plot.top - 1, columns: plot.columns, rows: plot.rows))
    let top = Rectangle(
      column: top.left, row: top.top, columns: top.columns, rows: top.rows + plot.rows)
    let groups = GroupTitle(request.groupPath ?? request.column.groupPath).description
    line(
      "\(request.column.name) by \(groups), \(CountText.counted(entries.count, "group")), \(about)",
      into: &buffer, in: top, row: 0, role: .dim)
    let glyphs = buffer.glyphs
    let texts = { (entry: ChartEntry) in text(entry.group, in: state, glyphs) }
    let visible = scroll.visible(count: entries.count, height: body.rows)
    let wide = body.columns >= 110
    if isDate {
      drawDates(entries, groups, texts, visible, into: &buffer, top: top, body: body)
      return
    }
    let columns = SummaryColumns(
      body, name: groups, names: visible.map { texts(entries[$0]).text },
      numbers: wide ? ["rows", "mean", "least", "most", "sum"] : ["rows", "mean", "sum"],
      widths: wide ? [11, 14, 14, 14, 16] : [9, 12, 14])
    columns.drawHeader(into: &buffer, in: top, sorted: isByValue ? columns.widths.count - 1 : nil)
    let most = entries.compactMap { $0.sum.map(abs) }.max() ?? 1
    for (row, index) in visible.enumerated() {
      let entry = entries[index]
      let outer = [entry.minimum, entry.maximum].map { $0.map(number) ?? "" }
      let numbers =
        [CountText.grouped(entry.count), entry.mean.map(number) ?? ""] + (wide ? outer : [])
        + [entry.sum.map(number) ?? ""]
      columns.draw(
        texts(entry), numbers, bar: abs(entry.sum ?? 0) / (most > 0 ? most : 1), into: &buffer,
        row: body.top + row, isSelected: index == scroll.cursor)
    }
    drawScrollbar(entries.count, visible, into: &buffer, body)
  }

  /// Groups with their first and last dates, which nobody adds up; the bar is of the number of rows.
  private func drawDates(
    _ entries: [ChartEntry], _ groups: String, _ texts: (ChartEntry) -> CellContent,
    _ visible: Range<Int>, into buffer: inout ScreenBuffer, top: Rectangle, body: Rectangle
  ) {
    let columns = SummaryColumns(
      body, name: groups, names: visible.map { texts(entries[$0]).text },
      numbers: ["rows", "first", "last"], widths: [9, 20, 20])
    columns.drawHeader(into: &buffer, in: top, sorted: isByValue ? 0 : nil)
    let most = entries.map(\.count).max() ?? 1
    for (row, index) in visible.enumerated() {
      let entry = entries[index]
      let ends = [entry.minimum, entry.maximum].map { $0.map(number) ?? "" }
      columns.draw(
        texts(entry), [CountText.grouped(entry.count)] + ends,
        bar: Double(entry.count) / Double(max(1, most)), into: &buffer, row: body.top + row,
        isSelected: index == scroll.cursor)
    }
    drawScrollbar(entries.count, visible, into: &buffer, body)
  }

  private func drawStatistics(
    _ statistics: ColumnStatistics, into buffer: inout ScreenBuffer, in state: BrowserState
  ) {
    let facts = facts(statistics)
    drawLines(into: &buffer, in: state) { index, buffer, line in
      buffer.draw(facts[index].name, at: line.origin, width: 22, role: .columnHeader)
      buffer.draw(
        facts[index].value, at: Position(column: line.left + 24, row: line.top),
        width: max(0, line.columns - 24), role: .number)
    }
  }

  /// The lines of the statistics.
  func facts(_ statistics: ColumnStatistics) -> [(name: String, value: String)] {
    var facts = [
      ("rows", CountText.grouped(statistics.rowCount)),
      ("NULL", CountText.grouped(statistics.nullCount)),
      ("different values", CountText.grouped(statistics.distinctCount)),
    ]
    let format = request.column.format ?? ValueFormat(type: .undefined)
    if !statistics.minimum.isNull, request.column.destination == nil {
      facts.append(("least", format.grouped(statistics.minimum)))
      facts.append(("greatest", format.grouped(statistics.maximum)))
    }
    if let numbers = statistics.numbers, request.column.destination == nil,
      !request.column.isIdentifier
    {
      facts.append(("mean", number(numbers.mean)))
      facts.append(("median", number(numbers.median)))
      if let deviation = numbers.standardDeviation {
        // A distance is not a moment, even between dates.
        facts.append(
          ("standard deviation", ValueFormat.rounded(deviation) + (isDate ? deviationUnit : "")))
      }
      if !isDate { facts.append(("sum", ValueFormat.rounded(numbers.sum))) }
    }
    if let lengths = statistics.textLengths {
      facts.append(("shortest text", CountText.counted(lengths.lowerBound, "character")))
      facts.append(("longest text", CountText.counted(lengths.upperBound, "character")))
      facts.append(("empty texts", CountText.grouped(statistics.emptyTextCount)))
    }
    return facts
  }
}

extension SummaryState {
  /// Whether the column holds dates: they have a first and a last one, and no sum.
  var isDate: Bool { request.column.format?.isDate ?? false }

  /// What distances between the dates of the column are counted in.
  private var deviationUnit: String {
    switch request.column.format?.dates {
    case nil, .unixSeconds, .appleSeconds: " seconds"
    case .julianDay: " days"
    default: " as stored"
    }
  }

  /// A number of the column as people read it.
  func number(_ number: Double) -> String {
    (request.column.format ?? ValueFormat(type: .undefined)).shown(number)
  }

  static func percent(_ share: Double) -> String {
    let tenths = Int((share * 1000).rounded())
    return tenths == 0 && share > 0 ? "<0.1 %" : "\(tenths / 10).\(tenths % 10) %"
  }

  /// What a value of a line shows.
  private func text(_ value: Value, in state: BrowserState, _ glyphs: GlyphSet) -> CellContent {
    let marks = Marks(glyphs)
    if value.isNull { return CellContent(marks.null, role: .null) }
    if let destination = Self.destination(of: request, in: state.schema),
      let key = value.key
    {
      let shown = state.names[destination, key]?.shown
      return CellContent(
        shown?.text ?? DisplayName.placeholder(key: key), role: shown?.role ?? .dim)
    }
    let isGroup = request.kind == .chart && request.groupPath != nil
    let format = isGroup ? nil : request.column.format
    let cell = (format ?? ValueFormat(type: .undefined)).cell(value)
    return cell.kind == .emptyText ? CellContent(marks.emptyText, role: .dim) : cell
  }

  private func line(
    _ text: String, into buffer: inout ScreenBuffer, in area: Rectangle, row: Int, role: StyleRole
  ) {
    guard row < area.rows else { return }
    buffer.draw(
      text, at: Position(column: area.left, row: area.top + row), width: area.columns, role: role)
  }

  private func drawScrollbar(
    _ count: Int, _ visible: Range<Int>, into buffer: inout ScreenBuffer, _ body: Rectangle
  ) {
    Scrollbar(count: count, visible: visible).draw(
      into: &buffer,
      in: Rectangle(column: body.right + 1, row: body.top, columns: 1, rows: body.rows))
  }
}
