import DatastoreCore
import DatastoreExport
import TerminalUI

/// Summaries on the way to a file: values as they are stored, not as they are shown.
extension SummaryState {
  /// What the file is called at first.
  var exportName: String {
    let kind =
      switch request.kind {
      case .frequencies: "frequencies"
      case .statistics: "statistics"
      case .histogram: "histogram"
      case .chart: "chart"
      }
    return "\(request.column.name)-\(kind)"
  }

  /// Whether there is anything to be written. O(1), unlike the lines themselves.
  var hasLines: Bool {
    switch content {
    case .success(.frequencies), .success(.statistics), .success(.chart): true
    case .success(.histogram(let histogram)): histogram != nil
    case .failure, nil: false
    }
  }

  /// The lines of the summary, in their order on the screen; nil while there are none.
  ///
  /// Where objects are counted their names are beside their keys.
  func exportedRows(in state: BrowserState) -> ValueRows? {
    guard case .success(let content)? = content else { return nil }
    let column = exportedColumn
    let isDate = request.column.format?.isDate ?? false
    let isOfObjects = Self.destination(of: request, in: state.schema) != nil
    switch content {
    case .frequencies(let table):
      let lines = frequencies.map { entry in
        [entry.value, .integer(Int64(entry.count)), Self.share(entry.count, table.rowCount)]
      }
      return rows(
        [
          isOfObjects ? ExportColumn(name: column.name, type: .integer64) : column,
          ExportColumn(name: "rows", type: .integer64), ExportColumn(name: "share", type: .double),
        ], lines, in: state)
    case .histogram(nil): return nil
    case .histogram(let histogram?):
      let total = histogram.counts.reduce(0, +)
      func bound(_ name: String) -> ExportColumn {
        isDate ? column.named(name) : ExportColumn(name: name, type: .double)
      }
      let lines = histogram.counts.indices.map { index -> [Value] in
        let bounds = histogram.bounds(of: index)
        return [
          .real(bounds.lower), .real(bounds.upper), .integer(Int64(histogram.counts[index])),
          Self.share(histogram.counts[index], total),
        ]
      }
      return ValueRows(
        name: exportName,
        columns: [
          bound("from"), bound("to"),
          ExportColumn(name: "rows", type: .integer64), ExportColumn(name: "share", type: .double),
        ], rows: lines)
    case .chart:
      let isByGroup = request.groupPath != nil
      let group = (request.groupPath ?? request.column.groupPath).joined(separator: ".")
      func bound(_ name: String) -> ExportColumn {
        isDate ? column.named(name) : ExportColumn(name: name, type: .undefined)
      }
      let lines = chart.map { entry -> [Value] in
        // Nobody adds up dates.
        [entry.group, .integer(Int64(entry.count))]
          + ([entry.mean, entry.minimum, entry.maximum] + (isDate ? [] : [entry.sum])).map {
            $0.map { Value.real($0) } ?? .null
          }
      }
      return rows(
        [
          isOfObjects
            ? ExportColumn(name: group, type: .integer64)
            : isByGroup ? ExportColumn(name: group, type: .undefined) : column.named(group),
          ExportColumn(name: "rows", type: .integer64), bound("mean"), bound("least"),
          bound("greatest"),
        ] + (isDate ? [] : [ExportColumn(name: "sum", type: .undefined)]), lines, in: state)
    case .statistics(let statistics):
      return ValueRows(
        name: exportName,
        columns: [
          ExportColumn(name: "statistic", type: .string),
          ExportColumn(name: "value", type: .undefined),
        ], rows: lines(statistics))
    }
  }

  /// The column as one that is exported.
  var exportedColumn: ExportColumn {
    let format = request.column.format
    return ExportColumn(
      name: request.column.name, type: format?.type ?? .undefined, dates: format?.dates)
  }

  private static func share(_ count: Int, _ total: Int) -> Value {
    .real(Double(count) / Double(max(1, total)))
  }

  /// Lines with the names of their objects behind the keys.
  private func rows(
    _ columns: [ExportColumn], _ lines: [[Value]], in state: BrowserState
  ) -> ValueRows {
    guard let destination = Self.destination(of: request, in: state.schema) else {
      return ValueRows(name: exportName, columns: columns, rows: lines)
    }
    let named = lines.map { line -> [Value] in
      var name = Value.null
      if let key = line[0].key, case .name(let text)? = state.names[destination, key] {
        name = .text(text)
      }
      return [line[0], name] + line[1...]
    }
    let name = ExportColumn(name: "\(columns[0].name) name", type: .string)
    return ValueRows(
      name: exportName, columns: [columns[0], name] + columns[1...], rows: named)
  }

  func lines(_ statistics: ColumnStatistics) -> [[Value]] {
    var lines: [(String, Value)] = [
      ("rows", .integer(Int64(statistics.rowCount))),
      ("NULL", .integer(Int64(statistics.nullCount))),
      ("different values", .integer(Int64(statistics.distinctCount))),
      ("least", statistics.minimum), ("greatest", statistics.maximum),
    ]
    if let numbers = statistics.numbers, !request.column.isIdentifier {
      lines += [
        ("numbers", .integer(Int64(numbers.count))), ("mean", .real(numbers.mean)),
        ("median", .real(numbers.median)),
        ("standard deviation", numbers.standardDeviation.map { .real($0) } ?? .null),
        ("sum", .real(numbers.sum)),
      ]
    }
    if let lengths = statistics.textLengths {
      lines += [
        ("shortest text", .integer(Int64(lengths.lowerBound))),
        ("longest text", .integer(Int64(lengths.upperBound))),
        ("empty texts", .integer(Int64(statistics.emptyTextCount))),
      ]
    }
    return lines.map { [.text($0.0), $0.1] }
  }
}

extension BrowserState {
  /// Asks how and where to the summary is written, as soon as the names of all its objects are known.
  mutating func exportSummary() {
    guard let summary = overlay(as: SummaryState.self) else { return }
    let missing = summary.unnamedKeys(in: self)
    guard let destination = SummaryState.destination(of: summary.request, in: schema),
      !missing.isEmpty
    else {
      openSummaryExport()
      return
    }
    changeOverlay(as: SummaryState.self) { $0.isExportAwaited = true }
    message = Message(text: "Reading the names of the objects…", severity: .note)
    request(.loadNames(entity: destination, keys: missing))
  }

  /// Continues with an export of a summary that has waited for names; those that have not come by now
  /// are left out.
  mutating func continueSummaryExport() {
    guard let summary = overlay(as: SummaryState.self), summary.isExportAwaited else { return }
    message = nil
    openSummaryExport()
  }

  private mutating func openSummaryExport() {
    guard let summary = overlay(as: SummaryState.self), let rows = summary.exportedRows(in: self)
    else { return }
    changeOverlay(as: SummaryState.self) { $0.isExportAwaited = false }
    openExport(.values(rows), name: rows.name)
  }
}

extension DisabledReason {
  static let noSummary = DisabledReason { state in
    guard let summary = state.overlay(as: SummaryState.self) else {
      return "There is no summary here."
    }
    guard summary.content != nil, !summary.isPartial else {
      return "The summary is still being computed."
    }
    return summary.hasLines ? nil : "There is nothing to write."
  }
}
