import Basics
import DatastoreCore
import SwiftDatastore
import TerminalUI

/// A pivot of the table's rows by two groupings: a derived table with a row for each group of the one, a
/// column for each group of the other, and a measure for each pair.
struct Pivot: Hashable, Sendable {
  /// One of the groupings.
  struct Axis: Hashable, Sendable {
    let path: [String]
    let format: GroupFormat?

    var title: String { GroupTitle(path).description }
  }

  var rows: Axis
  var columns: Axis
  var measure: Measure
  /// The format of numbers computed from the measure's column.
  var numbers = NumberFormat.grouped

  var title: String { "\(measure.title) by \(rows.title) and \(columns.title)" }

  /// The most columns of a pivot; a wider table is unreadable.
  fileprivate static let mostColumns = 1_000
  fileprivate static let mostRows = 100_000
}

extension BrowserState {
  /// Starts a pivot with the groups of the table as its rows; asks for the rows if the table is not grouped.
  mutating func beginPivot() {
    guard let table else { return }
    let rows = table.query.groupBy.map { axis($0) }
    open(PivotPicker(rows == nil ? .rows : .columns, rows: rows, in: self))
  }

  /// The grouping by a path.
  func axis(_ path: [String]) -> Pivot.Axis {
    Pivot.Axis(path: path, format: table.flatMap { groupFormat(of: path, $0.query.entity) })
  }

  mutating func open(_ pivot: Pivot) {
    var pivot = pivot
    if let table, let column = pivot.measure.column {
      pivot.numbers = table.computedNumbers(of: column)
    }
    openDerivedRows(pivot.title, entity: "pivot") { runner, rows, progress in
      try await runner.rows(of: pivot, rows, SummedProgress(progress))
    }
  }
}

extension EffectRunner {
  /// The cells, and the totals of the rows. The store computes each total, since a mean is not the sum of
  /// others.
  fileprivate func rows(
    of pivot: Pivot, _ rows: FetchRequest, _ work: SummedProgress
  ) async throws -> DerivedRows {
    func ask(_ axes: [Pivot.Axis]) async throws -> [[Value]] {
      try await view.answer(
        AggregatesQuestion([pivot.measure.term], of: rows, groupBy: axes.map(\.path)),
        reporting: work.next())
    }
    let columns = try await groups(
      try await ask([pivot.columns]), pivot.columns, most: Pivot.mostColumns, "columns")
    let lines = try await groups(
      try await ask([pivot.rows]), pivot.rows, most: Pivot.mostRows, "rows")
    var cells: [[Value]: Value] = [:]
    for cell in try await ask([pivot.rows, pivot.columns]) {
      cells[Array(cell.prefix(2))] = cell[2]
    }
    let (rowPath, columnPath) = (pivot.rows.path, pivot.columns.path)
    return DerivedRows(
      columns: [DerivedRows.Column(name: pivot.rows.title)]
        + columns.map { pivot.column(named: $0.title) } + [
          pivot.column(named: "all")
        ],
      rows: lines.map { line in
        [line.name]
          + columns.map { pivot.measure.kept(cells[[line.value, $0.value]] ?? .null) }
          + [pivot.measure.kept(line.total)]
      }
    ) { rows, column in
      var wanted = [(values: rows.map { lines[$0].value }, path: rowPath)]
      // The last column is the total of all groups.
      if columns.indices.contains(column - 1) {
        wanted.append(([columns[column - 1].value], columnPath))
      }
      return { [wanted] in $0.narrow(to: wanted) }
    }
  }

  /// A group, its name, its title as a column, and the measure of all its rows.
  private struct Group {
    let value: Value
    let name: Value
    let title: String
    let total: Value
  }

  private func groups(
    _ totals: [[Value]], _ axis: Pivot.Axis, most: Int, _ noun: String
  ) async throws -> [Group] {
    guard totals.count <= most else {
      throw EffectFailure(
        message:
          "\(axis.title) makes \(CountText.counted(totals.count, "group")); a pivot has at most "
          + "\(CountText.grouped(most)) \(noun). Choose something with fewer values.")
    }
    let names = try await shown(totals.map { $0[0] }, at: axis.path, axis.format)
    var isObject = false
    if case .object = axis.format { isObject = true }
    return zip(totals, names).map { line, name in
      let cell = ValueFormat(type: .undefined).cell(name)
      let title =
        switch cell.kind {
        case .null: "no \(axis.title)"
        case .emptyText: Marks(.ascii).emptyText
        default: cell.text
        }
      return Group(value: line[0], name: name, title: title, total: line[1])
    }.sorted { left, right in
      // The order of objects is by name rather than by key.
      let keys = [left, right].map { isObject && !$0.value.isNull ? $0.name : $0.value }
      return Value.compare(keys[0], keys[1]) == .ascending
    }
  }
}

extension Pivot {
  /// A column of the measure, with its total in the footer if it can be computed from the cells.
  fileprivate func column(named name: String) -> DerivedRows.Column {
    var column = DerivedRows.Column.number(name, as: numbers)
    column.total =
      switch measure.aggregate {
      case nil, .sum: .sum
      case .minimum: .minimum
      case .maximum: .maximum
      // The mean of means is not the mean of all.
      case .average: nil
      }
    if measure.aggregate == nil { column.declaredType = "INTEGER" }
    if measure.isDate {
      (column.declaredType, column.total, column.numbers) = ("TEXT", nil, nil)
    }
    return column
  }
}
