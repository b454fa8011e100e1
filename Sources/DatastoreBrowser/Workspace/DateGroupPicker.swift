import DatastoreCore
import TerminalUI

/// The date parts that the rows of a date column can be grouped by.
struct DateGroupPicker: GroupKeyPicker {
  static let scope = CommandScope(
    "date-groups", title: "In the list of date groups", traits: .picks)
  var list: PickList<[String]>
  let column: String
  var note: String { "UTC" }

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
}
