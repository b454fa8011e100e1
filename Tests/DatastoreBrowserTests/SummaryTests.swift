import DatastoreCore
import DatastoreTestSupport
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// Summaries of a column: derived tables, on which every command works.
@MainActor
@Suite struct SummaryTests {
  private func employees(
    _ column: String, size: Size = Size(columns: 80, rows: 24)
  ) async throws -> BrowserDriver {
    let driver = try await BrowserDriver(
      try .company(), size: size, options: { _ in BrowserOptions(entity: "Employee") })
    await driver.go(to: column)
    return driver
  }

  @Test func frequenciesCountEachValueAndEnterShowsItsRows() async throws {
    let driver = try await employees("position")
    await driver.press("t")
    driver.expectShown("values of position in Employee")
    driver.expect(
      driver.table,
      """
        position      rows  share
      > developer        2   40.0 % ████████████████████
        ∅                1   20.0 % ██████████
        designer         1   20.0 % ██████████
        tester           1   20.0 % ██████████
      """)
    await driver.press("enter")
    #expect(driver.browser.levels.count == 1)
    #expect(driver.status.contains("2 rows"))
    #expect(driver.status.contains("where position == \"developer\""))
  }

  @Test("The summaries of a column are tabs")
  func summariesAreTabs() async throws {
    let driver = try await employees("salary")
    await driver.press("t")
    driver.expectShown("[Counts] Statistics Histogram Sums")
    await driver.press("gt")
    driver.expectShown("statistics of salary in Employee")
    driver.expectShown("Counts [Statistics] Histogram Sums")
    #expect(driver.cells.first == ["rows", "5"])
    #expect(driver.browser.levels.count == 2)
    await driver.press("gt")
    driver.expectShown("distribution of salary in Employee")
    await driver.press("gT")
    driver.expectShown("statistics of salary in Employee")
    // Sums ask for the groups, as their key does.
    await driver.press("gT", "gT")
    #expect(driver.browser.state.overlay(as: ChartGroupPicker.self) != nil)
    await driver.type("position")
    await driver.press("enter")
    driver.expectShown("salary by position in Employee")
    driver.expectShown("Counts Statistics Histogram [Sums]")
    await driver.press("gt")
    driver.expectShown("values of salary in Employee")
    await driver.press("q")
    #expect(driver.browser.levels.count == 1)
    // A text has no histogram and no sums.
    await driver.go(to: "name")
    await driver.press("i")
    driver.expectShown("Counts [Statistics]")
    #expect(!driver.picture[0].contains("Histogram"))
    await driver.press("gt")
    driver.expectShown("values of name in Employee")
  }

  @Test("The title of a summary comes before its tabs")
  func aLongTitleHidesTheTabs() async throws {
    let driver = try await employees("salary")
    await driver.press("w")
    await driver.type("salary > 1000 AND name != \"Nobody\"")
    await driver.press("enter", "t")
    driver.expectShown("where salary > 1000 AND name")
    #expect(!driver.picture[0].contains("[Counts]"))
    await driver.press("gt")
    driver.expectShown("statistics of salary in Employee")
  }

  @Test("esc leaves what is there, also while its list is read again")
  func leavingWhileItIsReadAgain() async throws {
    let driver = try await employees("position")
    await driver.press("t")
    driver.expectShown("esc leave")
    driver.browser.level.state.table?.phase = .reading
    await driver.press("esc")
    #expect(driver.browser.levels.count == 1)
  }

  @Test("Totals of other columns are computed for each value, the greatest first")
  func totalsOfValues() async throws {
    let driver = try await employees("salary")
    await driver.press("g+")
    await driver.go(to: "position")
    await driver.press("t")
    driver.expect(
      driver.table,
      """
        position      rows  sum of salary    share
      > developer        2          6,100.0   40.0 % ████████████████████
        designer         1          2,800.5   20.0 % ██████████
        tester           1          2,500.0   20.0 % ██████████
        ∅                1  ∅                 20.0 % ██████████
      """)
    await driver.press("enter")
    #expect(driver.status.contains("where position == \"developer\""))
    await driver.go(to: "salary")
    await driver.press("x", "g+", "g+")
    await driver.go(to: "company")
    await driver.press("t")
    #expect(driver.picture[1].contains("least of salary"))
    #expect(driver.cells.map { $0[0] } == ["Borg", "Acme", "#99 is missing", "NULL"])
  }

  // Promise: values are chosen in a table of frequencies → Enter shows the rows of all of them.
  @Test func selectedValuesFilterTheTableBelow() async throws {
    let file = try TemporaryFile.company()
    let driver = try await BrowserDriver(file) { _ in BrowserOptions(entity: "Employee") }
    await driver.go(to: "position")
    await driver.press("t", "space", "space", "enter")
    let count = try file.values(
      "SELECT count(*) FROM Employee WHERE position IN ('developer') OR position IS NULL")
    #expect(driver.status.contains("\(count[0]) rows"))
    #expect(driver.status.contains("where position == \"developer\" OR position == NULL"))
    // Sorted, filtered and grouped rows lead to their rows below, too.
    await driver.press("x", "t", "s", "s", "w")
    await driver.type("rows == 1")
    await driver.press("enter")
    #expect(driver.cells.map { $0[0] } == ["tester", "designer", "NULL"])
    await driver.press("enter")
    #expect(driver.status.contains("where position == \"tester\""))
  }

  @Test func aSummaryIsOfTheFilteredRows() async throws {
    let driver = try await employees("position")
    await driver.press("w")
    await driver.type("salary > 2900")
    await driver.press("enter", "t")
    driver.expectShown("values of position in Employee, where salary > 2900")
    #expect(driver.cells == [["developer", "2", "1.0"]])
    await driver.press("enter")
    #expect(driver.status.contains("where salary > 2900 AND position == \"developer\""))
  }

  @Test func summariesSayThatTheyAreOfTheSavedRows() async throws {
    let driver = try await employees("salary")
    let words = "of the rows that are saved"
    await driver.press("t")
    #expect(driver.browser.state.message?.text.contains(words) != true)
    await driver.press("q", "home", "e", "ctrl-u")
    await driver.type("1000")
    await driver.press("enter")
    for key in ["t", "i", "I", "O"] {
      await driver.press(key)
      #expect(driver.browser.levels.count == 2, "\(key)")
      #expect(driver.browser.state.message?.text.contains(words) == true, "\(key)")
      await driver.press("r")
      #expect(driver.browser.state.message?.text.contains(words) == true, "\(key) again")
      await driver.press("q")
    }
    await driver.press("g+")
    #expect(driver.browser.state.message?.text == "The sum of salary, \(words).")
  }

  @Test func goingBackFromTheRowsBehindTakesTheFormerFilterBack() async throws {
    let driver = try await employees("position")
    await driver.press("w")
    await driver.type("salary > 2000")
    await driver.press("enter", "t", "enter")
    #expect(driver.status.contains("where salary > 2000 AND position == \"developer\""))
    await driver.press("backspace")
    #expect(driver.status.contains("where salary > 2000"), "\(driver.status)")
    #expect(!driver.status.contains("position =="), "\(driver.status)")
    await driver.press("=")
    #expect(driver.status.contains("position == \"developer\""), "\(driver.status)")
  }

  @Test func relatedObjectsAreCountedByTheirNames() async throws {
    let driver = try await employees("company")
    await driver.press("t")
    #expect(
      driver.cells.map { $0.prefix(2).joined(separator: " ") }
        == ["Acme 2", "NULL 1", "Borg 1", "#99 is missing 1"])
    await driver.press("enter")
    #expect(driver.status.contains("where company == 1"))
  }

  @Test func theTableIsCountedAgain() async throws {
    let file = try TemporaryFile.company()
    let driver = try await BrowserDriver(file) { _ in BrowserOptions(entity: "Employee") }
    await driver.go(to: "position")
    await driver.press("t")
    try file.execute("UPDATE Employee SET position = 'developer' WHERE position = 'tester'")
    await driver.press("r")
    #expect(driver.cells.first?.prefix(2) == ["developer", "3"])
    #expect(driver.browser.levels.count == 2)
    // It can be summarised in turn, and left step by step.
    await driver.press("right", "t")
    driver.expectShown("values of rows in values")
    await driver.press("q", "q")
    #expect(driver.browser.levels.count == 1)
  }

  @Test func nothingOfItCanBeChanged() async throws {
    let driver = try await employees("position")
    await driver.press("t", "e")
    #expect(
      driver.browser.state.message?.text
        == "This is a copy of values of position; change the rows in their own tables. q goes back."
    )
    await driver.press("g", "w")
    driver.expectShown("These rows were derived from others")
  }

  @Test func statisticsOfNumbersAndTexts() async throws {
    let driver = try await employees("salary")
    await driver.press("i")
    #expect(
      driver.cells == [
        ["rows", "5"], ["NULL", "1"], ["different values", "4"], ["least", "2500.0"],
        ["greatest", "3100.0"], ["mean", "2850.125"], ["median", "2900.25"],
        ["standard deviation", "264.5437503"], ["sum", "11400.5"],
      ])
    driver.expectShown("11,400.5")
    await driver.press("down", "enter")
    #expect(driver.status.contains("where salary == NULL"))
    await driver.press("x")
    await driver.go(to: "name")
    await driver.press("i")
    #expect(driver.cells.contains(["characters of the longest text", "4"]))
    #expect(driver.cells.contains(["empty texts", "1"]))
    #expect(!driver.cells.contains { $0[0] == "mean" })
  }

  @Test func aHistogramSpreadsNumbersAndEnterShowsAnInterval() async throws {
    let driver = try await employees("id")
    await driver.press("I")
    #expect(driver.columnNames == ["from", "below", "rows", "share"])
    #expect(driver.cells.first == ["1.0", "2.0", "1", "0.2"])
    await driver.press("down", "enter")
    #expect(driver.status.contains("1 row"))
    #expect(driver.table.contains { $0.contains("Bob") })
  }

  @Test func textHasNoHistogramAndSaysSo() async throws {
    let driver = try await employees("name")
    await driver.press("I")
    driver.expectShown("name holds no numbers or dates that could be spread over intervals")
    #expect(driver.browser.levels.count == 1)
    await driver.press("t")
    #expect(driver.cells.count == 5)
  }

  @Test func aChartOfDatesHasNoSum() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE Event (id INTEGER PRIMARY KEY, kind TEXT, created_at INTEGER);
      INSERT INTO Event VALUES (1, 'a', 1700000000), (2, 'a', 1710000000), (3, 'b', 1720000000);
      """)
    let driver = try await BrowserDriver(file, annotations: SchemaAnnotations())
    await driver.press("right", "gb", "right", "b")
    #expect(driver.columnNames == ["kind", "rows", "first", "last", "bar"])
    #expect(
      driver.cells.first == ["a", "2", "2023-11-14 22:13:20", "2024-03-09 16:00:00", "1.0"])
  }

  @Test func aChartAddsUpByTheSectionsOfTheTable() async throws {
    let driver = try await employees("company")
    await driver.press("gb", "left", "b")
    driver.expectShown("salary by company in Employee")
    let acme = try #require(driver.cells.first { $0[0] == "Acme" })
    #expect(acme == ["Acme", "2", "2900.25", "2800.5", "3000.0", "5800.5", "1.0"])
    await driver.go(to: "sum")
    await driver.press("s", "s", "home")
    #expect(driver.cells.first?.first == "Acme")
    await driver.press("enter")
    #expect(driver.status.contains("2 rows"))
  }

  @Test func withoutSectionsAChartAsksWhatMakesTheGroups() async throws {
    let driver = try await employees("salary")
    await driver.press("b")
    let picker = try #require(driver.browser.state.overlay(as: ChartGroupPicker.self))
    #expect(
      picker.list.matches.map(\.text) == ["name", "position", "company", "Task.@count", "id"])
    #expect(picker.list.current?.text == "company")
    await driver.press("esc")
    #expect(!driver.hasOverlay)
    await driver.press("b")
    await driver.type("pos")
    await driver.press("enter")
    driver.expectShown("salary by position in Employee")
    #expect(driver.cells.count == 4)
    // If there is nothing to add up, no question opens.
    await driver.press("q")
    await driver.go(to: "position")
    await driver.press("b")
    #expect(driver.status.contains("position holds no numbers or dates."))
  }

  // Promise: a table is summed up that is longer than a screen of seconds → the first rows are summed up at
  // once, the rest replaces them, and what was sorted stays so.
  @Test func ofManyRowsTheFirstAreSummedUpAtOnce() async throws {
    let file = try TemporaryFile.large(30_000)
    let driver = try await BrowserDriver(file)
    await driver.press("right", "right")
    driver.terminal.press("t", "s")
    await driver.browser.idle()
    #expect(driver.browser.levels.count == 2)
    #expect(driver.browser.state.derivedTable?.phase == .whole)
    #expect(driver.cells.compactMap { Int($0[1]) }.reduce(0, +) == 30_000)
    #expect(driver.browser.state.table?.query.order.count == 1)
    // The state below meanwhile.
    let below = driver.browser.levels[0]
    let table = try #require(driver.browser.level.above as? DerivedStore).table
    guard case .rows(let request) = table.source else {
      Issue.record("rows are counted")
      return
    }
    #expect(request.sample.count == DerivedRows.Request.sampled)
    #expect(request.rowCount == 30_000)
    let part = try await request.compute(below.runner, request.sample, nil)
    #expect(part.rows.compactMap { $0[1].number }.reduce(0, +) == 2_000)
    let shown = DerivedTableState.Shown(
      origin: .rows(title: ""), rows: 3, phase: .partial(of: 2_000, percent: 42))
    #expect(
      shown.note == "of the first 2,000 rows, all are being read… 42 %")
  }

  @Test(arguments: [Size(columns: 80, rows: 24), Size(columns: 200, rows: 60)])
  func everySummaryFitsTheScreenInAsciiToo(_ size: Size) async throws {
    for glyphs in [GlyphSet.unicode, .ascii] {
      let driver = try await BrowserDriver(
        try .company(), size: size, glyphs: glyphs,
        options: { _ in BrowserOptions(entity: "Employee") })
      await driver.go(to: "salary")
      for keys in [["t"], ["i"], ["I"], ["b", "enter"], ["O"]] {
        for key in keys { await driver.press(key) }
        #expect(driver.browser.levels.count == 2, "\(keys)")
        #expect(driver.picture.allSatisfy { $0.displayWidth() <= size.columns })
        if glyphs == .ascii {
          #expect(driver.picture.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
        }
        await driver.press("q")
      }
    }
  }

  // Promise: a long summary runs → it says how far it is, and never 100 % before it is done.
  @Test func percentagesAreOfWhatTheSampleHasCost() {
    let progress = DerivedTableProgress()
    #expect(progress.percent(50, of: 1_000, sample: 10) == nil)
    let summed = SummedProgress { progress.recordSample($0) }
    summed.next()?(4)
    summed.next()?(6)
    // The sample has cost 10, so that all of it will cost 1,000.
    #expect(progress.percent(50, of: 1_000, sample: 10) == 5)
    #expect(progress.percent(50, of: 1_000, sample: 10) == nil)
    #expect(progress.percent(2_000, of: 1_000, sample: 10) == 99)
  }

  @Test func escapeEndsTheReading() async throws {
    let driver = try await BrowserDriver(
      try .large(50_000), options: { _ in BrowserOptions(entity: "Big") })
    driver.terminal.press("t", "esc", "I")
    await driver.browser.idle()
    driver.expectShown("distribution of ")
    #expect(driver.browser.levels.count <= 3)
  }
}
