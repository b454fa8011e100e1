import DatastoreCore
import TerminalUI

extension TableColumn {
  /// The date parts to group by, the longest first.
  private static let parts: [DatePart] = [.year, .quarter, .month, .week, .day, .weekday, .hour]

  /// The ways to group rows by columns, as items of a pick list; identifiers come last.
  ///
  /// - Parameter id: makes the identifier of an item from the path of its group key.
  static func groupings<ID>(
    by columns: [TableColumn], in schema: Schema, _ id: ([String]) -> ID
  ) -> [PickList<ID>.Item] {
    (columns.filter { !$0.isIdentifier } + columns.filter(\.isIdentifier)).flatMap { column in
      column.hasDateParts
        ? parts.map { part in
          PickList.Item(
            id(column.groupPath + [part.step]), text: "\(column.name) by \(part.rawValue)",
            role: .date)
        }
        : [
          PickList.Item(
            id(column.groupPath), text: column.name,
            note: column.destination.map { schema.entities[$0].name } ?? "",
            role: column.destination == nil ? .text : .relationship)
        ]
    }
  }
}
