import DatastoreCore
import TerminalUI

/// The order of a table's sections: by the number of their rows, or by the total of a column. Sections with
/// equal totals are in the order of their values.
struct SectionOrder: Hashable, Sendable, Codable {
  /// The column of the total; nil for the number of rows.
  var column: String?
  var ascending: Bool
}

/// The totals of columns over all rows of a table, and over the rows of each section, for the footer and the
/// section headers. They are computed from saved values.
struct ColumnTotals: Sendable {
  struct Request: Hashable, Sendable {
    var fetch: Int
    var query: TableQuery
    var measures: [Measure]
    /// The path that the rows are grouped by.
    var groupPath: [String]?
  }

  /// The answer: a value for each measure.
  struct Answer: Hashable, Sendable {
    var all: [Value]
    var sections: [Value: [Value]]
  }

  private(set) var measures: [Measure] = []
  private(set) var answer: Answer?
  private(set) var running: Request?
  private var isFresh = false

  /// Marks all totals to be computed again; the old ones are shown until then.
  mutating func invalidate() {
    isFresh = false
    running = nil
  }

  /// Returns the request to compute now; nil while one is running, or if no total is missing.
  mutating func takeMissing(_ request: Request) -> Request? {
    if measures != request.measures {
      measures = request.measures
      answer = nil
      invalidate()
    }
    guard !measures.isEmpty, !isFresh, running == nil else { return nil }
    running = request
    return request
  }

  /// Applies an answer, unless it is to an older request; nil clears the totals. Returns whether it was
  /// applied.
  mutating func apply(_ answer: Answer?, to request: Request) -> Bool {
    guard request == running else { return false }
    running = nil
    isFresh = true
    self.answer = answer
    return true
  }

  /// The total of a column over the rows of a section, or over all rows; nil if there is none, or none yet.
  func total(of column: TableColumn, section: Value? = nil) -> (measure: Measure, value: Value)? {
    guard let place = measures.firstIndex(where: { $0.column == column }), let answer else {
      return nil
    }
    let values: [Value]?
    if let section {
      // SQLite may return 1.0 for a section of the value 1.
      values =
        answer.sections[section]
        ?? (section.number == nil
          ? nil : answer.sections.first { Value.compare($0.key, section) == .same }?.value)
    } else {
      values = answer.all
    }
    guard let values, values.indices.contains(place) else { return nil }
    return (measures[place], values[place])
  }
}

extension TableState {
  /// The measures of the shown columns.
  var measures: [Measure] {
    guard !settings.totals.isEmpty else { return [] }
    return arrangement.shown.compactMap { index in
      settings.totals[columns[index].name].map { Measure(aggregate: $0, column: columns[index]) }
    }
  }

  /// Whether the table has a footer.
  var hasTotals: Bool { !settings.totals.isEmpty && !measures.isEmpty }

  /// Returns the request for the totals of the footer and the section headers, if any are missing.
  mutating func takeMissingTotals() -> ColumnTotals.Request? {
    guard hasTotals || !totals.measures.isEmpty, isComplete else { return nil }
    var query = query
    query.order = []
    query.sectionOrder = nil
    return totals.takeMissing(
      ColumnTotals.Request(
        fetch: fetch, query: query, measures: measures, groupPath: query.groupBy))
  }

  /// Applies totals, and sorts the sections if their order depends on them.
  mutating func apply(
    totals answer: ColumnTotals.Answer?, of request: ColumnTotals.Request, height: Int
  ) {
    guard totals.apply(answer, to: request), query.sectionOrder?.column != nil else { return }
    findAnchor(height: height)
  }

  /// The list with its sections in the wanted order. O(rows) if there is a section order.
  func inSectionOrder(_ list: KeyList) -> KeyList {
    guard let order = query.sectionOrder, groupPath != nil, list.sections.count > 1,
      list.keys.isRead
    else { return list }
    let wanted: Value.Ordering = order.ascending ? .ascending : .descending
    var keys: [Value] = list.sections.map { .integer(Int64($0.count)) }
    if let name = order.column {
      guard let column = columns.first(where: { $0.name == name }), totals.answer != nil else {
        return list
      }
      let isDecimal = column.format?.type == .decimal
      keys = list.sections.map { section in
        let total = totals.total(of: column, section: section.value)?.value ?? .null
        return isDecimal ? total.decimalNumber : total
      }
    }
    // Sections with equal totals are sorted by their values, whatever their current order.
    let values = list.sections.map(\.value)
    let places = keys.indices.sorted { left, right in
      let ordering = Value.compare(keys[left], keys[right])
      if ordering != .same { return ordering == wanted }
      let byValue = Value.compare(values[left], values[right])
      return byValue == .same ? left < right : byValue == .ascending
    }
    guard places != Array(keys.indices) else { return list }
    var builder = KeyChunks.Builder()
    for place in places {
      let start = list.starts[place]
      for index in start..<(start + list.sections[place].count) { builder.append(list.keys[index]) }
    }
    return KeyList(keys: builder.finish(), sections: places.map { list.sections[$0] })
  }
}

/// Drawing totals.
extension TableState {
  /// A total with its sign: `Σ 1 200`.
  func totalText(
    of column: TableColumn, section: Value? = nil, _ glyphs: GlyphSet
  ) -> String? {
    guard let (measure, value) = totals.total(of: column, section: section) else { return nil }
    let format = value.number == nil ? nil : settings.numbers[column.name]
    let text =
      format?.text(of: ValueFormat(type: .undefined).cell(measure.kept(value)).text)
      ?? measure.text(value)
    return text.isEmpty ? nil : "\(measure.aggregate?.sign(glyphs) ?? "") \(text)"
  }

  /// The cells for the text of a section's header, so that its totals are seen, too: in their places if a
  /// name can still be read before them, or else behind it.
  func roomBesideTotals(
    of section: Value, in room: Int, _ placements: [ColumnLayout.Placement], _ glyphs: GlyphSet
  ) -> Int {
    var (start, width) = (room, 0)
    for placement in placements {
      guard let text = totalText(of: columns[placement.index], section: section, glyphs) else {
        continue
      }
      start = min(start, placement.offset + placement.width - text.displayWidth())
      width += text.displayWidth() + 1
    }
    if width == 0 { return room }
    return start > Self.readableHeader ? start - 1 : room - width - 1
  }

  /// The cells in which most names of sections can be read.
  private static let readableHeader = 24

  /// Draws totals in the places of their columns, or right of the text that is already drawn.
  func drawTotals(
    of section: Value? = nil, into buffer: inout ScreenBuffer, in line: Rectangle,
    _ placements: [ColumnLayout.Placement], after used: Int = 0
  ) {
    var used = used
    for placement in placements {
      guard
        let text = totalText(of: columns[placement.index], section: section, buffer.glyphs)
      else { continue }
      let width = text.displayWidth()
      let start = max(used, placement.offset + placement.width - width)
      // A number with digits cut off would be another number; below the table it is not moved.
      guard section != nil || width <= placement.width, start + width <= line.columns else {
        continue
      }
      buffer.draw(
        text, at: Position(column: line.left + start, row: line.top), width: width, role: .number)
      used = start + width + 1
    }
  }
}

extension Predicate.Aggregate {
  /// The sign before a total.
  func sign(_ glyphs: GlyphSet) -> String {
    let isUnicode = glyphs == .unicode
    return switch self {
    case .sum: isUnicode ? "Σ" : "sum"
    case .average: isUnicode ? "ø" : "mean"
    case .minimum: "min"
    case .maximum: "max"
    }
  }
}
