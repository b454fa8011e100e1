import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import TerminalUI
import Testing

@testable import DatastoreBrowser

// Promise: an answer has two columns of one name, a comment at its end, odd values → columns go by numbers
// inside; every value is found again by itself.
/// Answers to SQL that are opened as tables.
@MainActor
@Suite struct AnswerTableTests {
  private func console(
    _ sql: String, _ file: TemporaryFile, size: Size = Size(columns: 100, rows: 24),
    state: URL? = nil
  ) async throws -> BrowserDriver {
    let browser = try await BrowserDriver(file, size: size) { _ in
      BrowserOptions(stateDirectory: state)
    }
    await browser.press("Q")
    await browser.type(sql)
    await browser.press("enter")
    return browser
  }

  /// The texts of a column of the table, from the top.
  private func column(_ name: String, _ browser: BrowserDriver) -> [String] {
    guard let table = browser.browser.state.table,
      let index = table.columns.firstIndex(where: { $0.name == name })
    else { return [] }
    return table.list.keys.map { table.rows[$0]?.cells[index].text ?? "?" }
  }

  private let statement = """
    select name, salary, position as name, company_id from Employee order by id; -- all of them
    """

  @Test func commandsOfTheTableWorkOnIt() async throws {
    let file = try TemporaryFile.company()
    let browser = try await console(statement, file)
    let title = browser.picture.joined()
    #expect(title.contains("SQL at "))
    #expect(title.contains(": select name, salary, position as name"))
    #expect(
      browser.browser.state.table?.columns.map(\.name).sorted()
        == ["company_id", "name", "name_2", "salary"])
    #expect(column("name", browser) == ["Ann", "Bob", "Cid", "Dora", ""])
    // Sorted, and grouped.
    await browser.press("0", "right")
    #expect(browser.browser.state.table?.currentColumn?.name == "salary")
    await browser.press("s")
    #expect(
      column("name", browser)
        == (try file.values("SELECT name FROM Employee ORDER BY salary, id")))
    // Filtered by an expression.
    await browser.press("w")
    await browser.type("salary > 2600 AND name_2 = \"developer\"")
    await browser.press("enter")
    #expect(column("name", browser) == ["Ann", "Cid"])
  }

  // Promise: a command does not know answers → each works that works on a table to be read only.
  /// Where a command does not work, the reason is that of a file that was opened read-only.
  @Test func everyCommandWorksThatWorksOnATableToBeReadOnly() async throws {
    let file = try TemporaryFile.company()
    let answer = try await console("select name, salary from Employee order by id", file)
    let plain = try TemporaryFile(
      """
      CREATE TABLE answer (name TEXT, salary REAL);
      INSERT INTO answer VALUES
        ('Ann', 3000), ('Bob', 2800.5), ('Cid', 3100), ('Dora', NULL), ('', 2500);
      """)
    let table = try await BrowserDriver(plain, size: Size(columns: 100, rows: 24)) { _ in
      var options = BrowserOptions()
      options.copiedFile = "plain"
      return options
    }
    let panels = Set(CommandScope.panels)
    for command in Keymap.standard.commands.all where !panels.isDisjoint(with: command.scopes) {
      let reason = command.reasonIfDisabled(answer.browser.state)
      let expected = command.reasonIfDisabled(table.browser.state)
      // There is a place to go back to.
      if command.name == "back" || command.name == "stop" {
        #expect(reason == nil)
        continue
      }
      #expect(
        (reason == nil) == (expected == nil),
        "\(command.name): \(reason ?? "works"), but of a table: \(expected ?? "works")")
    }
  }

  @Test func keysThatAreTypedMeanwhileAreMeantForIt() async throws {
    let file = try TemporaryFile.company()
    let browser = try await BrowserDriver(file)
    await browser.press("Q")
    await browser.type(statement)
    for key in ["enter", "down", "down", "right", "s"] as [Key] { browser.terminal.press(key) }
    await browser.browser.idle()
    #expect(browser.browser.levels.count == 2)
    #expect(browser.browser.state.table?.query.order.first?.keyPath == ["salary"])
    #expect(browser.browser.state.table?.currentKey == 3)
  }

  @Test func leavingItComesBackToWhereOneWas() async throws {
    let file = try TemporaryFile.company()
    let browser = try await BrowserDriver(file, size: Size(columns: 100, rows: 24)) { _ in
      BrowserOptions(entity: "Employee")
    }
    await browser.press("down", "down", "right", "e", "ctrl-u")
    await browser.type("Cyd")
    await browser.press("enter", "Q")
    await browser.type("select * from Task")
    let before = browser.picture
    await browser.press("enter", "down", "end")
    #expect(browser.browser.levels.count == 2)
    await browser.press("backspace")
    #expect(browser.picture == before)
    await browser.press("enter", "q")
    #expect(browser.picture == before)
    await browser.press("esc", "ctrl-s")
    browser.expectShown("Saved: 1 changed.")
  }

  // Promise: a value of an answer is of another type than its column is declared → every value is copied as
  // it is.
  @Test func valuesAreWhatTheyWere() async throws {
    let values = """
      (NULL), (0), (-9223372036854775808), (9007199254740993), (0.1), (1e300), (-9e999),
      (5.0e-324), (x''), (x'00ff'), (''), ('12'), ('1e3'), ('a' || char(0) || 'b'),
      (CAST(x'ff41' AS TEXT)), ('é')
      """
    let file = try TemporaryFile(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, v); INSERT INTO t (v) VALUES \(values);",
      name: "v.sqlite")
    // The name of a number is declared, and values are texts; one name thrice, and one that is empty.
    let browser = try await console(
      """
      select v, v as V, typeof(v) as "", quote(v) as "rowid", x.i from t, \
      (select 1 as i union all select v from t) x where x.i = 1 order by t.id
      """, file)
    let store = browser.browser.level.datastore
    let url = try #require(store.url)
    let copied = try TemporaryFile.values(
      of: url,
      "SELECT quote(v) || typeof(v) || hex(CAST(v AS BLOB)) FROM answer ORDER BY _rowid_")
    let expected = try file.values(
      "SELECT quote(v) || typeof(v) || hex(CAST(v AS BLOB)) FROM t ORDER BY id")
    #expect(copied == expected)
    let names = browser.browser.state.schema.entities.first?.properties.map(\.name)
    #expect(names == ["v", "V_2", "column_3", "rowid", "i"])
    await browser.press("q")
    #expect(!FileManager.default.fileExists(atPath: url.path) || browser.browser.levels.count == 1)
  }

  // Promise: two columns of an SQL answer have one name, or none → unique names; one whose name is free
  // keeps it.
  @Test func namesAreUnique() {
    #expect(
      DerivedTableColumns.unique(["a", "A", "", "a_2", "column_3", "_ROWID_"])
        == ["a", "A_3", "column_3_2", "a_2", "column_3", "_ROWID__2"])
  }

  // Promise: someone edits the rows of an answer; edits are staged below it → refused with a sentence;
  // those below stay.
  // Also: `AnswerTableTests.leavingItComesBackToWhereOneWas`
  @Test func nothingCanBeChangedInIt() async throws {
    let file = try TemporaryFile.company()
    let browser = try await console("select id, name from Employee", file)
    await browser.press("e")
    #expect(
      browser.browser.state.message?.text
        == "This is a copy of an SQL answer; change the rows in their own tables. q goes back.")
    #expect(!browser.hasOverlay)
  }

  // Promise: an answer never ends → first rows at once, 16 pages ahead at most, esc stops and what is there
  // stays.
  @Test func aLongAnswerIsThereAtOnceAndCanBeStopped() async throws {
    let file = try TemporaryFile.company()
    let browser = try await BrowserDriver(file)
    await browser.press("Q")
    await browser.type(
      "with recursive n (i) as (values (1) union all select i + 1 from n) select i from n")
    browser.terminal.press("enter")
    try await wait { browser.browser.levels.count == 2 }
    try await wait { browser.browser.state.derivedTable?.rows ?? 0 > 20_000 }
    try await wait { browser.browser.state.table?.list.keys.count ?? 0 > 4_000 }
    #expect(browser.browser.state.derivedTable?.phase == .reading)
    browser.terminal.press("esc")
    await browser.browser.idle()
    browser.expectShown("reading was stopped")
    #expect(browser.browser.state.derivedTable?.phase == .stopped)
    let count = browser.browser.state.table?.list.keys.count ?? 0
    #expect(count == browser.browser.state.derivedTable?.rows)
    await browser.press("G")
    let last = browser.browser.state.table.flatMap { table in
      table.currentKey.flatMap { table.rows[$0]?.cells.first?.text }
    }
    #expect(last?.filter(\.isNumber) == "\(count)")
  }

  @Test func refreshingAsksAgainAndKeepsTheView() async throws {
    let file = try TemporaryFile.company()
    let browser = try await console("select name, salary from Employee order by id", file)
    await browser.press("right", "s", "s", "down")
    #expect(column("name", browser).first == "Cid")
    try file.execute("UPDATE Employee SET salary = 9000 WHERE name = 'Dora'")
    await browser.press("r")
    #expect(browser.browser.levels.count == 2)
    #expect(column("name", browser).first == "Dora")
    #expect(browser.browser.state.table?.query.order.first?.ascending == false)
  }

  @Test func aSavedViewOfItIsTheStatement() async throws {
    let file = try TemporaryFile.company()
    let folder = try TemporaryDirectory()
    let state = folder.file("state")
    var browser = try await console(
      "select name, salary from Employee order by id", file, state: state)
    await browser.press("right", "s", "g", "w")
    await browser.type("paid")
    await browser.press("enter")
    browser.expectShown("The view “paid” of this statement is saved.")
    await browser.press("q", "esc", "q")
    try file.execute("UPDATE Employee SET salary = 1 WHERE name = 'Cid'")
    browser = try await BrowserDriver(file) { _ in BrowserOptions(stateDirectory: state) }
    await browser.press(":")
    await browser.type("paid")
    await browser.press("enter")
    #expect(browser.browser.levels.count == 2)
    #expect(browser.browser.state.table?.query.order.first?.keyPath == ["salary"])
    #expect(column("name", browser).prefix(2) == ["Dora", "Cid"])
    // From there the file's own views can be shown.
    await browser.press("q")
    #expect(browser.browser.levels.count == 1)
  }

  @Test func itsSQLAndItsCommandAskTheStatementAgain() async throws {
    let file = try TemporaryFile.company()
    let browser = try await console(
      "select name, name, salary from Employee order by id; -- end", file)
    await browser.press("right", "right", "s")
    await browser.press(":")
    await browser.type("copy-sql")
    await browser.press("enter")
    let sql = try #require(browser.terminal.clipboard)
    #expect(sql.contains("Employee"))
    #expect(
      try file.values("SELECT name_2 FROM (\(sql))")
        == file.values("SELECT name FROM Employee ORDER BY salary, id"), "\(sql)")
    await browser.press(":")
    await browser.type("copy-command")
    await browser.press("enter")
    let command = try #require(browser.terminal.clipboard)
    #expect(command.hasPrefix("datastore query "))
    #expect(command.contains("--sql"))
  }

  @Test func anAnswerCanBeAskedInTurn() async throws {
    let file = try TemporaryFile.company()
    let browser = try await console("select name, salary from Employee", file)
    await browser.press("Q")
    await browser.type("select count(*) as n from answer where salary > 2600")
    await browser.press("enter")
    #expect(browser.browser.levels.count == 3)
    #expect(column("n", browser) == ["3"])
    await browser.press("g", "w")
    browser.expectShown("and are gone the next time")
    await browser.press("q", "esc", "backspace")
    #expect(browser.browser.levels.count == 1)
  }

  /// Waits until something is so; very long, for a busy machine.
  private func wait(_ isSo: () -> Bool) async throws {
    for _ in 0..<5_000_000 {
      if isSo() { return }
      await Task.yield()
    }
    try #require(isSo())
  }
}
