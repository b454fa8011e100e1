import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// Statements of SQL and their answers.
@MainActor
@Suite struct ConsoleTests {
  private func console(
    _ file: TemporaryFile? = nil, size: Size = Size(columns: 80, rows: 24), state: URL? = nil
  ) async throws -> BrowserDriver {
    let browser = try await BrowserDriver(file ?? .company(), size: size) { _ in
      BrowserOptions(stateDirectory: state)
    }
    await browser.press("Q")
    return browser
  }

  private func run(_ browser: BrowserDriver, _ sql: String) async {
    await browser.type(sql)
    await browser.press("enter")
  }

  @Test func anAnswerIsATable() async throws {
    let browser = try await console()
    await run(browser, "select name, salary, company_id c from Employee order by id")
    #expect(browser.browser.levels.count == 2)
    browser.expect(
      browser.table,
      """
        name      salary    c
      > Ann       3000.0    1
        Bob       2800.5    1
        Cid       3100.0    2
        Dora           ∅    ∅
        ‘’        2500.0   99
      """)
    // Leaving the answer returns to the statement, above the table over which it ran.
    await browser.press("q")
    browser.expect(
      Array(browser.picture.prefix(5)),
      """
      ┏━ SQL ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ reads only ━┓
      ┃select name, salary, company_id c from Employee order by id                   ┃
      ┃                                                                              ┃
      ┃                                                                              ┃
      ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛
      """)
  }

  @Test func valuesAreShownCopiedAndExported() async throws {
    let browser = try await console()
    await run(browser, "select name, hex(name) from Employee order by id")
    await browser.press("down")
    await browser.go(to: "hex(name)")
    await browser.press("yy")
    #expect(browser.terminal.clipboard == "426F62")
    await browser.press("Y")
    #expect(browser.terminal.clipboard == "Bob\t426F62\n")
    let directory = try TemporaryDirectory()
    let path = directory.path("answer.csv")
    await browser.press("E", "ctrl-u")
    await browser.type(path)
    await browser.press("enter")
    browser.expectShown("Wrote 5 rows")
    #expect(
      try String(contentsOfFile: path, encoding: .utf8)
        == "name,hex(name)\nAnn,416E6E\nBob,426F62\nCid,436964\nDora,446F7261\n\"\",\"\"\n")
  }

  @Test func faultsAreToldAtTheirPlace() async throws {
    let browser = try await console()
    await run(browser, "select nam from Employee")
    browser.expectShown("SQLite cannot run this: no such column: nam")
    #expect(browser.terminal.cursor == Position(column: 8, row: 1))
    await browser.press("ctrl-k")
    await browser.type("name from Employee")
    await browser.press("enter")
    browser.expectShown("Cid")
  }

  @Test func writingIsRefusedUntilItIsAllowed() async throws {
    let file = try TemporaryFile.company()
    let browser = try await console(file)
    await run(browser, "update Employee set salary = 1 where id < 3")
    browser.expectShown("This statement would change the file; ctrl-t allows that.")
    #expect(try file.value("salary", from: "Employee", id: 1) == "3000.0")
    await browser.press("ctrl-t", "n")
    browser.expectShown("reads only")
    await browser.press("ctrl-t", "y")
    browser.expectShown("MAY WRITE")
    await browser.press("enter")
    browser.expectShown("Done: 2 rows changed.")
    #expect(try file.value("salary", from: "Employee", id: 1) == "1.0")
    // The table after it is read again.
    await browser.press("esc")
    await browser.press("shift-tab", "down", "enter")
    #expect(browser.table[1].contains("1.0"), "\(browser.picture)")
  }

  // Promise: a statement has no rows for a long time → keys wait for its answer, and esc stops it.
  @Test func aStatementThatRunsIsStopped() async throws {
    let browser = try await console()
    await browser.type(
      """
      with recursive n (i) as (values (1) union all select i + 1 from n) select count(*) from n
      """)
    browser.terminal.press("enter")
    try await wait { browser.terminal.picture.contains { $0.contains("running… esc stops") } }
    browser.terminal.press("down")
    browser.terminal.press("esc")
    await browser.browser.idle()
    browser.expectShown("Reading was stopped.")
    #expect(browser.browser.levels.count == 1)
    await browser.press("ctrl-u")
    await run(browser, "select 7 as seven")
    #expect(browser.cells == [["7"]])
  }

  /// Lets a writing console run a statement that writes.
  private func writing(_ file: TemporaryFile, _ sql: String) async throws -> BrowserDriver {
    let browser = try await console(file)
    await browser.press("ctrl-t", "y")
    await browser.type(sql)
    browser.terminal.press("enter")
    return browser
  }

  // It waits for the main actor after hundreds of others, which the thread sanitizer slows down.
  @Test(.timeLimit(.minutes(60)))
  func aStatementThatWritesCanBeStoppedAndIsTakenBack() async throws {
    let file = try TemporaryFile.company()
    let browser = try await writing(
      file,
      """
      update Task set title = iif(id < 3, 'changed', (with recursive n (i) as \
      (values (1) union all select i + 1 from n) select count(*) from n))
      """)
    try await wait { browser.terminal.picture.contains { $0.contains("writing… esc stops") } }
    browser.terminal.press("enter")
    #expect(
      browser.browser.state.message?.text
        == "A statement is writing; wait until it ends, or press esc to stop it.")
    browser.terminal.press("esc")
    await browser.browser.idle()
    browser.expectShown("The statement was stopped; everything it had changed was rolled back.")
    #expect(try file.values("SELECT title FROM Task ORDER BY id") == ["Plan", "Build", "Test"])
    #expect(try await browser.datastore.newContext().perform { try $0.count(tasks) } == 3)
    // The file is not locked, and the next statement writes.
    await browser.press("ctrl-u")
    await browser.type("update Task set title = 'done'")
    await browser.press("enter")
    browser.expectShown("Done: 3 rows changed.")
  }

  private let tasks = FetchRequest(entity: "Task")

  @Test func newTablesAndColumnsAreThereAtOnce() async throws {
    let file = try TemporaryFile.company()
    let browser = try await console(file)
    await browser.press("esc")
    await browser.press("shift-tab", "down", "enter", "down", "down", "right", "right", "Q")
    await browser.press("ctrl-t", "y")
    await run(browser, "create table Extra (id integer primary key, note text)")
    browser.expectShown("Done: the tables have changed.")
    #expect(browser.browser.state.schema.entity(named: "Extra") != nil)
    await browser.press("ctrl-u")
    await run(browser, "alter table Employee add column nick text default 'N'")
    await browser.press("esc")
    #expect(browser.entities.contains { $0.hasPrefix("Extra") })
    #expect(browser.browser.state.entity?.name == "Employee")
    // The table keeps its place, and has the new column.
    let columns = browser.browser.state.table?.columns.map(\.name) ?? []
    #expect(columns.contains("nick"))
    let current = browser.browser.state.table?.currentKey
    let column = browser.browser.state.table?.currentColumn?.name
    #expect(current == 3)
    #expect(column == "position")
  }

  @Test func theTableThatIsShownMayBeDropped() async throws {
    let file = try TemporaryFile.company()
    let browser = try await BrowserDriver(file) { _ in BrowserOptions(entity: "Task") }
    await browser.press("Q", "ctrl-t", "y")
    await run(browser, "drop table Task")
    browser.expectShown("Done: the tables have changed.")
    await browser.press("esc")
    #expect(browser.browser.state.schema.entities.map(\.name) == ["Company", "Employee"])
    #expect(browser.browser.state.entity?.name == "Company")
    #expect(browser.table.contains { $0.contains("Acme") })
    // Changes staged from now on are saved.
    await browser.press("right", "e", "ctrl-u")
    await browser.type("Acme 2")
    await browser.press("enter", "ctrl-s")
    browser.expectShown("Saved: 1 changed.")
    #expect(try file.value("name", from: "Company", id: 1) == "'Acme 2'")
  }

  @Test func unsavedChangesStayWhenTablesChangeAndAreSavedBefore() async throws {
    let file = try TemporaryFile.company()
    let browser = try await BrowserDriver(file) { _ in BrowserOptions(entity: "Employee") }
    await browser.press("right", "e", "ctrl-u")
    await browser.type("Anna")
    await browser.press("enter", "Q", "ctrl-t", "y")
    await run(browser, "create table Extra (id integer primary key)")
    browser.expectShown("The tables have changed")
    browser.expectShown("1 changed")
    await browser.press("esc", "esc")
    #expect(browser.browser.state.schema.entity(named: "Extra") == nil)
    #expect(browser.table[1].contains("*Anna"))
    await browser.press("ctrl-s")
    #expect(try file.value("name", from: "Employee", id: 1) == "'Anna'")
    #expect(browser.browser.state.schema.entity(named: "Extra") != nil)
    #expect(browser.table[1].contains("Anna"))
    // Reverting does as well, and saving is offered in the question itself.
    await browser.press("e", "ctrl-u")
    await browser.type("Annie")
    await browser.press("enter", "Q", "ctrl-u")
    await run(browser, "drop table Extra")
    browser.expectShown("The tables have changed")
    await browser.press("s")
    #expect(try file.value("name", from: "Employee", id: 1) == "'Annie'")
    #expect(browser.browser.state.schema.entity(named: "Extra") == nil)
  }

  @Test func aTableThatIsMadeInAStoreOfAModelIsShown() async throws {
    let file = try TemporaryFile("", name: "model.sqlite")
    let name = PropertyDescription.attribute(AttributeDescription(name: "name", type: .string))
    let schema = try Schema([EntityDescription(name: "Person", properties: [name])])
    try SwiftDatastore(schema: schema, url: file.url).close()
    let browser = try await console(file)
    await browser.press("ctrl-t", "y")
    await run(browser, "create table Extra (id integer primary key)")
    #expect(browser.browser.state.schema.entities.map(\.name) == ["Person", "Extra"])
    await browser.press("ctrl-u")
    await run(browser, "select count(*) as n from Extra")
    browser.expectShown("1 row")
  }

  /// Waits until something is so; very long, for a busy machine.
  private func wait(_ isSo: () -> Bool) async throws {
    for _ in 0..<5_000_000 {
      if isSo() { return }
      await Task.yield()
    }
    try #require(isSo())
  }

  @Test func earlierStatementsComeBackAlsoTheNextTime() async throws {
    let directory = try TemporaryDirectory()
    let state = directory.file("state")
    let file = try TemporaryFile.company()
    var browser = try await console(file, state: state)
    await run(browser, "select 1")
    await browser.press("q", "ctrl-u")
    await run(browser, "select 2")
    await browser.press("q", "up", "up")
    #expect(browser.picture[1].hasPrefix("┃select 1"))
    await browser.press("esc")
    browser = try await console(file, state: state)
    await browser.press("up")
    #expect(browser.picture[1].contains("select 2"), "\(browser.picture)")
  }

  @Test func namesAreCompleted() async throws {
    let browser = try await console()
    await browser.type("select sal")
    await browser.press("tab")
    #expect(browser.picture[1].contains("select salary"))
    await browser.type(" from Emp")
    await browser.press("tab")
    #expect(browser.picture[1].contains("from Employee"))
    await browser.type(" e where e.comp")
    await browser.press("tab")
    #expect(browser.picture[1].contains("e.company_id"), "\(browser.picture)")
    await browser.press("enter")
    browser.expectShown("4 rows")
  }

  @Test func severalLinesAndTheTextStayWhenItIsClosed() async throws {
    let browser = try await console()
    await browser.type("select 1,")
    await browser.press("alt-enter")
    await browser.type("2 as two")
    #expect(browser.picture[2].contains("2 as two"))
    await browser.press("up", "home", "down", "end", "enter")
    #expect(browser.columnNames.contains("two"))
    await browser.press("q", "esc")
    let isOpen = browser.hasOverlay
    #expect(!isOpen)
    await browser.press("Q")
    #expect(browser.picture[2].contains("2 as two"))
  }

  @Test func completionKnowsAliasesAndQuotesNames() {
    let names = [
      SQLNames(table: "order", columns: ["id", "my col"]), SQLNames(table: "b", columns: ["x"]),
    ]
    #expect(SQLCompletion(before: "select o.m from \"order\" o", names).word == "o")
    #expect(
      SQLCompletion(before: "select * from \"order\" as t where t.m", names).items.map(\.text) == [
        "\"my col\""
      ])
    #expect(SQLCompletion(before: "select * from ord", names).items.first?.text == "\"order\"")
    #expect(SQLCompletion(before: "sel", names).items.map(\.text) == ["select"])
  }
}
