import DatastoreCore
import TerminalUI

extension CommandTable {
  /// The commands for JSON objects and arrays in a column.
  static let jsonCommands: [Command] = [
    Command(
      "expand-object", titled: "Expand object", synonyms: ["json", "nested", "flatten", "members"],
      keys: ["g."], label: "expand",
      help:
        "Show the members of the JSON objects in this column as columns, such as payload.user; again to remove "
        + "them. In filters and computed columns they are written the same way: payload.user.tags[0].",
      in: [.table], unless: .noJSON
    ) { $0.expandObject() },
    Command(
      "open-array", titled: "Open array", synonyms: ["json", "nested", "elements", "unnest"],
      keys: ["g["], label: "elements",
      help:
        "Show a table of the elements of the JSON array in this cell, or in those of the selected rows; enter goes "
        + "to the row that has the element.",
      in: [.table], unless: .noJSON
    ) { $0.openArray() },
  ]
}

extension DisabledReason {
  static let noJSON = DisabledReason { state in
    guard let column = state.table?.currentColumn, let entity = state.entity else {
      return "There is no column here."
    }
    return OperandType(column.value, from: entity, in: state.schema).mayBeJSON
      ? nil : "\(column.name) holds no text that could be JSON."
  }
}
