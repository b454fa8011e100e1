import DatastoreTestSupport
import Foundation
import TerminalUI
import Testing

@testable import DatastoreBrowser

@MainActor
@Suite struct PaletteTests {
  @Test func theMarkGoesToTheBestMatchWhileOneTypes() async throws {
    let browser = try await BrowserDriver(.company()) { _ in BrowserOptions(entity: "Employee") }
    // On “refresh”, as it would be from the last time one looked for something.
    await browser.press(":")
    await browser.type("refresh")
    for _ in 0..<5 { await browser.press("backspace") }
    await browser.type("v")
    let palette = browser.browser.state.overlay(as: PaletteState.self)
    #expect(palette?.command.map { .command($0.name) } == palette?.list.matches.first?.id)
    #expect(palette?.command?.name.hasPrefix("rev") == true)
  }

  @Test func theBeginningsOfItsWordsFindACommandAndEnterDoesIt() async throws {
    let driver = try await BrowserDriver(
      try .company(), options: { _ in BrowserOptions(entity: "Employee") })
    await driver.press("right", ":")
    await driver.type("gr ro")
    #expect(driver.browser.state.overlay(as: PaletteState.self)?.command?.name == "group")
    await driver.press("enter")
    #expect(driver.status.contains("grouped by name"))
  }

  @Test func namesBeatTitlesAndTitlesBeatSynonyms() async throws {
    let driver = try await BrowserDriver(try .company())
    for (query, name) in [
      ("quit", "quit"), ("help", "help"), ("sort", "sort"), ("page d", "page-down"),
      ("everywhere", "search-file"), ("average", "statistics"), ("csv", "export"),
      ("where", "filter"), ("null", "edit"),
      ("settings", "themes"), ("preferences", "themes"), ("options", "themes"),
      // Which is not a part of “settings”.
      ("set", "edit"),
      // A word that a column begins with, and something that only a synonym has.
      ("found", "founded"),
    ] {
      await driver.press(":")
      await driver.type(query)
      let palette = driver.browser.state.overlay(as: PaletteState.self)
      #expect(palette?.command?.name ?? palette?.list.current?.text == name)
      await driver.press("esc")
    }
  }

  /// The results of the palette for a text.
  private func palette(_ text: String, in state: BrowserState) -> PaletteState {
    var palette = PaletteState(over: .table, in: state)
    palette.list.setSearch(text)
    palette.searchChanged(in: state)
    return palette
  }

  // Promise: a command that nobody finds → every command is found by its name, its title and its synonyms.
  @Test func everyCommandIsFoundByItsNameAndByItsTitle() async throws {
    let state = try await BrowserDriver(try .company()).browser.state
    for command in CommandTable.standard.all where command.isInPalette {
      for text in [command.name, command.title, command.title.uppercased()] + command.aliases {
        let found = palette(text, in: state).command?.name
        #expect(found == command.name, "“\(text)” finds \(found ?? "nothing")")
      }
      // A number goes to its row.
      for word in command.synonyms + command.title.split(separator: " ").map(String.init)
      where Int(word) == nil {
        let found = palette(word, in: state).list.matches.contains {
          $0.id == .command(command.name)
        }
        #expect(found, "“\(word)” does not find \(command.name)")
      }
    }
  }

  @Test func titlesAreShortAndDistinct() {
    let commands = CommandTable.standard.all.filter(\.isInPalette)
    for command in commands {
      #expect((1...3).contains(command.title.split(separator: " ").count), "\(command.title)")
    }
    #expect(Set(commands.map { $0.title.lowercased() }).count == commands.count)
  }

  // Promise: `:average`, `:discard` in the palette → words are found, not scattered letters; what leaves or
  // discards needs its whole name, and asks when something is staged.
  // Also: `PaletteTests.averageIsNotQuit`, `PaletteTests.discardIsAskedTwice`
  @Test func onlyAWholeNameLeavesOrDiscards() async throws {
    let driver = try await BrowserDriver(.company()) { _ in BrowserOptions(entity: "Employee") }
    await driver.press("a")
    let state = driver.browser.state
    #expect(!state.editing.marks.isEmpty)
    let dangerous = CommandTable.standard.all.filter(\.needsWholeName)
    #expect(Set(dangerous.map(\.name)).isSuperset(of: ["quit", "revert", "discard-and-quit"]))
    let whole = Set(dangerous.flatMap { [$0.name, $0.title.lowercased()] + $0.aliases })
    let texts = dangerous.map { "\($0.name) \($0.title) \($0.synonyms) \($0.label) \($0.help)" }
    // Each looks through all commands.
    for round in 0..<max(1, RandomCases.count / 10) {
      var random = SeededRandom(seed: RandomCases.seed(round))
      // Some letters of one of them, in their order, which a search for scattered letters would find.
      let letters = Array(texts[random.below(texts.count)].lowercased())
      let density = 1 + random.below(8)
      let text = String(letters.filter { $0.isLetter && random.below(8) < density }.prefix(9))
      guard !whole.contains(text) else { continue }
      var after = state
      after.open(palette(text, in: state))
      after.change(PaletteState.self) { $0.pick(in: &$1) }
      #expect(!after.isFinished, "“\(text)”, seed \(random.seed)")
      guard palette(text, in: state).command?.needsWholeName == true else { continue }
      #expect(
        after.takeRequests().isEmpty && after.overlays.count == 1, "“\(text)”, seed \(random.seed)")
      #expect(
        after.overlay(as: PaletteState.self).map { whole.contains($0.list.search.text) } == true)
    }
  }

  @Test func aCommandOfAHiddenPanelShowsIt() async throws {
    let driver = try await BrowserDriver(.company()) { _ in BrowserOptions(entity: "Employee") }
    await driver.press("ctrl-e")
    #expect(!driver.browser.state.showsEntities)
    await driver.press(":")
    await driver.type("hidden-entities")
    await driver.press("enter")
    #expect(driver.browser.state.focus == .entities && driver.browser.state.showsEntities)
  }

  @Test func averageIsNotQuit() async throws {
    let driver = try await BrowserDriver(.company()) { _ in BrowserOptions(entity: "Employee") }
    await driver.press("right", "e", "ctrl-u")
    await driver.type("Zoe")
    await driver.press("enter", "$", "left", ":")
    await driver.type("average")
    driver.expect(
      Array(driver.picture.prefix(5)),
      """
      ┌─ company.sqlite ─┐┌─ Employee ───────────────────────────────────────────────┐
      │C┏━ Commands ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓ │
      │E┃ / average                                                                ┃ │
      │T┃ > Statistics                                               statistics  i ┃ │
      │ ┃                                                                          ┃ │
      """)
    await driver.press("enter")
    driver.expectShown("mean")
    #expect(!driver.browser.state.isFinished)
    await driver.press("q")
    #expect(!driver.browser.state.editing.marks.isEmpty)
  }

  @Test func discardIsAskedTwice() async throws {
    let driver = try await BrowserDriver(.company()) { _ in BrowserOptions(entity: "Employee") }
    await driver.press("right", "e", "ctrl-u")
    await driver.type("Zoe")
    await driver.press("enter", ":")
    await driver.type("discard")
    driver.expect(
      driver.picture,
      """
      ┌─ company.sqlite ─┐┌─ Employee ───────────────────────────────────────────────┐
      │C┏━ Commands ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓ │
      │E┃ / discard                                                                ┃ │
      │T┃ > Discard and quit                                 discard-and-quit  :q! ┃ │
      │ ┃   Revert all changes                                      revert  ctrl-r ┃ │
      │ ┃                                                                          ┃ │
      │ ┃                                                                          ┃ │
      │ ┃                                                                          ┃ │
      │ ┃                                                                          ┃ │
      │ ┃                                                                          ┃ │
      │ ┃                                                                          ┃ │
      │ ┃                                                                          ┃─┘
      │ ┃                                                                          ┃─┐
      │ ┃                                                                          ┃ █
      │ ┃                                                                          ┃ █
      │ ┃                                                                          ┃ █
      │ ┃                                                                          ┃ █
      │ ┃                                                                          ┃ █
      │ ┃ Leave the browser without its unsaved changes, after a question. Enter   ┃ █
      │ ┃ writes its name; enter again does it.                                    ┃ │
      └─┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ enter runs it, esc closes ━┛─┘
       ● 1 changed   ^S Save  ^R Revert  u Undo  U Redo  c Review
       Employee · 5 rows
      enter run  tab complete  esc close  ↑↓ move
      """)
    await driver.press("enter")
    #expect(
      driver.browser.state.overlay(as: PaletteState.self)?.list.search.text == "discard-and-quit")
    await driver.press("enter")
    driver.expect(
      driver.picture,
      """
      ┌─ company.sqlite ─┐┌─ Employee ───────────────────────────────────────────────┐
      │Company          2││  id  name    position      salary  company               │
      │Employee         5│*   1 *Zoe     developer     3000.0  Acme                  │
      │Task             3││   2  Bob     designer      2800.5  Acme                  │
      │                  ││   3  Cid     developer     3100.0  Borg                  │
      │                  ││   4  Dora    ∅                  ∅  ∅                     │
      │                  ││   5  ‘’      tester        2500.0  #99 is missing        │
      │                  ││                                                          │
      │                  ││                                                          │
      │                  ┏━ Unsaved changes ━━━━━━━━━━━━━━━━━━━━━┓                   │
      │                  ┃ There are unsaved changes: 1 changed. ┃                   │
      │                  ┃                                       ┃────────── 1 of 5 ─┘
      │                  ┃ d discard and leave  esc stay         ┃───────────────────┐
      │                  ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛                   █
      │                  ││name      text    *Zoe                                    █
      │                  ││position  text     developer                              █
      │                  ││salary    real     3000.0                                 █
      │                  ││company   Company  → Acme                                 █
      │                  ││Task      Task     2                                      █
      │                  ││                   → Plan                                 │
      └───────── 2 of 3 ─┘└──────────────────────────────────────────────────────────┘
       ● 1 changed   ^S Save  ^R Revert  u Undo  U Redo  c Review
       Employee · 5 rows
      esc cancel
      """)
    await driver.press("esc")
    #expect(!driver.browser.state.isFinished && !driver.browser.state.editing.marks.isEmpty)
    await driver.press(":")
    await driver.type("revert")
    await driver.press("enter")
    driver.expectShown("Revert all unsaved changes: 1 changed?")
    await driver.press("n", ":")
    await driver.type("q!")
    await driver.press("enter", "d")
    #expect(driver.browser.state.isFinished)
  }

  @Test func whatCannotBeDoneSaysWhy() async throws {
    let driver = try await BrowserDriver(try .company())
    await driver.press("ctrl-p")
    await driver.type("back")
    #expect(driver.picture.contains { $0.contains("There is no place to go back to.") })
    await driver.press("enter")
    #expect(driver.status.contains("There is no place to go back to."))
    #expect(driver.browser.state.overlays.isEmpty)
  }

  @Test func aCommandOfAnotherPanelTakesTheFocusThere() async throws {
    let driver = try await BrowserDriver(try .company())
    await driver.press("shift-tab", ":")
    #expect(driver.browser.state.focus == .entities)
    await driver.type("last-column")
    await driver.press("enter")
    #expect(driver.browser.state.focus == .table)
    #expect(driver.browser.state.table?.currentColumn?.name == "founded")
  }

  @Test func nothingFoundIsSaidAndEnterClosesNothing() async throws {
    let driver = try await BrowserDriver(try .company())
    await driver.press(":")
    await driver.type("xyzzy")
    #expect(driver.picture.contains { $0.contains("No command has that name.") })
    await driver.press("enter", "esc")
    #expect(driver.browser.state.overlays.isEmpty)
  }

  @Test func messagesCanBeReadAgain() async throws {
    let driver = try await BrowserDriver(try .company())
    await driver.press("gl")
    #expect(driver.status.contains("There has been no message yet."))
    await driver.press("backspace", "U", "gl")
    #expect(
      driver.cells == [
        ["There is nothing to redo.", "warning"], ["There is no place to go back to.", "warning"],
        ["There has been no message yet.", "warning"],
      ])
    await driver.press("q")
    #expect(driver.browser.levels.count == 1)
  }

  @Test func messagesAreCopiedWhole() async throws {
    let driver = try await BrowserDriver(try .company())
    await driver.press("backspace", "U", "gl", "yy")
    #expect(driver.terminal.clipboard == "There is nothing to redo.")
    await driver.press("down", "yy")
    #expect(driver.terminal.clipboard == "There is no place to go back to.")
    // Messages that arrived meanwhile are in the table, too, and stay when it is left.
    await driver.press("r", "home")
    #expect(
      driver.cells.prefix(2).map { $0[0] } == ["Computing it again…", "Copied 32 characters."])
    await driver.press("q", "gl")
    #expect(driver.cells.contains { $0[0] == "Copied 32 characters." })
  }
}

/// The menu of what the cursor is on.
@MainActor
@Suite struct MenuTests {
  // Promise: a menu names a command that is not there → every one of every part is a command of that panel.
  @Test func theMenuHasCommandsOfItsPanel() async throws {
    let browser = try await BrowserDriver(.company()) { _ in BrowserOptions(entity: "Employee") }
    let state = browser.browser.state
    for (panel, parts) in [
      (CommandScope.table, [MenuPart.row, .column, .section, .rows, .file]),
      (.entities, [.entity, .file]), (.detail, [.field, .rows, .file]),
    ] {
      for name in parts.flatMap(\.commands) {
        let command = try #require(state.keymap.commands.named(name), "\(name)")
        let isThere =
          command.scopes.contains(panel) || !command.scopes.isDisjoint(with: CommandScope.panels)
        #expect(isThere, "\(name)")
      }
    }
  }

  @Test func theMenuSaysWhatCanBeDoneWithTheCursor() async throws {
    let browser = try await BrowserDriver(
      .company(), size: Size(columns: 80, rows: 40)
    ) { _ in BrowserOptions(entity: "Employee") }
    await browser.go(to: "position")
    await browser.press("f10")
    browser.expectShown("This row")
    browser.expectShown("The column position")
    // Texts have no total, and the menu says why.
    await browser.type("total")
    await browser.press("enter")
    #expect(browser.hasOverlay)
    browser.expectShown("position holds no numbers or dates. Go to a column that does.")
    await browser.press("ctrl-u")
    await browser.type("count values")
    await browser.press("enter")
    browser.expectShown("values of position in Employee")
    await browser.press("q", "gb", "home", "f10")
    browser.expectShown("This section")
    await browser.press("esc")
    #expect(!browser.hasOverlay)
  }

  @Test func aRightClickOnATitleBeginsAtTheColumn() async throws {
    let browser = try await BrowserDriver(
      .company(), size: Size(columns: 80, rows: 40)
    ) { _ in BrowserOptions(entity: "Employee") }
    let header = browser.browser.state.layout.tableHeader
    let place = try #require(browser.table[0].range(of: "salary"))
    let column = header.left + browser.table[0][..<place.lowerBound].count - 2
    browser.terminal.send(
      .mouse(
        MouseEvent(
          .press(.right, clicks: 1), at: Position(column: column + 1, row: header.top))))
    await browser.browser.idle()
    browser.expectShown("The column salary")
    let menu = try #require(browser.browser.state.overlay(as: MenuScreen.self))
    #expect(menu.command?.name == "sort")
    await browser.press("enter")
    #expect(browser.status.contains("sorted by salary ▲"))
  }
}
