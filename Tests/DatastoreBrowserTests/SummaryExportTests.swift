import DatastoreTestSupport
import Foundation
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// Summaries are copied and written to files like any table.
@MainActor
@Suite struct SummaryExportTests {
  private func employees(_ column: String, _ keys: String...) async throws -> BrowserDriver {
    let driver = try await BrowserDriver(
      try .company(), options: { _ in BrowserOptions(entity: "Employee") })
    await driver.go(to: column)
    for key in keys { await driver.press(key) }
    return driver
  }

  /// Presses E, types a path and returns the text of the file.
  private func exported(
    _ driver: BrowserDriver, as fileExtension: String
  ) async throws -> String {
    let directory = try TemporaryDirectory()
    let url = directory.file("summary.\(fileExtension)")
    await driver.press("E")
    #expect(driver.browser.state.overlay(as: ExportScreen.self) != nil)
    await driver.press("ctrl-u")
    await driver.type(url.path)
    await driver.press("enter")
    return try String(contentsOf: url, encoding: .utf8)
  }

  @Test func valuesAndRowsAreCopied() async throws {
    let driver = try await employees("position", "t", "yy")
    #expect(driver.terminal.clipboard == "developer")
    await driver.press("Y")
    #expect(driver.terminal.clipboard == "developer\t2\t0.4\n")
    await driver.press("ctrl-y")
    #expect(driver.terminal.clipboard == "position\trows\tshare\ndeveloper\t2\t0.4\n")
    #expect(driver.browser.levels.count == 2)
  }

  @Test func frequenciesInTheOrderOfTheScreen() async throws {
    let driver = try await employees("position", "t")
    #expect(
      try await exported(driver, as: "csv").replacing("\r\n", with: "\n")
        == "position,rows,share\ndeveloper,2,0.4\n,1,0.2\ndesigner,1,0.2\ntester,1,0.2\n")
    await driver.press("s")
    let sorted = try await exported(driver, as: "tsv")
    #expect(sorted.contains("designer\t1\t0.2"))
    #expect(sorted.contains("rows\tshare"))
  }

  @Test func statisticsHistogramAndChart() async throws {
    let driver = try await employees("salary", "i")
    let statistics = try await exported(driver, as: "csv")
    #expect(statistics.contains("mean,2850.125"))
    #expect(statistics.contains("median,2900.25"))
    await driver.press("q", "I")
    let histogram = try await exported(driver, as: "json")
    #expect(histogram.contains("\"from\""))
    #expect(histogram.contains("2500"))
    await driver.press("q", "b")
    await driver.type("position")
    await driver.press("enter")
    let chart = try await exported(driver, as: "md")
    #expect(chart.hasPrefix("| position | rows | mean |"))
  }
}
