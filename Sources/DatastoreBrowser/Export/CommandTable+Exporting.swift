import TerminalUI

extension CommandTable {
  /// The commands that export rows to files and copy values to the clipboard.
  static let exportCommands: [Command] = [
    Command(
      "export", titled: "Export rows",
      synonyms: ["csv", "tsv", "json", "markdown", "excel", "write", "save"], keys: ["E"],
      label: "export",
      help:
        "Write the selected rows, or all rows of this table, to a file: CSV, TSV, JSON, Markdown "
        + "or SQL. “:export FILE” takes the format from the name.",
      in: CommandScope.panels, hintRank: 48, unless: .nothingToExport,
      taking: Command.Argument("FILE", isPath: true) { $0.exportTable(to: $1) }
    ) { $0.exportTable() },
    Command(
      "copy-cell", titled: "Copy value", synonyms: ["yank", "clipboard"], keys: ["y"],
      label: "copy",
      help: "Copy this value to the clipboard of the terminal.",
      in: [.table, .detail], wherever: [.copiesValue],
      hintRank: 49, unless: .nothingToCopy
    ) { $0.copyCell() },
    Command(
      "copy-rows", synonyms: ["yank", "clipboard", "tsv"], keys: ["Y"], label: "copy rows",
      help: "Copy this row, or the selected rows, as fields separated by tabs, for spreadsheets.",
      in: [.table, .detail], unless: .noRowsToCopy
    ) { $0.copyRows(withHeader: false) },
    Command(
      "copy-rows-with-header", titled: "Copy with header",
      synonyms: ["yank", "clipboard", "rows", "tsv"], keys: ["ctrl-y"], label: "copy with header",
      help: "Copy this row, or the selected rows, with a header of column names.",
      in: [.table, .detail], unless: .noRowsToCopy
    ) { $0.copyRows(withHeader: true) },
    Command(
      "copy-command", titled: "Copy as command", synonyms: ["yank", "shell", "query"], keys: ["gy"],
      label: "copy command",
      help: "Copy the “datastore query” that writes what this table shows, for a shell.",
      in: CommandScope.panels, unless: .noQueryCommand
    ) { $0.copyQueryCommand() },
    Command(
      "copy-sql", titled: "Copy as SQL", synonyms: ["yank", "select", "statement"], keys: [],
      label: "copy SQL",
      help: "Copy the SQL that finds what this table shows.",
      in: CommandScope.panels, unless: .noSQL
    ) { $0.copySQL() },
    Command(
      "stored-dates", keys: ["ctrl-t"], label: "dates",
      help: "Write dates as the numbers that are stored, or as dates.", in: [.export],
      hintRank: 5, unless: .noDatesToExport
    ) { state in
      state.changeOverlay(as: ExportScreen.self) { $0.toggleStoredDates() }
    },
  ]
}
