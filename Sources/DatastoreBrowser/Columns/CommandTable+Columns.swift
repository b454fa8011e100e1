import DatastoreCore
import TerminalUI

extension CommandTable {
  static let columnCommands: [Command] = [
    movement(
      "left", titled: "Column left", ["left", "h"], "Go one column to the left, or scroll there.",
      hintRank: 61, hintKeys: "←→", .left),
    movement(
      "right", titled: "Column right", ["right", "l"],
      "Go one column to the right, or scroll there.", .right),
    movement("first-column", ["0", "^"], "Go to the first column.", .first),
    movement("last-column", ["$"], "Go to the last column.", .last),
    arranging(
      "hide-column", synonyms: ["remove"], ["-"], "Hide this column; + shows it again.",
      label: "hide"
    ) {
      $0.hideColumn($1)
    },
    arranging("move-column-left", ["shift-left"], "Move this column to the left.") {
      $0.moveColumn($1, by: -1)
    },
    arranging("move-column-right", ["shift-right"], "Move this column to the right.") {
      $0.moveColumn($1, by: 1)
    },
    arranging(
      "narrower", titled: "Narrower column", synonyms: ["width", "shrink"], ["{"],
      "Make this column narrower."
    ) {
      $0.resizeColumn($1, by: -2)
    },
    arranging(
      "wider", titled: "Wider column", synonyms: ["width", "grow", "expand"], ["}"],
      "Make this column wider."
    ) {
      $0.resizeColumn($1, by: 2)
    },
    arranging(
      "fit-column", synonyms: ["width", "autosize"], ["_"],
      "Make this column as wide as the values on the screen need; again to let the table decide."
    ) { $0.fitColumn($1) },
    arranging(
      "freeze", titled: "Freeze columns", synonyms: ["pin", "lock"], ["!"],
      "Keep the columns up to this one in view while the others scroll; press again to release them."
    ) { $0.freezeColumn($1) },
    arranging(
      "number-format", titled: "Format numbers",
      synonyms: [
        "thousands", "separator", "decimals", "round", "percent", "currency", "money", "bytes",
        "duration", "scientific",
      ], [","],
      "Write this column's numbers in another form: “,” in groups of three digits, “0.00” with two decimals, "
        + "“#,##0.00 €”, “0 %”, “0.00e0”, “bytes”, “duration” of seconds; nothing as they are stored.",
      unless: .noNumbers
    ) { $0.openNumberFormat($1) },
    Command(
      "columns", titled: "Choose columns", synonyms: ["show", "hide", "order", "width", "arrange"],
      keys: ["+", "C"], label: "columns",
      help:
        "Show a table of all columns, hidden ones too; enter shows or hides the selected ones. shift-left and "
        + "shift-right put a column elsewhere.",
      in: [.table], hintRank: 85, unless: .noColumn
    ) { $0.openColumns() },
    Command(
      "show-all-columns", synonyms: ["unhide"], keys: [], label: "all columns",
      help: "Show all columns of this table.", in: [.table], unless: .noColumn
    ) { state in
      state.arrange { settings, table in
        for column in table.columns { settings.shown[column.name] = true }
      }
    },
    Command(
      "reset-columns", keys: [], label: "reset columns",
      help: "Reset all column settings of this table.", in: [.table], unless: .noColumn
    ) { state in
      state.arrange { settings, _ in settings = ColumnSettings() }
    },
  ]

  private static func movement(
    _ name: String, titled title: String? = nil, synonyms: [String] = [], _ keys: [KeySequence],
    _ help: String, hintRank: Int? = nil, hintKeys: String? = nil,
    _ movement: ColumnMovement
  ) -> Command {
    Command(
      name, titled: title, synonyms: synonyms, keys: keys, label: "column", help: help,
      in: [.table], wherever: [.hasColumns], hintRank: hintRank,
      hintKeys: hintKeys, unless: .noColumnToGoTo
    ) { state in
      if let overlay = state.overlays.last { return overlay.moveColumn(movement, &state) }
      switch movement {
      case .first: state.moveColumn(toPlace: 0)
      case .last: state.moveColumn(toPlace: .max)
      case .left, .right: state.moveColumn(by: movement.columns)
      }
    }
  }

  private static func arranging(
    _ name: String, titled title: String? = nil, synonyms: [String] = [], _ keys: [KeySequence],
    _ help: String, label: String? = nil,
    unless disabledReason: DisabledReason = .noColumn,
    _ arrange: @escaping @Sendable (inout BrowserState, Int) -> Void
  ) -> Command {
    Command(
      name, titled: title, synonyms: synonyms, keys: keys, label: label ?? name, help: help,
      in: [.table], unless: disabledReason
    ) { state in
      if let column = state.table?.column { arrange(&state, column) }
    }
  }
}

extension DisabledReason {
  static let noColumnToGoTo = DisabledReason {
    $0.overlays.isEmpty ? noColumn.reason($0) : nil
  }

  static let noNumbers = DisabledReason {
    guard let column = $0.table?.currentColumn else { return "This table has no columns." }
    return column.format?.isTrailing == true ? nil : "This column holds no numbers."
  }
}
