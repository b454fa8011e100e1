import DatastoreCore
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// Keys that users of vi, less or VisiData press by habit.
@MainActor
@Suite struct HabitTests {
  @Test func theFirstRunSaysWhatToPress() async throws {
    let browser = try await BrowserDriver(.large(200)) { _ in
      var options = BrowserOptions()
      options.isFirstRun = true
      return options
    }
    #expect(browser.status.contains("Press ? for help, : for commands, q to quit."))
    await browser.press("down")
    #expect(!browser.status.contains("q to quit"))
    // A derived table says what it is, also in the first run.
    await browser.press("t")
    #expect(browser.browser.levels.count == 2)
    #expect(browser.status.contains("enter shows the rows behind"))
  }

  @Test func whatIsNotShownIsSaidBeforeTheKeys() async throws {
    let browser = try await BrowserDriver(.large(200)) { _ in
      var options = BrowserOptions()
      options.isFirstRun = true
      options.notices = ["c.sqlite is not shown."]
      return options
    }
    #expect(browser.status.contains("c.sqlite is not shown."), "\(browser.status)")
  }

  @Test func firstAndLastLine() async throws {
    let browser = try await BrowserDriver(.large(200))
    await browser.press("G")
    #expect(browser.browser.state.table?.scroll.cursor == 199)
    await browser.press("gg")
    #expect(browser.browser.state.table?.scroll.cursor == 0)
    await browser.press("G", "tab", "G", "gg", "shift-tab", "shift-tab", "gg")
    #expect(browser.browser.state.focus == .entities)
    #expect(browser.browser.state.table?.scroll.cursor == 199)
  }

  @Test func aPlaceOnTheScreen() async throws {
    let browser = try await BrowserDriver(.large(200))
    await browser.press("pgdn", "pgdn", "H")
    let height = browser.browser.state.tableHeight
    let first = try #require(browser.browser.state.table?.scroll.first)
    #expect(first > 0)
    #expect(browser.browser.state.table?.scroll.cursor == first)
    await browser.press("L")
    #expect(browser.browser.state.table?.scroll.cursor == first + height - 1)
    await browser.press("M")
    #expect(browser.browser.state.table?.scroll.cursor == first + (height - 1) / 2)
    #expect(browser.browser.state.table?.scroll.first == first)
    // Under the header of a section that stays in view there is no row.
    await browser.press("right", "right", "gb", "pgdn", "pgdn", "H")
    let table = try #require(browser.browser.state.table)
    #expect(table.stickySection(height: height) != nil)
    #expect(table.scroll.cursor == table.scroll.first + 1)
    await browser.press("tab", "L")
    #expect(browser.browser.state.detail.cursor > 0)
    await browser.press("H")
    #expect(browser.browser.state.detail.cursor == 0)
  }

  @Test func theFirstOfTwoKeysShowsWhatMayFollow() async throws {
    let browser = try await BrowserDriver(.company()) { _ in BrowserOptions(entity: "Employee") }
    await browser.press("right", "g")
    browser.expectShown("g, then")
    browser.expectShown("g  First line")
    browser.expectShown("b  Group rows")
    await browser.press("b")
    #expect(!browser.hasOverlay)
    #expect(browser.status.contains("grouped by name"))
    await browser.press("g", "esc")
    #expect(!browser.hasOverlay)
    #expect(browser.status.contains("grouped by name"))
    await browser.press("g", "%")
    #expect(browser.status.contains("g% does nothing here."))
    #expect(!browser.hasOverlay)
    // A line of the hints is a button.
    await browser.press("g")
    let row = try #require(browser.picture.firstIndex { $0.contains("b  Group rows") })
    await browser.click(column: 10, row: row)
    #expect(!browser.hasOverlay)
    #expect(!browser.status.contains("grouped"))
  }

  @Test func dAloneDeletesNothing() async throws {
    let browser = try await BrowserDriver(.company())
    await browser.press("d")
    browser.expectShown("d  Delete object")
    browser.expectShown("a  Delete many rows")
    await browser.press("esc")
    #expect(browser.browser.state.editing.marks.isEmpty)
    await browser.press("dd")
    browser.expectShown("Delete")
    await browser.press("y")
    #expect(!browser.browser.state.editing.marks.isEmpty)
  }

  @Test func aKeyThatDoesNothingSaysSo() async throws {
    let browser = try await BrowserDriver(.company())
    await browser.press("f12")
    #expect(browser.status.contains("f12 does nothing here. Press ? to see the keys."))
    await browser.press("?", "f12")
    #expect(browser.status.contains("f12 does nothing here."))
    await browser.press("esc", "down")
    #expect(!browser.status.contains("nothing"))
  }

  @Test func keysOfOtherProgramsDoWhatAHandExpects() async throws {
    let file = try TemporaryFile.company()
    let browser = try await BrowserDriver(file) { _ in BrowserOptions(entity: "Employee") }
    await browser.press("right", "f2")
    #expect(browser.browser.state.scope == CellEditor.scope)
    await browser.press("esc", "insert")
    #expect(browser.browser.state.editing.marks.inserted == 1)
    await browser.press("u", "home", "delete")
    #expect(browser.browser.state.overlay(as: Question.self) != nil)
    await browser.press("esc", "/")
    await browser.type("a")
    await browser.press("enter", "gg")
    let first = browser.browser.state.table?.currentKey
    await browser.press("f3")
    let second = browser.browser.state.table?.currentKey
    #expect(first != second)
    await browser.press("shift-f3")
    #expect(browser.browser.state.table?.currentKey == first)
    await browser.press("f10")
    #expect(browser.browser.state.scope == MenuScreen.scope)
  }

  @Test func escapeSaysNothingWhereNothingIsOpen() async throws {
    let browser = try await BrowserDriver(.company())
    let before = browser.picture
    await browser.press("esc", "esc")
    #expect(browser.picture == before)
  }

  @Test func theCommandsOfVi() async throws {
    let file = try TemporaryFile.company()
    let browser = try await BrowserDriver(file) { _ in BrowserOptions(entity: "Employee") }
    func command(_ text: String) async {
      await browser.press(":")
      await browser.type(text)
      await browser.press("enter")
    }
    await command("4")
    #expect(browser.browser.state.table?.scroll.cursor == 3)
    await command("-1")
    #expect(browser.browser.state.table?.scroll.cursor == 4)
    await browser.press(":")
    await browser.type("99")
    browser.expectShown("No command has that name.")
    await browser.press("esc", "gg", "right", "e", "ctrl-u")
    await browser.type("Zoe")
    await browser.press("enter")
    await command("q")
    browser.expectShown("Unsaved changes")
    await browser.press("esc")
    await command("w")
    #expect(try file.value("name", from: "Employee", id: 1) == "'Zoe'")
    await browser.press("down", "e", "ctrl-u")
    await browser.type("Yan")
    await browser.press("enter")
    await command("wq")
    #expect(browser.browser.state.isFinished)
    #expect(try file.value("name", from: "Employee", id: 2) == "'Yan'")
    let other = try await BrowserDriver(file) { _ in BrowserOptions(entity: "Employee") }
    await other.press("right", "e", "ctrl-u")
    await other.type("Xi")
    await other.press("enter", ":")
    await other.type("q!")
    await other.press("enter")
    other.expectShown("Unsaved changes")
    await other.press("d")
    #expect(other.browser.state.isFinished)
    #expect(try file.value("name", from: "Employee", id: 1) == "'Zoe'")
  }

  @Test func thePaletteLeadsToEntitiesColumnsAndFilters() async throws {
    let browser = try await BrowserDriver(.company()) { _ in BrowserOptions(entity: "Employee") }
    await browser.press(":")
    await browser.type("salary")
    browser.expectShown("column of Employee")
    await browser.press("enter")
    #expect(browser.browser.state.table?.currentColumn?.name == "salary")
    await browser.press("-", ":")
    await browser.type("salary")
    await browser.press("enter")
    #expect(browser.browser.state.table?.currentColumn?.name == "salary")
    #expect(browser.table[0].contains("salary"))
    await browser.press("w")
    await browser.type("salary > 2900")
    await browser.press("ctrl-o", "enter")
    await browser.type("rich ones")
    await browser.press("enter", "esc", ":")
    await browser.type("rich")
    browser.expectShown("filter: salary > 2900")
    await browser.press("enter")
    #expect(browser.status.contains("2 rows"))
    await browser.press(":")
    await browser.type("Task")
    await browser.press("enter")
    #expect(browser.browser.state.entity?.name == "Task")
    await browser.press("backspace")
    #expect(browser.browser.state.entity?.name == "Employee")
  }

  @Test func theHelpIsSearchedAndReadByTopic() async throws {
    let browser = try await BrowserDriver(.company(), size: Size(columns: 100, rows: 40))
    await browser.press("?")
    browser.expectShown("Rows and groups")
    await browser.press("]")
    let help = try #require(browser.browser.state.overlay(as: HelpState.self))
    #expect(help.first > 0)
    #expect(help.lines(size: Size(columns: 100, rows: 40))[help.first] == .heading("Columns"))
    await browser.press("[", "/")
    await browser.type("freeze")
    // Letters are typed, and no commands.
    browser.expectShown("Keep the columns up to this one in view")
    #expect(!browser.picture.contains { $0.contains("Go to the first line.") })
    await browser.press("enter", "j", "/", "ctrl-u")
    await browser.type("xyzzy")
    browser.expectShown("No command is about that.")
    await browser.press("esc")
    browser.expectShown("Rows and groups")
    await browser.press("esc", ":")
    await browser.type("help sparkline")
    await browser.press("enter")
    browser.expectShown("gh  Show a sparkline of this column")
    await browser.press("esc")
    #expect(!browser.hasOverlay)
  }

  @Test func keysInARowAreBoundByTheConfiguration() throws {
    let keymap = try Configuration(
      yaml: "keys: {sort: gz, quit: [ctrl-x ctrl-c, f10]}", file: "c.yaml"
    ).keymap
    #expect(keymap.command(for: "gz", in: .table)?.name == "sort")
    #expect(keymap.command(for: "gg", in: .table)?.name == "first")
    #expect(keymap.command(for: "ctrl-x ctrl-c", in: .detail)?.name == "quit")
    #expect(keymap.isBeginning("ctrl-x", in: .detail))
    #expect(throws: ConfigurationError.self) {
      try Configuration(yaml: "keys: {sort: g, group: gb}", file: "c.yaml")
    }
    func read(_ text: String) -> [Key]? { KeySequence(text)?.keys }
    #expect(read("f5") == [Key(.function(5))])
    #expect(KeySequence(["f", "5"].map { Key(stringLiteral: $0) }).description == "f 5")
    #expect(read("f 5") == ["f", "5"])
    #expect(read("enter") == [Key(.enter)])
    #expect(read("entre") == nil)
    #expect(read("") == nil)
  }
}
