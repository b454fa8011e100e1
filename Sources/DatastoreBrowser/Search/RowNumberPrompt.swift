import Basics
import DatastoreCore
import TerminalUI

/// The line that asks for the number of a row to go to.
struct RowNumberPrompt: LineOverlay {
  static let scope = CommandScope(
    "row-number", title: "In the line for a row number", traits: .line, labels: ["accept": "go"])
  var field = TextField()
  var fault: String?

  /// The place of the row that a text stands for, in a list of this length, from 0; nil if it stands for
  /// none.
  ///
  /// `120` and `1 200` are counted from 1, `-1` is the last row, `50%` the one in the middle.
  static func row(_ text: String, count: Int) -> Int? {
    let text = text.filter { !$0.isWhitespace && $0 != "," && $0 != "." }
    guard count > 0 else { return nil }
    if text.hasSuffix("%"), let percent = Int(text.dropLast()), (0...100).contains(percent) {
      return Int(Double(count - 1) * Double(percent) / 100)
    }
    guard let number = Int(text), number != 0 else { return nil }
    let row = number > 0 ? number - 1 : count + number
    return (0..<count).contains(row) ? row : nil
  }

  func question(in state: BrowserState) -> String { "Go to row number: " }

  func placeholder(in state: BrowserState) -> String {
    let count = CountText.grouped(state.table?.list.keys.count ?? 0)
    return "1 to \(count), -1 for the last, or 50%"
  }

  func accept(_ state: inout BrowserState) { state.acceptRowNumber() }
}

extension BrowserState {
  /// Goes to the typed row; if there is none, the line stays open with a fault.
  fileprivate mutating func acceptRowNumber() {
    guard let prompt = overlay(as: RowNumberPrompt.self), let table else { return }
    let count = table.list.keys.count
    guard let row = RowNumberPrompt.row(prompt.field.text, count: count) else {
      changeOverlay(as: RowNumberPrompt.self) { prompt in
        prompt.fault =
          "There is no such row. The rows are numbered 1 to \(CountText.grouped(count))."
      }
      return
    }
    closeOverlay()
    focus = .table
    changeTable { $0.moveCursor(toRow: row, height: $1) }
  }
}
