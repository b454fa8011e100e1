import DatastoreCore
import TerminalUI

/// Asks for the parts of a pivot, one after the other: its rows, its columns, and the measure in its cells.
struct PivotPicker: PickListOverlay {
  enum Step: Hashable, Sendable { case rows, columns, measure }

  enum Choice: Hashable, Sendable {
    case axis([String])
    case measure(Measure)
  }

  static let scope = CommandScope(
    "pivot-parts", title: "In the lists of what a pivot is made of", traits: .picks)
  var list: PickList<Choice>
  private let step: Step
  private let rows: Pivot.Axis?
  private let columns: Pivot.Axis?

  init(
    _ step: Step, rows: Pivot.Axis? = nil, columns: Pivot.Axis? = nil,
    in state: BrowserState
  ) {
    self.step = step
    self.rows = rows
    self.columns = columns
    let all = state.table?.columns.map(\.measured) ?? []
    guard step != .measure else {
      list = PickList(Self.measures(all))
      return
    }
    list = PickList(
      TableColumn.groupings(by: all, in: state.schema) { Choice.axis($0) }
        .filter { $0.id != rows.map { .axis($0.path) } })
    if let column = state.table?.currentColumn?.measured { list.select(.axis(column.groupPath)) }
  }

  private static func measures(_ columns: [TableColumn]) -> [PickList<Choice>.Item] {
    let count = PickList.Item(Choice.measure(.init()), text: "number of rows")
    return [count]
      + columns.flatMap { column in
        column.aggregates.map { aggregate in
          let measure = Measure(aggregate: aggregate, column: column)
          return PickList.Item(.measure(measure), text: measure.title, role: .number)
        }
      }
  }

  func picked(_ choice: Choice, in state: inout BrowserState) {
    switch choice {
    case .axis(let path) where step == .rows:
      state.open(PivotPicker(.columns, rows: state.axis(path), in: state))
    case .axis(let path):
      state.open(PivotPicker(.measure, rows: rows, columns: state.axis(path), in: state))
    case .measure(let measure):
      guard let rows, let columns else { return }
      state.open(Pivot(rows: rows, columns: columns, measure: measure))
    }
  }

  var title: String {
    switch step {
    case .rows: "Pivot: a row for each"
    case .columns: "Pivot: a column for each"
    case .measure: "Pivot: in the cells"
    }
  }
  var note: String { rows.map { "rows: \($0.title)" } ?? "" }
}
