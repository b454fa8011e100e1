import DatastoreCore
import DatastoreTestSupport
import Foundation
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// What can be made of an answer.
@MainActor
@Suite struct AnswerRefinementTests {
  private func answer(_ sql: String, _ file: TemporaryFile) async throws -> BrowserDriver {
    let browser = try await BrowserDriver(file, size: Size(columns: 100, rows: 24))
    await browser.press("Q")
    await browser.type(sql)
    await browser.press("enter")
    return browser
  }

  private func column(_ place: Int, _ browser: BrowserDriver) -> [Value] {
    guard let result = browser.browser.state.focusedResult else { return [] }
    return (0..<result.count).map { result.value(row: $0, column: place) ?? .null }
  }

  @Test func anAnswerIsSortedSearchedAndNarrowedDown() async throws {
    let file = try TemporaryFile.company()
    // Two columns of one name, a semicolon and a comment at the end.
    let browser = try await answer(
      "select name, salary, position as name from Employee order by id; -- all of them", file)
    #expect(column(0, browser).count == 5)
    await browser.press("right", "s")
    #expect(column(1, browser) == [.null, 2500.0, 2800.5, 3000.0, 3100.0])
    #expect(browser.status.contains("5 rows, sorted by salary ▲"))
    await browser.press("s")
    #expect(column(1, browser) == [3100.0, 3000.0, 2800.5, 2500.0, .null])
    // The second column called name.
    await browser.press("right", "home", "f")
    #expect(column(0, browser) == [.text("Cid"), .text("Ann")])
    #expect(browser.status.contains("2 rows, sorted by salary ▼, name = developer"))
    await browser.press("x", "/")
    await browser.type("es")
    await browser.press("enter")
    #expect(
      Set(column(2, browser)) == [.text("designer"), .text("tester")])
    await browser.press("x", "t")
    #expect(column(0, browser) == [.text("developer"), .null, .text("designer"), .text("tester")])
    #expect(column(1, browser) == [.integer(2), .integer(1), .integer(1), .integer(1)])
    #expect(
      try file.values("SELECT count(*) FROM Employee WHERE position = 'developer'") == ["2"])
    await browser.press("home", "f")
    #expect(Set(column(0, browser)) == [.text("Ann"), .text("Cid")])
    // It is copied and exported as it is shown.
    await browser.press("home", "0", "s", "Y")
    #expect(browser.terminal.clipboard == "Ann\t3000.0\tdeveloper\n")
  }

  @Test func whatIsNoTableIsLeftAsItIs() async throws {
    let browser = try await answer("pragma table_info(Employee)", .company())
    await browser.press("s")
    #expect(
      browser.status.contains(
        "Only the answers of SELECT, WITH and VALUES can be sorted, searched and narrowed down."))
    #expect(column(1, browser).count == 5)
  }

  /// Every value comes back as the one that was filtered by.
  @Test func anyValueCanBeFilteredBy() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, v);
      INSERT INTO t (v) VALUES
        (NULL), (0), (-9223372036854775808), (9007199254740993), (0.1), (1e300), (-9e999),
        (5.0e-324), (7.1e-9), (x''), (x'00ff'), (''), ('it''s'), ('a' || char(0) || 'b'),
        (CAST(x'ff41' AS TEXT)), ('%_\\'), ('é'), (2800.55);
      """, name: "v.sqlite")
    let count = try #require(try Int(file.values("SELECT count(*) FROM t")[0]))
    let browser = try await answer("values (1)", file)
    await browser.press("tab", "ctrl-u")
    await browser.type("select v, id from t order by id")
    await browser.press("enter")
    #expect(column(0, browser).count == count)
    for row in 0..<count {
      await browser.press("home")
      for _ in 0..<row { await browser.press("down") }
      await browser.press("f")
      #expect(column(1, browser) == [.integer(Int64(row + 1))], "row \(row + 1)")
      await browser.press("x")
    }
  }
}
