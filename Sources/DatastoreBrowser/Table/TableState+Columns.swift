import Basics
import DatastoreCore
import TerminalUI

/// The layout of the columns.
extension TableState {
  static let spacing = 2
  /// The cells that the line after the frozen columns takes besides the spacing.
  static let frozenLine = 1

  /// The widths of the shown columns in a table of this width: those that the user has set, else those that
  /// the content needs, but no column so wide that it pushes the others off the screen.
  func columnWidths(available: Int) -> [Int] {
    let demands = arrangement.shown.map { index in
      let column = columns[index]
      if let width = settings.widths[column.name] {
        return ColumnLayout.Demand(content: width, minimum: width, maximum: width)
      }
      let header =
        title(of: column).displayWidth(upTo: Self.widestColumn) + sortMarkWidth(of: column)
      let total = totalText(of: column, .unicode).map { $0.displayWidth() } ?? 0
      let content = max(contentWidths[index], header, total)
      // A date without its time says little, and a cut number nothing.
      let numbers = max(widestNumbers[index], total)
      let least = max(column.format?.isDate ?? false ? 20 : 14, numbers)
      return ColumnLayout.Demand(
        content: content, minimum: min(content, least), maximum: Self.widestColumn)
    }
    var widths = widths(demands, available: available)
    let frozen = arrangement.frozen
    if frozen > 0, frozen < widths.count {
      // Frozen columns become narrower rather than leave the others no room.
      let staying = demands[..<frozen].map { demand in
        ColumnLayout.Demand(
          content: demand.preferred, minimum: min(demand.preferred, Self.narrowestFrozen))
      }
      let room = Self.frozenRoom(available) - Self.spacing
      let narrowed = ColumnLayout.widths(staying, available: room, spacing: Self.spacing)
      for (place, width) in narrowed.enumerated() { widths[place] = min(widths[place], width) }
    }
    return widths
  }

  /// Fits the widths to the demands. Identifiers at the end give way first: if all other columns have room,
  /// these are as wide as they would be without identifiers.
  private func widths(_ demands: [ColumnLayout.Demand], available: Int) -> [Int] {
    let all = ColumnLayout.widths(demands, available: available, spacing: Self.spacing)
    let others = arrangement.shown.lastIndex { !columns[$0].isIdentifier }.map { $0 + 1 } ?? 0
    func room(_ widths: [Int]) -> Int { widths.reduce(0) { $0 + $1 + Self.spacing } - Self.spacing }
    guard others > 0, others < demands.count, room(all) > available else { return all }
    let leading = ColumnLayout.widths(
      Array(demands[..<others]), available: available, spacing: Self.spacing)
    return room(leading) <= available ? leading + all[others...] : all
  }

  /// The least width of a frozen column that makes room for others.
  private static let narrowestFrozen = 8

  /// The cells that frozen columns may take, including the spacing after each.
  private static func frozenRoom(_ available: Int) -> Int { available * 2 / 3 }

  /// The number of leading columns that stay while the others scroll: as many as leave the others room.
  private func frozenCount(_ widths: [Int], available: Int) -> Int {
    var used = 0
    for position in 0..<arrangement.frozen {
      used += widths[position] + Self.spacing
      if used > Self.frozenRoom(available) { return position }
    }
    return arrangement.frozen
  }

  /// The number of frozen columns that have room to stay.
  func stayingCount(available: Int) -> Int {
    frozenCount(columnWidths(available: available), available: available)
  }

  /// The columns on the screen, with their indices in `columns`.
  func placements(available: Int) -> [ColumnLayout.Placement] {
    let widths = columnWidths(available: available)
    return ColumnLayout.placements(
      widths: widths, available: available, spacing: Self.spacing, first: firstColumn,
      frozen: frozenCount(widths, available: available), line: Self.frozenLine
    ).map { placement in
      var placement = placement
      placement.index = arrangement.shown[placement.index]
      return placement
    }
  }

  /// The offset of the line after the frozen columns, in cells from the left; nil if no column is frozen or
  /// none scrolls.
  func frozenLine(_ placements: [ColumnLayout.Placement], available: Int) -> Int? {
    let frozen = frozenCount(columnWidths(available: available), available: available)
    guard frozen > 0, placements.count > frozen else { return nil }
    let last = placements[frozen - 1]
    return last.offset + last.width + Self.spacing / 2
  }

  /// Scrolls sideways so that the column under the cursor is visible.
  mutating func settleColumns(available: Int) {
    guard available > 0, let first = arrangement.shown.first else { return }
    if arrangement.position(of: column) == nil { column = first }
    let widths = columnWidths(available: available)
    firstColumn = ColumnLayout.firstVisible(
      cursor: arrangement.position(of: column) ?? 0, widths: widths, available: available,
      spacing: Self.spacing, previous: min(firstColumn, widths.count - 1),
      frozen: frozenCount(widths, available: available), line: Self.frozenLine)
  }

  /// The header of a column: its name and its unit.
  func title(of column: TableColumn) -> String {
    column.slot.flatMap { units[$0] }.map { "\(column.name) (\($0))" } ?? column.name
  }

  /// The shown columns in the order of exports: the user's order, or else that of the file, wherever
  /// identifiers are on the screen.
  var writtenColumns: [TableColumn] {
    let shown = arrangement.shown
    return (settings.order.isEmpty ? shown.sorted() : shown).map { columns[$0] }
  }

  /// A note about the visible columns out of all, and the number of hidden ones; empty if all are visible.
  func columnNote(_ placements: [ColumnLayout.Placement]) -> String {
    var parts: [String] = []
    let positions = placements.compactMap { arrangement.position(of: $0.index) }
    if let last = positions.last, positions.count < arrangement.shown.count {
      let first = positions.first { $0 >= firstColumn } ?? last
      parts.append("columns \(first + 1)-\(last + 1) of \(arrangement.shown.count)")
    }
    if arrangement.hiddenByHand > 0 { parts.append("\(arrangement.hiddenByHand) hidden") }
    return parts.joined(separator: ", ")
  }

  /// The place of a column in the sort order, from 0; nil if the rows are not sorted by it.
  func sortIndex(of column: TableColumn) -> Int? {
    query.order.firstIndex { $0.operand == column.sortOperand || $0.keyPath == [column.name] }
  }

  /// The place in the sort order, also for a column whose words decide the relevance that rows are sorted by.
  private func markedSortIndex(of column: TableColumn) -> Int? {
    if let index = sortIndex(of: column) { return index }
    guard let index = query.order.firstIndex(where: { $0.keyPath == SortDescriptor.rank.keyPath }),
      column.hasWords, query.searched.contains(column.name)
    else { return nil }
    return index
  }

  /// The sort mark of a column: a triangle, and its number if there are several sort keys.
  func sortMark(of column: TableColumn, _ marks: Marks) -> String? {
    guard let index = markedSortIndex(of: column) else { return nil }
    let mark = query.order[index].ascending ? marks.ascending : marks.descending
    return query.order.count > 1 ? "\(mark)\(index + 1)" : mark
  }

  private func sortMarkWidth(of column: TableColumn) -> Int {
    query.order.count > 1 && markedSortIndex(of: column) != nil ? 3 : 2
  }
}

/// The counts of to-many relationships.
extension TableState {
  /// Returns the rows whose members have to be counted, by slot, and marks them as requested.
  mutating func takeMissingCounts(height: Int) -> [(slot: Slot, keys: [RowKey])] {
    let slots = arrangement.shown.compactMap { columns[$0].isToMany ? columns[$0].slot : nil }
    guard !slots.isEmpty else { return [] }
    let visible = scroll.visible(count: lines.count, height: height)
    let keys = visible.compactMap { line -> RowKey? in
      if case .row(let index) = lines[line] { list.keys.readKey(at: index) } else { nil }
    }
    return slots.compactMap { slot in
      let missing = counts.takeMissing(slot: slot, keys: keys)
      return missing.isEmpty ? nil : (slot, missing)
    }
  }

  /// Applies the counts of members of rows.
  mutating func apply(counts read: [RowKey: Int], slot: Slot) {
    counts.apply(read, slot: slot)
    guard let index = columns.firstIndex(where: { $0.slot == slot }) else { return }
    let widest = read.values.map { CountText.grouped($0).count }.max() ?? 0
    contentWidths[index] = max(contentWidths[index], widest)
    widestNumbers[index] = max(widestNumbers[index], widest)
  }

  /// Marks all counts to be read again.
  mutating func invalidateCounts() {
    counts.invalidate(slots: columns.filter(\.isToMany).compactMap(\.slot))
  }

  /// Marks the counts to be read again that may depend on changes of these entities.
  mutating func invalidateCounts(changed: some Collection<EntityIndex>) {
    let slots = columns.filter { column in
      guard column.isToMany, let destination = column.destination else { return false }
      return changed.contains(destination) || changed.contains(query.entity)
    }.compactMap(\.slot)
    counts.invalidate(slots: slots)
  }

  /// Marks all rows to be read again if computed columns depend on other objects.
  mutating func invalidateDerived() {
    let isFarther = columns.contains { column in
      column.operand?.keyPaths.contains { $0.count > 1 } ?? false
    }
    if isFarther { invalidateRows() }
  }
}
