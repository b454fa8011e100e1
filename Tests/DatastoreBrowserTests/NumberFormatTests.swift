import DatastoreTestSupport
import Foundation
import Testing

@testable import DatastoreBrowser

@Suite struct NumberFormatTests {
  /// The results of LibreOffice, and for sizes and durations those of `numfmt --to=si` and of clocks.
  @Test(
    arguments: [
      (",", "1234567.25", "1,234,567.25"), (",", "-1234", "-1,234"), ("0", "2.5", "3"),
      ("0", "-2.5", "-3"),
      ("0.00", "1234.5", "1234.50"), ("0.00", "0.125", "0.13"), ("0.00", "-0.001", "0.00"),
      ("#,##0.00", "1234567.891", "1,234,567.89"), ("#,##0.00 €", "-5", "-5.00 €"),
      ("€ #,##0", "1234.5", "€ 1,235"), ("CHF 0.00", "7", "CHF 7.00"), ("0 %", "0.125", "13 %"),
      ("0.0%", "1", "100.0%"), ("0.00e0", "123456", "1.23e+05"), ("bytes", "999", "999 B"),
      ("bytes", "1500000", "1.5 MB"), ("bytes", "999960", "1.0 MB"), ("duration", "45", "0:00:45"),
      ("duration", "3725.25", "1:02:05.250"), ("duration", "-183845", "-2 d 3:04:05"),
      ("0.00", "12345678901234567890.125", "12345678901234567890.13"), ("0.0", "1e300", "1e300"),
      ("0.00", "no number", "no number"), ("0.00", "", ""), ("0.00", "inf", "inf"),
    ])
  func texts(pattern: String, number: String, expected: String) throws {
    let format = try #require(NumberFormat(pattern))
    #expect(format.text(of: number) == expected)
  }

  @Test(arguments: ["", "x", "0.0.0", "#.##", "1", "0,00", "far too long 0", "0 0"])
  func whatIsNoPattern(_ text: String) {
    #expect(NumberFormat(text) == nil)
  }

  @Test func isKeptAsItsPatternAndReadsWhatWasKeptBefore() throws {
    var settings = ColumnSettings()
    settings.numbers["a"] = NumberFormat("#,##0.00 €")
    let data = try JSONEncoder().encode(settings)
    #expect(try JSONDecoder().decode(ColumnSettings.self, from: data) == settings)
    let former = try JSONDecoder().decode(
      ColumnSettings.self, from: Data(#"{"grouped": ["n"]}"#.utf8))
    #expect(former.numbers == ["n": .grouped])
  }

  @MainActor @Test func aColumnAndItsTotalAreWrittenSo() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE T (id INTEGER PRIMARY KEY, price REAL, part REAL);
      INSERT INTO T VALUES (1, 1234.5, 0.5), (2, 99.125, 0.125), (3, -7, 1);
      """)
    let browser = try await BrowserDriver(file)
    await browser.press("right", ",")
    #expect(browser.status.contains("price, here 1,234.5, is written as: ,"))
    await browser.type("0.0.0")
    await browser.press("enter")
    browser.expectShown("Write it as 0.00")
    await browser.press("ctrl-u")
    await browser.type("#,##0.00 €")
    await browser.press("enter", "right", ",")
    await browser.type("0.0 %")
    await browser.press("enter", "left")
    await browser.press("g+")
    browser.expect(
      Array(browser.table.prefix(4)),
      """
          id         price     part
      >    1    1,234.50 €   50.0 %
           2       99.13 €   12.5 %
           3       -7.00 €  100.0 %
      """)
    browser.expectShown("1,326.63 €")
    await browser.press(",", "ctrl-u", "enter")
    #expect(browser.table[1].contains("1234.5 "))
  }
}
