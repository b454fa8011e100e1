import DatastoreCore
import DatastoreTestSupport
import Foundation
import TerminalUI
import Testing

@testable import DatastoreBrowser

@MainActor
@Suite struct ValueScreenTests {
  private func file() throws -> TemporaryFile {
    try TemporaryFile(
      """
      CREATE TABLE T (id INTEGER PRIMARY KEY, json TEXT, long TEXT, data BLOB, missing TEXT);
      INSERT INTO T VALUES (
        1, '{ "b": [1, 2.50, {}],' || char(10) || '  "a": "x\\"y" }',
        '\(String(repeating: "All work and no play. ", count: 100))needle' || char(10) || 'end',
        x'89504E470D0A1A0A0000000D49484452000000', NULL),
        (2, '{ not json', '', x'', 'z');
      """)
  }

  @Test func jsonIsSpreadOverLines() async throws {
    let browser = try await BrowserDriver(file())
    #expect(browser.table[1].contains(#"{"b":[1,2.50,"#))
    await browser.press("right", "V")
    browser.expect(
      Array(browser.picture[1...9]).map { String($0.dropFirst().prefix(30)) }.map { line in
        String(line.reversed().drop { $0 == " " }.reversed())
      },
      """
      {
        "b": [
          1,
          2.50,
          {}
        ],
        "a": "x\\"y"
      }
      """)
    #expect(browser.picture[0].contains("json"))
    #expect(browser.picture[21].contains("as JSON, 8 lines"))
    await browser.press("f")
    #expect(browser.picture[1].contains(#"{ "b": [1, 2.50, {}],"#))
    #expect(browser.picture[21].contains("as text, 2 lines"))
    await browser.press("f")
    #expect(browser.picture[1].contains("00000000  7b 20 22 62"))
    await browser.press("esc", "down", "V")
    #expect(browser.picture[1].contains("{ not json"))
    #expect(browser.picture[21].contains("as text"))
  }

  // Promise: a text has CR LF → its lines are lines, in `V` and in the details.
  @Test(arguments: ["char(10)", "char(13, 10)", "char(13)"])
  func everyLineEndEndsALine(_ end: String) async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE T (id INTEGER PRIMARY KEY, t TEXT);
      INSERT INTO T VALUES (1, 'line one' || \(end) || 'line two' || \(end) || \(end) || 'line four');
      """)
    let browser = try await BrowserDriver(file)
    await browser.press("right", "V")
    let shown = browser.picture[1...4].map { line in
      line.filter { !"│┃".contains($0) }.trimmingCharacters(in: .whitespaces)
    }
    #expect(shown == ["line one", "line two", "", "line four"])
    #expect(browser.picture[21].contains("as text, 4 lines"))
    await browser.press("esc")
    #expect(browser.detail.contains { $0.contains("line one") && !$0.contains("line two") })
    #expect(browser.detail.contains { $0.contains("line two") && !$0.contains("line one") })
  }

  @Test func longTextIsWrappedScrolledAndSearched() async throws {
    let browser = try await BrowserDriver(file())
    await browser.press("right", "right", "V")
    #expect(browser.picture[0].contains("text, 2,210 characters"))
    let whole = (1...20).map { browser.picture[$0] }
    #expect(whole.allSatisfy { $0.contains("work") })
    await browser.press("/")
    await browser.type("needle")
    #expect(browser.picture.contains { $0.contains("needle") })
    await browser.press("enter")
    let rows = (1...20).flatMap { browser.terminal.lastBuffer?.styleRuns(ofRow: $0) ?? [] }
    #expect(rows.contains { $0.role == .match && $0.text == "needle" })
    await browser.press("home", "w")
    #expect(browser.picture[21].contains("2 lines"))
    await browser.press("right", "right", "left")
    #expect(browser.picture[1].dropFirst().hasPrefix(" and no play."))
    await browser.press("/")
    await browser.type("zebra")
    #expect(browser.picture[23].contains("“zebra” is not in this value"))
    await browser.press("esc", "q")
    #expect(browser.browser.state.overlays.isEmpty)
  }

  @Test func bytesAreDumped() async throws {
    let browser = try await BrowserDriver(file())
    #expect(browser.table[1].contains("PNG image"))
    await browser.press("$", "left", "V")
    #expect(
      browser.picture[1].contains(
        "00000000  89 50 4e 47 0d 0a 1a 0a  00 00 00 0d 49 48 44 52  .PNG........IHDR"))
    #expect(browser.picture[2].contains("00000010  00 00 00  "))
    #expect(browser.picture[0].contains("PNG image, 19 bytes"))
  }

  @Test func missingAndEmptyValuesSaySo() async throws {
    let browser = try await BrowserDriver(file())
    await browser.press("$", "V")
    #expect(browser.picture[1].contains("This value is NULL"))
    await browser.press("esc", "down", "left", "V")
    #expect(browser.picture[1].contains("This blob is empty."))
    await browser.press("esc", "left", "V")
    #expect(browser.picture[1].contains("This text is empty."))
    let employees = try await BrowserDriver(.company()) { _ in BrowserOptions(entity: "Employee") }
    await employees.press("$", "V")
    #expect(employees.status.contains("A relationship has no value"))
    await employees.press("tab", "down", "V")
    #expect(
      employees.picture[0].contains("Employee Ann: name")
        || employees.picture[0].contains("Ann: name"))
    #expect(employees.picture[1].contains("Ann"))
  }

  @Test func theDetailsSayWhereTheRestOfALongValueIs() async throws {
    let browser = try await BrowserDriver(file(), size: Size(columns: 160, rows: 40))
    #expect(browser.detail.contains { $0.contains("press V to see all of it") })
  }

  @Test func jsonIsFormattedWithoutChangingIt() {
    let text = #" {"z":1,"a":[true,null,-1.0e+5,"é\u00e9\\"],"n":{}} "#
    #expect(JSONText.compact(text) == text.trimmingCharacters(in: .whitespaces))
    let pretty = JSONText.pretty(text)
    #expect(pretty.flatMap { JSONText.compact($0) } == JSONText.compact(text))
    for wrong in [
      "", "{", "[1,]", "{\"a\" 1}", "[1] x", "3", "\"text\"", "[tru]", "{'a': 1}", "[01x]",
    ] {
      #expect(JSONText.pretty(wrong) == nil, "\(wrong)")
    }
    #expect(JSONText.pretty(String(repeating: "[", count: 100_000)) == nil)
  }

  @Test func numbersAreGroupedExactly() {
    #expect(NumberText.grouped("1234567.125") == "1,234,567.125")
    #expect(NumberText.grouped("-9223372036854775808") == "-9,223,372,036,854,775,808")
    #expect(NumberText.grouped("999") == "999")
    #expect(NumberText.grouped("1e+300") == "1e+300")
    #expect(NumberText.grouped("text 1234") == "text 1234")
  }

  @Test func linesOfTextAreBrokenWithoutLosingAnything() {
    let seed = RandomCases.seed()
    var random = SeededRandom(seed: seed)
    let pieces = ["a", " ", "word", "日本", "é", "\n", "👨‍👩‍👧", "-"]
    for _ in 0..<200 {
      let text = (0..<60).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      let width = Int.random(in: 2...20, using: &random)
      let value = ValueText(.text(text), ValueFormat(type: .string), form: .text, width: width)
      var lines: [Int: String] = [:]
      for line in value.lines {
        lines[line.paragraph, default: ""] += line.text
        #expect(
          line.text.displayWidth() <= width + 1,
          "seed \(seed), \(text.debugDescription) at \(width)")
      }
      let joined = lines.sorted { $0.key < $1.key }.map(\.value).joined(separator: "\n")
      #expect(joined == text, "seed \(seed), \(text.debugDescription) at \(width)")
    }
  }
}
