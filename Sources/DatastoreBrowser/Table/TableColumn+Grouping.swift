import DatastoreCore
import TerminalUI

extension TableColumn {
  /// The parts of dates that rows are put together by, the longest first.
  private static let parts: [DatePart] = [.year, .quarter, .month, .week, .day, .weekday, .hour]

  /// The ways in which rows are put together by columns, to be picked from; those that only identify rows
  /// come last.
  ///
  /// - Parameter id: the identifier of the path of a group key.
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
