import DatastoreCore
import TerminalUI
import Testing

@testable import DatastoreBrowser

@MainActor
@Suite struct SummaryTests {
  private func employees(_ column: String, size: Size = Size(columns: 80, rows: 24)) async throws
    -> BrowserDriver
  {
    let driver = try await BrowserDriver(
      try .company(), size: size, options: { _ in BrowserOptions(entity: "Employee") })
    while driver.browser.state.table?.currentColumn?.name != column { await driver.press("right") }
    return driver
  }

  private func lines(_ driver: BrowserDriver) -> [String] {
    let area = SummaryState.area(in: driver.terminal.size).inset(horizontal: 2, vertical: 1)
    return driver.picture(of: area)
  }

  @Test func frequenciesCountEachValueAndEnterShowsItsRows() async throws {
    let driver = try await employees("position")
    await driver.press("t")
    driver.expect(
      lines(driver),
      """
      4 values in all 5 rows

      position        rows ▼   share
      developer            2  40.0 %  ██████████████████████████████████████████
      ∅                    1  20.0 %  █████████████████████
      designer             1  20.0 %  █████████████████████
      tester               1  20.0 %  █████████████████████
      """)
    await driver.press("enter")
    #expect(driver.browser.state.overlays.isEmpty)
    #expect(driver.status.contains("2 rows"))
    #expect(driver.status.contains("where position == \"developer\""))
  }

  @Test func theRowsWithoutAValueAreFoundToo() async throws {
    let driver = try await employees("position")
    await driver.press("t", "down", "enter")
    #expect(driver.status.contains("1 row"))
    #expect(driver.table.contains { $0.contains("Dora") })
  }

  @Test func aSummaryIsOfTheFilteredRows() async throws {
    let driver = try await employees("position")
    await driver.press("w")
    await driver.type("salary > 2900")
    await driver.press("enter", "t")
    #expect(lines(driver)[0] == "1 value in 2 rows of the filter")
  }

  @Test func relatedObjectsAreCountedByTheirNames() async throws {
    let driver = try await employees("company")
    await driver.press("t")
    #expect(lines(driver).contains { $0.hasPrefix("Acme") && $0.contains("2  40.0 %") })
    #expect(lines(driver).contains { $0.hasPrefix("#99 is missing") })
    await driver.press("s")
    #expect(lines(driver)[3].hasPrefix("∅"))
  }

  @Test func statisticsOfNumbersAndTexts() async throws {
    let driver = try await employees("salary")
    await driver.press("i")
    driver.expect(
      lines(driver),
      """
      all rows

      rows                    5
      NULL                    1
      different values        4
      least                   2,500.0
      greatest                3,100.0
      mean                    2,850.125
      median                  2,900.25
      standard deviation      264.5437503
      sum                     11,400.5
      """)
    await driver.press("esc", "0", "right", "i")
    #expect(lines(driver).contains("longest text            4 characters"))
    #expect(lines(driver).contains("empty texts             1"))
    #expect(!lines(driver).contains { $0.hasPrefix("mean") })
  }

  @Test func aHistogramSpreadsNumbersAndEnterShowsAnInterval() async throws {
    let driver = try await employees("id")
    await driver.press("I")
    #expect(lines(driver)[0] == "5 numbers from 1 to 5, all rows")
    #expect(lines(driver)[3].hasPrefix("1 … 2 "))
    #expect(lines(driver)[3].contains("1  20.0 %"))
    await driver.press("down", "enter")
    #expect(driver.status.contains("1 row"))
    #expect(driver.table.contains { $0.contains("Bob") })
  }

  @Test func textHasNoHistogramAndSaysSo() async throws {
    let driver = try await employees("name")
    await driver.press("I")
    #expect(lines(driver)[0].hasPrefix("There are no numbers here"))
    await driver.press("enter")
    #expect(driver.status.contains("This line has no rows to show."))
    await driver.press("t")
    #expect(lines(driver)[0].hasPrefix("5 values in all 5 rows"))
  }

  @Test func aChartOfDatesHasNoSum() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE Event (id INTEGER PRIMARY KEY, kind TEXT, created_at INTEGER);
      INSERT INTO Event VALUES (1, 'a', 1700000000), (2, 'a', 1710000000), (3, 'b', 1720000000);
      """)
    let driver = try await BrowserDriver(file, annotations: SchemaAnnotations())
    await driver.press("right", "gb", "right", "b")
    driver.expectShown("2023-11-14 22:13:20")
    driver.expectShown("2024-03-09 16:00:00")
    #expect(!driver.picture.contains { $0.contains("sum") || $0.contains("mean") })
  }

  @Test func ofManyRowsTheFirstAreSummedUpAtOnce() async throws {
    let driver = try await BrowserDriver(.large(30_000))
    await driver.press("right", "right", "t")
    let request = try #require(driver.browser.state.overlay(as: SummaryState.self)?.request)
    #expect(request.sample.count == SummaryRequest.sampled)
    driver.expectShown("3 values in all 30,000 rows")
    var summary = SummaryState(request)
    let read = await answers(to: [.summarize(request)], over: driver.datastore)
      .compactMap { $0 as? SummaryRead }
    #expect(read.map(\.isPartial) == [true, false])
    summary.apply(read[0].result, of: request.number, isPartial: read[0].isPartial)
    var buffer = ScreenBuffer(size: Size(columns: 80, rows: 24))
    _ = summary.draw(into: &buffer, in: driver.browser.state)
    let picture = buffer.picture.joined(separator: "\n")
    #expect(
      picture.contains("3 values in the first 2,000 rows, all are being read…"),
      "\(picture)")
    #expect(picture.contains("esc stops"))
    // Nobody exports the part for the whole.
    var state = driver.browser.state
    state.changeOverlay(as: SummaryState.self) { $0 = summary }
    #expect(DisabledReason.noSummary.reason(state) == "The summary is still being computed.")
    // A short list is read at once.
    let short = try await BrowserDriver(.company()) { _ in BrowserOptions(entity: "Employee") }
    await short.press("t")
    #expect(short.browser.state.overlay(as: SummaryState.self)?.request.sample.isEmpty == true)
  }

  @Test func aChartAddsUpByTheSectionsOfTheTable() async throws {
    let driver = try await employees("company")
    await driver.press("gb", "left", "b")
    #expect(lines(driver)[0] == "salary by company, 4 groups, all rows")
    #expect(
      lines(driver).contains {
        $0.hasPrefix("Acme") && $0.contains("2,900.25") && $0.contains("5,800.5")
      })
    await driver.press("s")
    #expect(lines(driver)[3].hasPrefix("Acme"))
    await driver.press("enter")
    #expect(driver.status.contains("2 rows"))
  }

  @Test func withoutSectionsAChartAsksWhatMakesTheGroups() async throws {
    let driver = try await employees("salary")
    await driver.press("b")
    let picker = try #require(driver.browser.state.overlay(as: ChartGroupPicker.self))
    #expect(picker.list.matches.map(\.text) == ["id", "name", "position", "company"])
    #expect(picker.list.current?.text == "company")
    driver.expectShown("Chart of salary by")
    await driver.type("pos")
    await driver.press("enter")
    #expect(lines(driver)[0] == "salary by position, 4 groups, all rows")
    // From a summary as well; Escape leaves that as it is.
    await driver.press("esc", "i", "b", "esc")
    #expect(lines(driver)[0] == "all rows")
    await driver.press("b", "enter")
    #expect(lines(driver)[0] == "salary by company, 4 groups, all rows")
    await driver.press("esc")
    #expect(driver.browser.state.overlays.isEmpty)
    // Where there is nothing to add up nothing is asked.
    await driver.press("left", "b")
    #expect(lines(driver)[0] == "There are no numbers here to add up; go to a column of numbers.")
  }

  @Test func closingEndsWhatIsComputed() async throws {
    let driver = try await BrowserDriver(
      try .large(50_000), options: { _ in BrowserOptions(entity: "Big") })
    driver.terminal.press("t", "esc", "i", "esc", "I")
    await driver.browser.idle()
    #expect(driver.browser.state.overlay(as: SummaryState.self)?.request.kind == .histogram)
    #expect(lines(driver)[0] == "50,000 numbers from 1 to 50,000, all rows")
  }

  @Test(arguments: [Size(columns: 80, rows: 24), Size(columns: 200, rows: 60)])
  func everySummaryFitsTheScreenInAsciiToo(_ size: Size) async throws {
    for glyphs in [GlyphSet.unicode, .ascii] {
      let driver = try await BrowserDriver(
        try .company(), size: size, glyphs: glyphs,
        options: { _ in BrowserOptions(entity: "Employee") })
      await driver.press("$", "left")
      for key in ["t", "i", "I", "b"] {
        await driver.press(key)
        #expect(driver.picture.allSatisfy { $0.displayWidth() <= size.columns })
        if glyphs == .ascii {
          #expect(driver.picture.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
        }
      }
    }
  }

  // Promise: a long summary runs → it says how far it is, never 100 % before it is done, and ends with esc.
  @Test func aLongSummarySaysHowFarItHasCome() async throws {
    let browser = try await BrowserDriver(.large(150_000))
    await browser.press("right", "right")
    var state = browser.browser.state
    let effects = state.update(UserInput(.key("t")))
    let events = await answers(to: effects, over: browser.datastore)
    let percents = events.compactMap { ($0 as? SummaryProgressed)?.percent }
    #expect(percents.count > 5, "\(percents)")
    #expect(percents == percents.sorted())
    #expect(percents.allSatisfy { (1...99).contains($0) })
    #expect(try #require(percents.last) > 50)
    let first = try #require(events.first as? SummaryRead)
    #expect(first.isPartial)
    _ = state.update(first)
    _ = state.update(SummaryProgressed(number: first.number, percent: 42))
    _ = state.update(SummaryProgressed(number: first.number + 1, percent: 43))
    var buffer = ScreenBuffer(size: state.size)
    _ = state.draw(into: &buffer)
    #expect(buffer.picture.joined().contains("all are being read… 42 %"))
    // Escape ends the reading.
    #expect(state.update(UserInput(.key("esc"))).map(\.name) == ["stopSummarizing"])
    #expect(state.overlays.isEmpty)
  }
}
