import DatastoreCore
import TerminalUI

/// A list of the ways in which the rows of a column are put into sections; its lines are paths of group keys.
protocol GroupKeyPicker: PickListOverlay where ID == [String] {
  /// The column whose rows are grouped.
  var column: String { get }
  /// What is said beside the title.
  var note: String { get }
}

extension GroupKeyPicker {
  func area(in size: Size) -> Rectangle { size.box(columns: 50, rows: list.count + 3) }

  func pick(in state: inout BrowserState) {
    guard let path = list.current?.id else { return }
    state.closeOverlay()
    state.group(by: path)
  }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let area = area(in: state.size)
    buffer.fill(area)
    Box(title: "Group \(column)", note: note, isFocused: true).draw(into: &buffer, in: area)
    return list.draw(into: &buffer, in: body(in: state.size))
  }
}
