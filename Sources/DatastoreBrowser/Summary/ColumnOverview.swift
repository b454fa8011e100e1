import DatastoreCore
import SwiftDatastore

/// The overview of one column, in a table of all columns.
struct ColumnOverview: Sendable {
  let statistics: ColumnStatistics
  /// Nil without rows.
  let mostFrequent: FrequencyTable.Entry?
  /// The number of rows in each interval of equal width; nil if no value is a number.
  let counts: [Int]?

  /// The columns of the overview table, which has a row for each column.
  static let columns: [DerivedRows.Column] = [
    .text("column"), .number("NULL"), .number("different"), DerivedRows.Column(name: "least"),
    DerivedRows.Column(name: "greatest"), DerivedRows.Column(name: "most frequent"),
    DerivedRows.Column(name: "share", declaredType: "REAL", numbers: .percent),
    DerivedRows.Column(name: "distribution", declaredType: "TEXT", picture: .sparkline),
  ]

  /// The row of the overview table.
  ///
  /// - Parameter name: the name of the most frequent object, if the column refers to objects.
  func row(of column: TableColumn, mostFrequent name: Value?) -> [Value] {
    let format = column.format ?? ValueFormat(type: .undefined)
    // The least key of objects means nothing.
    let ends =
      column.destination == nil
      ? [format.kept(statistics.minimum), format.kept(statistics.maximum)] : [.null, .null]
    let isTelling = mostFrequent.map { $0.count > 1 || statistics.rowCount == 1 } ?? false
    let most =
      isTelling
      ? [
        name ?? format.kept(mostFrequent?.value ?? .null),
        .real(Double(mostFrequent?.count ?? 0) / Double(max(1, statistics.rowCount))),
      ] : [.null, .null]
    return [
      .text(column.name), .integer(Int64(statistics.nullCount)),
      .integer(Int64(statistics.distinctCount)),
    ] + ends + most
      + [counts.map { .text($0.map(String.init).joined(separator: " ")) } ?? .null]
  }

  /// The value that a column of the overview shows; nil for a column that is about all values.
  func value(in column: String) -> Value? {
    switch column {
    case "NULL": .null
    case "least": statistics.minimum
    case "greatest": statistics.maximum
    case "most frequent", "share": mostFrequent?.value
    default: nil
    }
  }
}

extension BrowserState {
  /// Opens an overview of all columns of the table.
  mutating func openOverview() {
    guard let table else { return }
    let columns = table.arrangement.all.filter { !table.columns[$0].isToMany }
      .map { (index: $0, column: table.columns[$0]) }
    openDerivedRows("columns", entity: "columns") { runner, rows, progress in
      let work = SummedProgress(progress)
      var overviews: [ColumnOverview] = []
      var lines: [[Value]] = []
      for (_, column) in columns {
        let overview = try await runner.overview(of: column, in: rows, work)
        let names = try await runner.shown(
          overview.mostFrequent.map { [$0.value] } ?? [], of: column)
        overviews.append(overview)
        lines.append(
          overview.row(of: column, mostFrequent: column.destination == nil ? nil : names.first))
      }
      return DerivedRows(columns: ColumnOverview.columns, rows: lines) { [overviews] rows, place in
        let (index, column) = columns[rows[0]]
        let name = ColumnOverview.columns[place].name
        let value = overviews[rows[0]].value(in: name)
        return { state in
          state.focus = .table
          state.goToColumn(index)
          switch name {
          case "different": state.summarize(.frequencies)
          case "distribution": state.summarize(.histogram)
          default:
            if let value { state.narrow(to: [([value], column.groupPath)]) }
          }
        }
      }
    }
  }
}

extension EffectRunner {
  private static let bins = 16

  fileprivate func overview(
    of column: TableColumn, in rows: FetchRequest, _ work: SummedProgress
  ) async throws -> ColumnOverview {
    let path = column.groupPath
    let statistics = try await view.answer(
      StatisticsQuestion(of: path, in: rows), reporting: work.next())
    let frequencies = try await view.answer(
      FrequencyQuestion(of: path, in: rows, limit: 1), reporting: work.next())
    let isOfDays = countsDays(of: column)
    let histogram =
      statistics.numbers == nil && !isOfDays || column.destination != nil
      ? nil
      : try await view.answer(
        HistogramQuestion(of: isOfDays ? column.daysPath : path, in: rows, bins: Self.bins),
        reporting: work.next())
    return ColumnOverview(
      statistics: statistics, mostFrequent: frequencies.entries.first, counts: histogram?.counts)
  }
}
