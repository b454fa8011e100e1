import DatastoreExport
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
      hintRank: 48, unless: .nothingToExport,
      taking: Command.Argument("FILE", isPath: true) { $0.exportTable(to: $1) }
    ) { $0.exportTable() },
    Command(
      "copy-cell", titled: "Copy value", synonyms: ["yank", "clipboard"], keys: ["yy"],
      label: "copy",
      help: "Copy this value to the clipboard of the terminal.",
      in: [.table, .detail], hintRank: 49, hintKeys: "y", unless: .nothingToCopy
    ) { $0.copyCell() },
    Command(
      "copy-whole-value", keys: ["y"], label: "copy",
      help: "Copy the shown value to the clipboard of the terminal.",
      in: [], wherever: [.copiesValue], hintRank: 49, unless: .nothingToCopy
    ) { $0.copyCell() },
    Command(
      "copy-rows", synonyms: ["yank", "clipboard", "tsv"], keys: ["Y", "yr"], label: "copy rows",
      help: "Copy this row, or the selected rows, as fields separated by tabs, for spreadsheets.",
      in: [.table, .detail], unless: .noRowsToCopy
    ) { $0.copyRows(as: .tsv, withHeader: false) },
    Command(
      "copy-rows-with-header", titled: "Copy with header",
      synonyms: ["yank", "clipboard", "rows", "tsv"], keys: ["ctrl-y", "yh"],
      label: "copy with header",
      help: "Copy this row, or the selected rows, with a header of column names.",
      in: [.table, .detail], unless: .noRowsToCopy
    ) { $0.copyRows(as: .tsv) },
    Command(
      "copy-markdown", titled: "Copy as Markdown", synonyms: ["yank", "clipboard", "rows"],
      keys: ["ym"], label: "copy Markdown",
      help: "Copy this row, or the selected rows, as a table in Markdown.",
      in: [.table, .detail], unless: .noRowsToCopy
    ) { $0.copyRows(as: .markdown) },
    Command(
      "copy-json", titled: "Copy as JSON", synonyms: ["yank", "clipboard", "rows"],
      keys: ["yj"], label: "copy JSON",
      help: "Copy this row, or the selected rows, as an array of JSON objects.",
      in: [.table, .detail], unless: .noRowsToCopy
    ) { $0.copyRows(as: .json) },
    Command(
      "copy-command", titled: "Copy as command", synonyms: ["yank", "shell", "query"],
      keys: ["gy", "yc"], label: "copy command",
      help: "Copy the “datastore query” that writes what this table shows, for a shell.",
      unless: .noQueryCommand
    ) { $0.copyQueryCommand() },
    Command(
      "copy-sql", titled: "Copy as SQL", synonyms: ["yank", "select", "statement"], keys: ["ys"],
      label: "copy SQL",
      help: "Copy the SQL that finds what this table shows.", unless: .noSQL
    ) { $0.copySQL() },
    Command(
      "stored-dates", keys: ["ctrl-t"], label: "dates",
      help: "Write dates as the numbers that are stored, or as dates.", in: [ExportScreen.scope],
      hintRank: 5, unless: .noDatesToExport
    ) { state in
      state.changeOverlay(as: ExportScreen.self) { $0.toggleStoredDates() }
    },
  ]
}
