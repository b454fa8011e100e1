import DatastoreCore
import TerminalUI

/// What puts the rows of a column of dates into sections.
struct DateGroupPicker: PickListOverlay {
  var scope: CommandScope { .dateGroups }
  /// Paths of group keys.
  var list: PickList<[String]>
  private let column: String

  init(_ column: TableColumn) {
    self.column = column.name
    let parts: [(DatePart, String)] = [
      (.year, "2024"), (.quarter, "2024-Q2"), (.month, "2024-05"), (.week, "2024-W18"),
      (.day, "2024-05-01"), (.weekday, "Wednesday"), (.hour, "14"),
    ]
    var items = parts.map { part, example in
      PickList.Item(
        column.groupPath + [part.step], text: "by \(part.rawValue)", note: "as in \(example)")
    }
    items.append(PickList.Item(column.groupPath, text: "by value", note: "as it is stored"))
    list = PickList(items)
    list.select(column.groupPath + [DatePart.month.step])
  }

  func area(in size: Size) -> Rectangle {
    size.box(columns: 50, rows: list.count + 3)
  }

  func pick(in state: inout BrowserState) -> [Effect] {
    guard let path = list.current?.id else { return [] }
    state.closeOverlay()
    return state.group(by: path)
  }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let area = area(in: state.size)
    buffer.fill(area)
    Box(title: "Group \(column)", note: "UTC", isFocused: true).draw(into: &buffer, in: area)
    return list.draw(into: &buffer, in: body(in: state.size))
  }
}

extension CommandScope {
  static let dateGroups = CommandScope(
    "date-groups", title: "In the list of date groups")
}
