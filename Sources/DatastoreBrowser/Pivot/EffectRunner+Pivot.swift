import Basics
import DatastoreCore
import SwiftDatastore
import TerminalUI

extension Lane {
  static let pivot = Lane("pivot", .latest)
}

extension Effect {
  /// Computes a pivot; one that still runs is interrupted.
  static func computePivot(_ request: PivotRequest) -> Effect {
    .work { runner in
      runner.answer(in: .pivot) {
        try await $0.pivot(request)
      } as: {
        PivotComputed(number: request.number, result: $0)
      }
    }
  }

  static var stopPivoting: Effect { .work { $0.cancel(.pivot) } }
}

struct PivotComputed: BrowserEvent {
  let number: Int
  let result: Result<PivotTable, EffectFailure>

  func apply(to state: inout BrowserState) {
    state.changeOverlay(as: PivotScreen.self) { $0.apply(result, of: number) }
  }
}

extension EffectRunner {
  /// A wider table is read by nobody.
  private static let mostColumns = 1_000
  /// Nor one of more rows.
  private static let mostRows = 100_000

  /// The cells, the totals of rows and columns, and that of all: each computed by the store, since a mean is
  /// not the sum of others.
  fileprivate func pivot(_ request: PivotRequest) async throws -> PivotTable {
    var rows = request.query.request(in: schema)
    rows.sortDescriptors = []
    func ask(_ axes: [PivotRequest.Axis]) async throws -> [[Value]] {
      try await view.answer(
        AggregatesQuestion([request.measure.term], of: rows, groupBy: axes.map(\.path)))
    }
    let columnTotals = try await ask([request.columns])
    try require(columnTotals.count, Self.mostColumns, request.columns, "columns")
    let rowTotals = try await ask([request.rows])
    try require(rowTotals.count, Self.mostRows, request.rows, "rows")
    let total = try await ask([])
    var values: [[Value]: Value] = [:]
    for cell in try await ask([request.rows, request.columns]) {
      values[Array(cell.prefix(2))] = cell[2]
    }
    return PivotTable(
      rows: try await groups(rowTotals, request.rows),
      columns: try await groups(columnTotals, request.columns),
      total: total.first?.first ?? .null, values: values)
  }

  private func require(
    _ count: Int, _ most: Int, _ axis: PivotRequest.Axis, _ noun: String
  ) throws {
    guard count > most else { return }
    throw EffectFailure(
      message:
        "\(axis.title) makes \(CountText.counted(count, "group")); a pivot has at most "
        + "\(CountText.grouped(most)) \(noun). Choose something with fewer values.")
  }

  private func groups(
    _ totals: [[Value]], _ axis: PivotRequest.Axis
  ) async throws -> [PivotTable.Group] {
    var names: [RowKey: String] = [:]
    var isObject = false
    if case .object(let entity) = axis.format {
      isObject = true
      names = try await self.names(entity: entity, keys: totals.compactMap { $0[0].key })
    }
    let naming = SectionNaming(path: axis.path, format: axis.format, marks: Marks(.ascii))
    return totals.map { line in
      let name =
        line[0].isNull
        ? "no \(axis.title)" : naming.name(of: line[0]) { _, key in names[key].map { .name($0) } }
      return PivotTable.Group(value: line[0], name: name, isObject: isObject, total: line[1])
    }.sorted(by: PivotTable.Group.areInOrder)
  }
}
