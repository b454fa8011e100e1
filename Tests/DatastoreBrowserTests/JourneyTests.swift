import DatastoreCore
import TerminalUI
import Testing

@testable import DatastoreBrowser

@MainActor
@Suite struct JourneyTests {
  @Test(arguments: TestEngine.allCases)
  func fromAnEntityToADetailToACompanyAndBack(on engine: TestEngine) async throws {
    let browser = try await BrowserDriver(engine.company())
    browser.expect(
      browser.entities,
      """
      Company          2
      Employee         5
      Task             3
      """)
    // Open Employee, go to Bob, look at his details, follow his company.
    await browser.press("shift-tab", "down", "enter", "down", "enter", "end", "up")
    browser.expect(
      browser.detail,
      """
        id        integer  2
        name      text     Bob
        position  text     designer
        salary    real     2800.5
      > company   Company  → Acme
        Task      Task     none
      """)
    await browser.press("enter")
    browser.expect(
      browser.table,
      """
          id  name      founded
      >    1  Acme         1990
           2  Borg            ∅
      """)
    #expect(browser.picture[0].contains("Employee › Company"))
    // The members of the company, as a table of their own.
    await browser.press("end", "home", "down", "down", "down", "enter")
    browser.expect(
      browser.table,
      """
          id  name    position      salary  company
      >    1  Ann     developer     3000.0  Acme
           2  Bob     designer      2800.5  Acme
      """)
    #expect(browser.picture[0].contains("of Acme"))
    await browser.press("backspace", "backspace")
    browser.expect(
      browser.table,
      """
          id  name    position      salary  company
           1  Ann     developer     3000.0  Acme
      >    2  Bob     designer      2800.5  Acme
           3  Cid     developer     3100.0  Borg
           4  Dora    ∅                  ∅  ∅
           5  ‘’      tester        2500.0  #99 is missing
      """)
    #expect(browser.browser.state.focus == .detail)
    let way = browser.browser.state.history.filter { !$0.endsWay }
    #expect(way.isEmpty)
    await browser.press("q")
    #expect(!browser.terminal.isRunning)
  }

  @Test(arguments: TestEngine.allCases)
  func followingFromACellOfTheTable(on engine: TestEngine) async throws {
    let browser = try await BrowserDriver(engine.company()) { _ in
      BrowserOptions(entity: "Employee")
    }
    await browser.press("o")
    #expect(browser.status.contains("is not a relationship"))
    await browser.press("down", "down", "$", "o")
    #expect(browser.browser.state.entity?.name == "Company")
    #expect(browser.table[2] == ">    2  Borg            ∅")
    await browser.press("backspace")
    #expect(browser.table[3].hasPrefix(">"))
    #expect(browser.browser.state.table?.column == 4)
  }

  @Test(arguments: TestEngine.allCases)
  func followingAMemberLandsOnIt(on engine: TestEngine) async throws {
    let browser = try await BrowserDriver(engine.company())
    await browser.press("tab", "end", "enter")
    #expect(browser.browser.state.entity?.name == "Employee")
    #expect(browser.browser.state.table?.currentKey != nil)
    #expect(browser.browser.state.history.count == 1)
  }

  @Test(arguments: TestEngine.allCases)
  func theMouseDoesWhatTheKeysDo(on engine: TestEngine) async throws {
    let browser = try await BrowserDriver(engine.company())
    let layout = browser.browser.state.layout
    await browser.click(column: 3, row: layout.entityBody.top + 1)
    #expect(browser.browser.state.entity?.name == "Employee")
    await browser.click(column: layout.tableBody.left + 6, row: layout.tableBody.top + 2)
    #expect(browser.table[3].hasPrefix(">"))
    await browser.click(column: layout.tableHeader.left + 6, row: layout.tableHeader.top)
    #expect(browser.status.contains("sorted by name"))
    await browser.press("right", "gb")
    await browser.click(column: layout.tableBody.left + 2, row: layout.tableBody.top)
    #expect(browser.table[1].hasPrefix("> ▸"))
    await browser.wheel(.wheelDown, column: layout.tableBody.left, row: layout.tableBody.top)
    await browser.wheel(.wheelUp, column: layout.detailBody.left, row: layout.detailBody.top)
    await browser.click(
      column: layout.tableBody.left + 2, row: layout.tableBody.top + 2, clicks: 2)
    #expect(browser.browser.state.focus == .detail)
  }

  @Test(arguments: TestEngine.allCases)
  func ctrlZSuspends(on engine: TestEngine) async throws {
    let browser = try await BrowserDriver(engine.company())
    await browser.press("ctrl-z")
    #expect(browser.terminal.suspendCount == 1)
    #expect(browser.picture.count == 24)
  }

  @Test(arguments: TestEngine.allCases)
  func aLargeTableOpensAtOnceAndReachesItsEnd(on engine: TestEngine) async throws {
    let browser = try await BrowserDriver(engine.large(20_000))
    #expect(browser.status.contains("20,000 rows"))
    await browser.press("end")
    #expect(browser.table.last { !$0.isEmpty } == "> 20000  row 20000  kind 2")
    await browser.press("pgup", "ctrl-u", "home", "pgdn")
    let rows = browser.browser.state.table?.rows.count ?? 0
    #expect(rows > 0 && rows < 1000)
    await browser.press("right", "right", "gb", "Z", "end")
    browser.expect(
      Array(browser.table.prefix(4)),
      """
           id  name       kind
        ▸ kind 0 (6,666)
        ▸ kind 1 (6,667)
      > ▸ kind 2 (6,667)
      """)
  }

  @Test(arguments: TestEngine.allCases)
  func theHelpListsCommandsAndCloses(on engine: TestEngine) async throws {
    let browser = try await BrowserDriver(engine.company())
    await browser.press("?")
    #expect(browser.picture[0...3].joined().contains("Help"))
    #expect(browser.picture.joined().contains("Sort by this column"))
    await browser.press("pgdn", "end", "home", "esc")
    #expect(!browser.picture.joined().contains("Sort by this column"))
  }
}
