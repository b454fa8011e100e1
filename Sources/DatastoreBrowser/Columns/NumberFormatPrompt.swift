import Foundation
import TerminalUI

/// The line that asks for a column's number format. Its prompt shows the number under the cursor in that
/// format.
struct NumberFormatPrompt: LineOverlay {
  static let scope = CommandScope(
    "number-format", title: "In the line for the format of numbers", traits: .line,
    labels: ["accept": "set"])
  var field: TextField
  var fault: String?
  private let column: Int
  private let name: String
  private let example: String

  /// - Parameter example: a number of the column, as the store has it.
  init(_ column: Int, of table: TableState, example: String) {
    self.column = column
    self.example = example
    name = table.columns[column].name
    let present = table.settings.numbers[name] ?? .grouped
    field = TextField(text: present.pattern, isAllSelected: true)
  }

  func question(in state: BrowserState) -> String {
    let shown = NumberFormat(field.text)?.text(of: example) ?? example
    return example.isEmpty ? "\(name) is written as: " : "\(name), here \(shown), is written as: "
  }

  func placeholder(in state: BrowserState) -> String {
    ", or 0.00, #,##0.00 €, 0 %, 0.00e0, bytes, duration; nothing: as stored"
  }

  func accept(_ state: inout BrowserState) {
    let text = field.text.trimmingCharacters(in: .whitespaces)
    guard text.isEmpty || NumberFormat(text) != nil else {
      state.changeOverlay(as: Self.self) {
        $0.fault = "Write it as 0.00, #,##0 or #,##0.00 €, 0 %, 0.00e0, bytes or duration."
      }
      return
    }
    state.closeOverlay()
    state.arrange { settings, _ in settings.numbers[name] = NumberFormat(text) }
    state.table?.forgetWidths(of: column)
  }
}

extension BrowserState {
  /// Asks for the format of a column's numbers.
  mutating func openNumberFormat(_ column: Int) {
    guard let table else { return }
    let cell = table.currentKey.flatMap { table.rows[$0]?.cells[column] }
    open(
      NumberFormatPrompt(column, of: table, example: cell?.role == .number ? cell?.text ?? "" : ""))
  }
}
