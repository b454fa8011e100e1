import TerminalUI
import Testing

@testable import DatastoreBrowser

/// Words of other programs find their command in the palette at first place.
///
/// The list was made from the menus and commands of spreadsheets, VisiData, DB Browser for SQLite, psql and
/// lazygit, before it was tried. It has no lines for features that this program lacks.
@MainActor @Suite struct NewcomerWordsTests {
  struct Word: Sendable {
    let text: String
    /// The commands that a person who types it may mean.
    let commands: [String]

    init(_ text: String, _ commands: String...) {
      self.text = text
      self.commands = commands
    }
  }

  static let spreadsheet: [Word] = [
    Word("sort", "sort"), Word("sort ascending", "sort"), Word("sort descending", "sort"),
    Word("sort by several columns", "sort-further"), Word("filter", "filter"),
    Word("clear filter", "clear-filter"), Word("show all", "clear-filter", "show-all-columns"),
    Word("find", "search"), Word("find next", "search-next"),
    Word("find previous", "search-previous"),
    Word("replace", "bulk-update"), Word("go to", "go-to-row", "go-to-section"),
    Word("freeze panes", "freeze"), Word("freeze columns", "freeze"), Word("group", "group"),
    Word("ungroup", "group"), Word("subtotal", "total"), Word("total", "total"),
    Word("sum", "total"),
    Word("average", "total", "statistics"), Word("pivot table", "pivot"), Word("chart", "chart"),
    Word("graph", "chart", "show-schema"), Word("histogram", "histogram"),
    Word("hide column", "hide-column"),
    Word("unhide", "show-all-columns", "columns", "hidden-entities"),
    Word("column width", "wider", "narrower", "fit-column"), Word("autofit", "fit-column"),
    Word("insert row", "create"), Word("new row", "create"), Word("delete row", "delete"),
    Word("delete rows", "bulk-delete", "delete"), Word("copy", "copy-cell"),
    Word("copy row", "copy-rows"), Word("copy with headers", "copy-rows-with-header"),
    Word("undo", "undo"), Word("redo", "redo"), Word("save", "save"), Word("save as", "export"),
    Word("export", "export"), Word("export csv", "export"), Word("import", "import"),
    Word("import csv", "import"), Word("thousands separator", "number-format"),
    Word("select all", "select-all"), Word("fill down", "fill-down"),
    Word("duplicate", "duplicate"), Word("calculated column", "derive"), Word("formula", "derive"),
    Word("zoom", "zoom"), Word("full screen", "zoom"), Word("close", "close-tab", "quit"),
    Word("exit", "quit", "save-and-quit"), Word("help", "help"),
    Word("format cells", "number-format"), Word("percent", "number-format"),
    Word("currency", "number-format"), Word("decimals", "number-format"),
    Word("date format", "column-meaning"), Word("record macro", "macro-record"),
    Word("run macro", "macro-replay"),
    Word("expand group", "toggle-section", "toggle-all-sections"),
    Word("collapse all", "toggle-all-sections"), Word("sparklines", "sparkline"),
  ]

  static let visidata: [Word] = [
    Word("frequency", "frequencies"), Word("frequency table", "frequencies"),
    Word("describe", "overview", "statistics"), Word("columns sheet", "columns", "overview"),
    Word("quit", "quit"), Word("add column", "derive"), Word("type", "column-meaning"),
    Word("command log", "messages", "save-session"), Word("reload", "refresh"),
    Word("refresh", "refresh"), Word("go to row", "go-to-row"), Word("select row", "select-row"),
    Word("select rows", "select-row", "select-all"), Word("aggregator", "total"),
    Word("plot", "chart"), Word("menu", "menu"), Word("move column left", "move-column-left"),
    Word("jump", "go-to-row", "go-to-section", "follow-cell"), Word("statistics", "statistics"),
    Word("edit", "edit"), Word("bins", "group-in-steps"), Word("median", "statistics"),
  ]

  static let databases: [Word] = [
    Word("execute sql", "sql"), Word("run query", "sql"), Word("query", "sql", "filter"),
    Word("sql", "sql"),
    Word("write changes", "save"), Word("commit", "save"), Word("revert changes", "revert"),
    Word("rollback", "revert"), Word("discard changes", "revert"),
    Word("database structure", "show-schema"),
    Word("schema", "show-schema"), Word("indexes", "show-schema"),
    Word("tables", "toggle-entities"),
    Word("foreign key", "column-meaning", "suggest-relationships"),
    Word("add record", "create"),
    Word("new record", "create"), Word("delete record", "delete"), Word("edit cell", "edit"),
    Word("change value", "edit"), Word("where", "filter"),
    Word("expanded display", "open-row", "toggle-detail"),
    Word("order by", "sort"), Word("sort by", "sort"), Word("group by", "group"),
    Word("rename column", "show-schema"), Word("drop column", "show-schema"),
    Word("distinct", "frequencies"),
    Word("unique values", "frequencies"), Word("duplicates", "frequencies"),
    Word("count", "frequencies", "total"),
    Word("blob", "show-value"),
    Word("json", "show-value", "expand-object", "export", "copy-json"),
    Word("view value", "show-value"),
    Word("primary key", "show-schema", "go-to-row"),
  ]

  static let terminal: [Word] = [
    Word("diff", "review", "changes"), Word("log", "messages"),
    Word("history", "back", "changes"),
    Word("next tab", "next-tab"), Word("close tab", "close-tab"), Word("keybindings", "help"),
    Word("shortcuts", "help"), Word("copy to clipboard", "copy-cell"), Word("search", "search"),
    Word("theme", "themes"), Word("dark mode", "themes"), Word("colors", "themes"),
    Word("settings", "themes"), Word("preferences", "themes"), Word("options", "themes"),
    Word("bookmarks", "view", "save-view"), Word("back", "back"),
    Word("details", "toggle-detail", "open-row"),
    Word("follow reference", "follow-cell", "follow"),
  ]

  static let all = spreadsheet + visidata + databases + terminal

  @Test func theyFindTheirCommandAtFirstPlace() async throws {
    let state = try await BrowserDriver(try .company()) { _ in BrowserOptions(entity: "Employee") }
      .browser.state
    var missed: [String] = []
    for word in Self.all {
      var palette = PaletteState(over: .table, in: state)
      palette.list.setSearch(word.text)
      palette.searchChanged(in: state)
      let found = palette.command?.name ?? "nothing"
      if !word.commands.contains(found) { missed.append("\(word.text): \(found)") }
    }
    #expect(Self.all.count >= 125)
    #expect(missed.count * 125 <= 15 * Self.all.count, "\(missed)")
    // For people who read which words are still missed.
    print("\(Self.all.count - missed.count) of \(Self.all.count) words; missed: \(missed)")
  }
}
