import DatastoreCore
import DatastoreExport
import Foundation
import SwiftDatastore
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// Data cannot speak to the terminal: whatever is in a file, the screen shows marks.
@MainActor
@Suite struct DataTrustTests {
  /// Sequences that terminals obey, and characters that turn or hide text.
  private nonisolated static let hostile: [(name: String, sql: String)] = [
    ("a colour", "char(27) || '[31mred'"),
    ("a window title", "char(27) || ']0;owned' || char(7)"),
    ("the clipboard", "char(27) || ']52;c;b3duZWQ=' || char(7)"),
    ("a device report", "char(27) || '[6n' || char(27) || 'P' || char(27) || '\\'"),
    ("eight-bit controls", "char(155) || '2J' || char(157) || '0;x' || char(156)"),
    ("bidi overrides", "char(8238) || 'gpj.exe' || char(8297) || char(8207)"),
    ("line separators", "'a' || char(8232) || 'b' || char(13) || char(10) || 'c'"),
    ("NUL", "'a' || char(0) || 'b'"),
    ("invalid UTF-8", "CAST(X'61FF62C3ED A080' AS TEXT)"),
    ("invisible characters", "char(8203) || char(65279) || char(173) || char(917569)"),
    ("backspaces", "'safe' || char(8, 8, 8, 8) || 'evil' || char(127)"),
  ].map { ($0.0, $0.1.replacingOccurrences(of: "ED A080", with: "EDA080")) }

  /// The first scalar that a terminal would obey, or that cannot be seen.
  private func harm(_ text: String) -> String? {
    for scalar in text.unicodeScalars {
      let category = scalar.properties.generalCategory
      if category == .control || category == .lineSeparator || category == .paragraphSeparator
        || scalar.properties.isBidiControl || category == .unassigned || category == .surrogate
      {
        return "U+\(String(scalar.value, radix: 16))"
      }
    }
    return nil
  }

  private func expectHarmless(
    _ browser: BrowserDriver, _ what: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for line in browser.picture {
      if let found = harm(line) {
        Issue.record(
          "\(what): \(found) is on the screen in “\(line)”", sourceLocation: sourceLocation)
      }
    }
  }

  @Test(arguments: hostile.indices)
  func everyScreenShowsMarks(_ index: Int) async throws {
    let (what, value) = Self.hostile[index]
    let file = try TemporaryFile(
      """
      CREATE TABLE T (id INTEGER PRIMARY KEY, t TEXT, r INTEGER REFERENCES T (id));
      INSERT INTO T VALUES (1, \(value), 1), (2, 'x', 1);
      """)
    let browser = try await BrowserDriver(file) { _ in
      BrowserOptions(entity: "T", groupBy: ["t"])
    }
    // Cells, section headers, names of related objects and the details.
    expectHarmless(browser, what)
    let rows = browser.browser.state.table?.rows.count
    #expect(rows == 2)
    let visits = [
      ["home", "down", "right"], ["V"], ["f"], ["f"], ["esc"], ["e"], ["esc"], ["t"], ["esc"],
      ["i"], ["esc"], ["'"], ["esc"], ["D"], ["n"], ["tab"], ["yy"], ["shift-tab"], ["f"], ["w"],
      ["esc"], ["W"], ["esc"], ["x"], ["gl"], ["esc"], ["E"], ["esc"],
    ]
    for keys in visits {
      for key in keys { await browser.press(key) }
      expectHarmless(browser, "\(what) after \(keys.joined(separator: " "))")
    }
    await browser.press("Q")
    await browser.type("select t, id from T")
    await browser.press("enter")
    expectHarmless(browser, "\(what) in an answer")
  }

  @Test func namesOfTablesColumnsAndFilesAreMarked() async throws {
    let evil = "a\u{1B}]0;x\u{07}\u{202E}b"
    let file = try TemporaryFile(
      """
      CREATE TABLE "\(evil)" (id INTEGER PRIMARY KEY, "c\(evil)" TEXT);
      INSERT INTO "\(evil)" VALUES (1, 'x');
      """, name: "f\u{1B}[31m\u{202E}.sqlite")
    let browser = try await BrowserDriver(file)
    expectHarmless(browser, "the start")
    #expect(browser.picture.joined().contains("a␛]0;x␇·b"))
    for keys in [
      ["right", "s"], ["gb"], ["/", "q", "enter"], ["esc"], ["+"], ["esc"], ["t"], ["esc"],
      ["w", "c"],
      ["tab"], ["esc", "esc"], ["e", "z", "enter"], ["c"], ["esc"], ["E"], ["esc"],
      ["esc"],
      ["Q", "s"], ["tab"], ["esc", "esc"], ["?"], ["esc"],
    ] {
      for key in keys { await browser.press(key) }
      expectHarmless(browser, keys.joined(separator: " "))
    }
  }

  @Test func tenMegabytesAreACell() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE T (id INTEGER PRIMARY KEY, t TEXT, b BLOB);
      INSERT INTO T VALUES (1, printf('%.*c', 10000000, 'x') || char(27), zeroblob(10000000));
      """)
    let browser = try await BrowserDriver(file)
    expectHarmless(browser, "the table")
    await browser.press("right", "V")
    #expect(browser.picture.joined().contains("xxxx"))
    expectHarmless(browser, "the value")
    await browser.press("G", "esc", "right", "V")
    expectHarmless(browser, "the bytes")
    await browser.press("esc", "left", "yy")
    #expect(browser.status.contains("Terminals take at most"), "\(browser.status)")
    await browser.press("Q")
    await browser.type("select t, b from T")
    await browser.press("enter")
    expectHarmless(browser, "the answer")
    #expect(browser.picture.joined().contains("xxxx"))
  }

  @Test func theClipboardIsSentAsBase64() async throws {
    let file = try TemporaryFile(
      "CREATE TABLE T (t TEXT); INSERT INTO T VALUES (char(27) || ']0;x' || char(7));")
    let browser = try await BrowserDriver(file)
    await browser.press("yy")
    let text = try #require(browser.terminal.clipboard)
    #expect(text == "\u{1B}]0;x\u{07}")
    let bytes = ClipboardSequence(text, isInsideTmux: false).bytes
    // One escape at the start and one bell at the end, whatever the text.
    #expect(bytes.count { $0 == 0x1B } == 1)
    #expect(bytes.firstIndex(of: 0x07) == bytes.count - 1)
  }

  @Test(arguments: ExportFormat.allCases)
  func exportsToATerminalAreMarked(_ format: ExportFormat) throws {
    let page = RowPage(columnCount: 2, rowCapacity: 2)
    let row = page.appendRow(key: 1)
    page.setValue(.text("a\u{1B}[31m\u{202E}\u{0}\u{9B}b"), row: row, slot: 0)
    page.setBytes(
      UnsafeBufferPointer(start: nil, count: 0), tag: .text, row: row, slot: 1)
    page.seal()
    let output = ExportOutput()
    var options = ExportOptions()
    options.isForTerminal = true
    options.table = "t\u{1B}]0;x\u{07}"
    var writer = format.makeWriter(
      [
        ExportColumn(name: "c\u{1B}[2J\u{202E}", type: .string),
        ExportColumn(name: "d", type: .string),
      ], options: options, to: output)
    try writer.begin()
    try writer.write(page, row: 0)
    try writer.end()
    let text = String(decoding: output.contents, as: UTF8.self)
    for line in text.split(separator: "\n") {
      // Tabs part the fields of TSV.
      #expect(harm(line.replacingOccurrences(of: "\t", with: " ")) == nil, "\(line)")
    }
  }
}
