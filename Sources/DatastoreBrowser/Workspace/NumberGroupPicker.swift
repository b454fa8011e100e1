import DatastoreCore
import TerminalUI

/// The steps that the rows of a number column can be grouped in.
struct NumberGroupPicker: GroupKeyPicker {
  static let scope = CommandScope(
    "number-groups", title: "In the list of steps of numbers", traits: .picks)
  var list: PickList<[String]>
  let column: String
  var note: String { "sections" }

  /// - Parameter greatest: the greatest of its numbers.
  init(_ column: TableColumn, greatest: Double) {
    self.column = column.name
    let steps = NumberSteps.steps(for: greatest)
    let paths = steps.map { NumberSteps.operand(of: column.value, step: $0).path }
    list = PickList(
      zip(paths, steps).map { path, step in
        PickList.Item(
          path, text: "in steps of \(ValueFormat.rounded(step))",
          note: "about \(max(1, Int((greatest / step).rounded(.up))))")
      } + [PickList.Item(column.groupPath, text: "by value", note: "as it is stored")])
    // About ten sections.
    list.select(paths[3])
  }
}

extension BrowserState {
  /// Asks for the steps to group the numbers of the current column in, or the parts of its dates. The rows
  /// read so far show how large the numbers are.
  mutating func groupInSteps() {
    guard let table, let column = table.currentColumn else { return }
    guard !column.hasDateParts else {
      open(DateGroupPicker(column))
      return
    }
    let numbers = table.rows.values.compactMap { Double($0.cells[table.column].text) }
    open(NumberGroupPicker(column, greatest: numbers.map(\.magnitude).max() ?? 0))
  }
}

extension DisabledReason {
  /// The table has no column of numbers or dates.
  static let noSteps = DisabledReason { state in
    guard let column = state.table?.currentColumn else { return "This table has no columns." }
    return column.hasDateParts || column.holdsNumbers
      ? nil : "\(column.name) holds no numbers or dates. Go to a column that does."
  }
}
