import DatastoreCore
import DatastoreTestSupport
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// JSON in a column: its objects are columns, its arrays a table, its places conditions and groups.
@MainActor
@Suite struct JSONColumnTests {
  private func browser(_ file: TemporaryFile) async throws -> BrowserDriver {
    let browser = try await BrowserDriver(file, size: Size(columns: 130, rows: 20)) { _ in
      BrowserOptions(entity: "event", stateDirectory: nil)
    }
    await browser.type("0l")
    return browser
  }

  private func file() throws -> TemporaryFile {
    try TemporaryFile(
      """
      CREATE TABLE event (id INTEGER PRIMARY KEY, payload JSON, size INTEGER);
      INSERT INTO event VALUES
        (1, '{"user": {"name": "Ann", "age": 31}, "tags": ["new", "big"], "items": [{"sku": "a", "n": 2}, {"sku": "b", "price": 1.5}]}', 1),
        (2, '{"user": {"name": "Bob"}, "tags": [], "ok": true}', 2), (3, 'no JSON', 3), (4, NULL, 4),
        (5, '{"user": {"name": "Ann", "age": "old"}, "odd name": [1]}', 5);
      """)
  }

  private func names(_ browser: BrowserDriver) -> [String] {
    guard let table = browser.browser.state.table else { return [] }
    return table.arrangement.shown.map { table.columns[$0].name }
  }

  private func cells(_ name: String, _ browser: BrowserDriver) -> [String] {
    guard let table = browser.browser.state.table,
      let index = table.columns.firstIndex(where: { $0.name == name })
    else { return [] }
    return table.list.keys.map { table.rows[$0]?.cells[index].shown(Marks(.ascii)).text ?? "…" }
  }

  @Test func membersAreColumnsAndBack() async throws {
    let file = try file()
    let browser = try await browser(file)
    #expect(browser.browser.state.table?.currentColumn?.name == "payload")
    await browser.press("g.")
    let members = ["user", "tags", "items", "ok", "`odd name`"].map { "payload.\($0)" }
    #expect(names(browser) == ["id", "payload"] + members + ["size"])
    #expect(cells("payload.ok", browser) == ["NULL", "1", "NULL", "NULL", "NULL"])
    // A member that is an object has members itself.
    await browser.press("right", "g.")
    #expect(cells("payload.user.name", browser) == ["Ann", "Bob", "NULL", "NULL", "Ann"])
    #expect(cells("payload.user.age", browser) == ["31", "NULL", "NULL", "NULL", "old"])
    await browser.press("g.")
    #expect(names(browser) == ["id", "payload"] + members + ["size"])
    await browser.press("g.", "left", "g.")
    #expect(names(browser) == ["id", "payload", "size"])
  }

  @Test func objectsAreNotCalledByTheirJSON() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE event (id INTEGER PRIMARY KEY, payload TEXT);
      INSERT INTO event VALUES (1, '{"user": "Ann"}'), (2, 'plain');
      """)
    let browser = try await browser(file)
    browser.expectShown("─ event #1 ─")
    await browser.press("down")
    browser.expectShown("─ event plain ─")
  }

  @Test func titlesKeepTheEndsOfPaths() async throws {
    let file = try file()
    let browser = try await browser(file)
    await browser.press("g.", "right", "g.")
    await browser.resize(70, 20)
    browser.expectShown("…ad.user.name")
  }

  @Test func theyAreSortedFilteredAndGrouped() async throws {
    let file = try file()
    let browser = try await browser(file)
    await browser.press("w")
    await browser.type("payload.user.age > 30")
    await browser.press("enter")
    // Text comes after numbers, as SQLite has it.
    #expect(cells("id", browser) == ["1", "5"])
    #expect(
      try file.values(
        """
        SELECT id FROM event WHERE json_valid(payload) AND json_extract(payload, '$.user.age') > 30
        """) == ["1", "5"])
    await browser.press("x", "g.", "right", "g.", "right")
    #expect(browser.browser.state.table?.currentColumn?.name == "payload.user.name")
    await browser.press("gb")
    browser.expectShown("Ann")
    #expect(browser.browser.state.table?.list.sections.count == 3)
    // SQLite's own functions are the witness.
    #expect(
      try file.values(
        """
        SELECT count(DISTINCT ifnull(json_extract(payload, '$.user.name'), '')) FROM event
        WHERE payload IS NULL OR json_valid(payload)
        """) == ["3"])
    await browser.press("gb", "f")
    #expect(cells("id", browser) == ["1", "5"])
    // A condition means the same if the member is a column.
    await browser.press("x", "w")
    await browser.type("payload.user.name == \"Bob\"")
    await browser.press("enter")
    #expect(cells("id", browser) == ["2"])
  }

  @Test func membersAreOfferedInFilters() async throws {
    let file = try file()
    let browser = try await browser(file)
    await browser.press("w")
    await browser.type("payload.us")
    await browser.press("tab")
    await browser.type(".na")
    await browser.press("tab")
    // The next member follows its dot, without a blank.
    browser.expectShown("payload.user.name")
    await browser.type(" == 'Bob'")
    await browser.press("enter")
    #expect(cells("id", browser) == ["2"])
  }

  @Test func elementsAreATable() async throws {
    let file = try file()
    let browser = try await browser(file)
    await browser.press("g.", "right", "right", "right")
    #expect(browser.browser.state.table?.currentColumn?.name == "payload.items")
    await browser.press("g[")
    #expect(names(browser) == ["row", "element", "sku", "n", "price"])
    #expect(cells("sku", browser) == ["a", "b"])
    #expect(cells("price", browser) == ["NULL", "1.5"])
    await browser.press("s", "s")
    await browser.press("enter")
    #expect(browser.browser.state.entity?.name == "event")
    #expect(browser.browser.state.table?.currentKey == 1)
    // Elements that are no objects.
    await browser.press("left", "g[")
    #expect(names(browser) == ["row", "element", "value"])
    #expect(cells("value", browser) == ["new", "big"])
    // Those of all rows if all are selected, wherever the cursor is: the second row has none.
    await browser.press("esc", "down", "ctrl-a", "g[")
    #expect(cells("value", browser) == ["new", "big"])
  }

  @Test func whatHasNoJSONSaysSo() async throws {
    let file = try file()
    let browser = try await browser(file)
    await browser.press("right", "g.")
    #expect(browser.status.contains("size has no JSON objects in its first rows"))
    await browser.press("left", "w")
    await browser.type("id == 3")
    await browser.press("enter", "g.")
    #expect(browser.status.contains("payload has no JSON objects in its first rows"))
    await browser.press("g[")
    #expect(browser.status.contains("There is no JSON array with elements in payload here"))
  }
}
