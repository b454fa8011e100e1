import DatastoreCore
import DatastoreTestSupport
import TerminalUI
import Testing

@testable import DatastoreBrowser

@MainActor
@Suite struct TableScreenTests {
  /// The keys that the footer shows on every screen.
  private static let footer =
    "enter details  e edit  a new  s sort  gb group  w filter  ? help  q quit"

  @Test func theWholeScreenAt80x24() async throws {
    let browser = try await BrowserDriver(.company()) { _ in BrowserOptions(entity: "Employee") }
    browser.expect(
      Array(browser.picture.dropLast()),
      """
      ┌─ company.sqlite ─┐┏━ Employee ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
      │Company          2│┃  id  name    position      salary  company               ┃
      │Employee         5│┃   1  Ann     developer     3000.0  Acme                  ┃
      │Task             3│┃   2  Bob     designer      2800.5  Acme                  ┃
      │                  │┃   3  Cid     developer     3100.0  Borg                  ┃
      │                  │┃   4  Dora    ∅                  ∅  ∅                     ┃
      │                  │┃   5  ‘’      tester        2500.0  #99 is missing        ┃
      │                  │┃                                                          ┃
      │                  │┃                                                          ┃
      │                  │┃                                                          ┃
      │                  │┃                                                          ┃
      │                  │┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 1 of 5 ━┛
      │                  │┌─ Employee Ann ───────────────────────────────────────────┐
      │                  ││id        integer  1                                      █
      │                  ││name      text     Ann                                    █
      │                  ││position  text     developer                              █
      │                  ││salary    real     3000.0                                 █
      │                  ││company   Company  → Acme                                 █
      │                  ││Task      Task     2                                      █
      │                  ││                   → Plan                                 │
      └───────── 2 of 3 ─┘└──────────────────────────────────────────────────────────┘
       ○ no unsaved changes   ^S Save  ^R Revert  u Undo  U Redo  c Review
       Employee · 5 rows
      """)
    #expect(browser.picture.last?.hasPrefix(Self.footer) == true, "\(browser.picture.last ?? "")")
  }

  @Test func theWholeScreenAt200x60() async throws {
    let browser = try await BrowserDriver(.company(), size: Size(columns: 200, rows: 60)) { _ in
      BrowserOptions(entity: "Employee")
    }
    browser.expect(
      Array(browser.picture.prefix(8) + browser.picture.suffix(3).dropLast()),
      """
      ┌─ company.sqlite ─┐┏━ Employee ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓┌─ Employee Ann ───────────────────────────────────────────┐
      │Company          2│┃  id  name    position      salary  company                                                                           ┃│id        integer  1                                      │
      │Employee         5│┃   1  Ann     developer     3000.0  Acme                                                                              ┃│name      text     Ann                                    │
      │Task             3│┃   2  Bob     designer      2800.5  Acme                                                                              ┃│position  text     developer                              │
      │                  │┃   3  Cid     developer     3100.0  Borg                                                                              ┃│salary    real     3000.0                                 │
      │                  │┃   4  Dora    ∅                  ∅  ∅                                                                                 ┃│company   Company  → Acme                                 │
      │                  │┃   5  ‘’      tester        2500.0  #99 is missing                                                                    ┃│Task      Task     2                                      │
      │                  │┃                                                                                                                      ┃│                   → Plan                                 │
       ○ no unsaved changes   ^S Save  ^R Revert  u Undo  U Redo  c Review
       Employee · 5 rows
      """)
    #expect(browser.picture.last?.hasPrefix(Self.footer) == true, "\(browser.picture.last ?? "")")
  }

  @Test func groupingMakesSectionsThatFold() async throws {
    let browser = try await BrowserDriver(.company()) { _ in BrowserOptions(entity: "Employee") }
    await browser.press("right", "right", "gb")
    browser.expect(
      browser.table,
      """
          id  name    position      salary  company
        ▾ ∅ no position (1)
           4  Dora    ∅                  ∅  ∅
        ▾ designer (1)
           2  Bob     designer      2800.5  Acme
        ▾ developer (2)
      >    1  Ann     developer     3000.0  Acme
           3  Cid     developer     3100.0  Borg
        ▾ tester (1)
           5  ‘’      tester        2500.0  #99 is missing
      """)
    await browser.press("z")
    browser.expect(
      browser.table,
      """
          id  name    position      salary  company
        ▾ ∅ no position (1)
           4  Dora    ∅                  ∅  ∅
        ▾ designer (1)
           2  Bob     designer      2800.5  Acme
      > ▸ developer (2)
        ▾ tester (1)
           5  ‘’      tester        2500.0  #99 is missing
      """)
    await browser.press("]", "enter", "Z")
    browser.expect(
      browser.table,
      """
          id  name    position      salary  company
        ▸ ∅ no position (1)
        ▸ designer (1)
        ▸ developer (2)
      > ▸ tester (1)
      """)
    await browser.press("Z", "gb")
    browser.expect(
      browser.table,
      """
          id  name    position      salary  company
      >    1  Ann     developer     3000.0  Acme
           2  Bob     designer      2800.5  Acme
           3  Cid     developer     3100.0  Borg
           4  Dora    ∅                  ∅  ∅
           5  ‘’      tester        2500.0  #99 is missing
      """)
  }

  @Test func sortingCyclesThroughThreeStates() async throws {
    let browser = try await BrowserDriver(.company()) { _ in BrowserOptions(entity: "Employee") }
    await browser.press("$", "left", "s")
    browser.expect(
      browser.table,
      """
          id  name    position    salary ▲  company
           4  Dora    ∅                  ∅  ∅
           5  ‘’      tester        2500.0  #99 is missing
           2  Bob     designer      2800.5  Acme
      >    1  Ann     developer     3000.0  Acme
           3  Cid     developer     3100.0  Borg
      """)
    await browser.press("s")
    browser.expect(
      browser.table,
      """
          id  name    position    salary ▼  company
           3  Cid     developer     3100.0  Borg
      >    1  Ann     developer     3000.0  Acme
           2  Bob     designer      2800.5  Acme
           5  ‘’      tester        2500.0  #99 is missing
           4  Dora    ∅                  ∅  ∅
      """)
    await browser.press("s")
    #expect(!browser.status.contains("sorted"))
    #expect(browser.browser.state.table?.query.order == [])
  }

  @Test func sectionsByARelationshipShowNames() async throws {
    let browser = try await BrowserDriver(.company()) { _ in
      BrowserOptions(
        entity: "Employee", groupBy: ["company"],
        order: [SortDescriptor(["name"], ascending: false)])
    }
    browser.expect(
      browser.table,
      """
          id  name ▼  position      salary  company
        ▾ ∅ no company (1)
      >    4  Dora    ∅                  ∅  ∅
        ▾ Acme (2)
           2  Bob     designer      2800.5  Acme
           1  Ann     developer     3000.0  Acme
        ▾ Borg (1)
           3  Cid     developer     3100.0  Borg
        ▾ #99 is missing (1)
           5  ‘’      tester        2500.0  #99 is missing
      """)
  }

  @Test func filteringKeepsTheCursorOnItsRow() async throws {
    let browser = try await BrowserDriver(.company()) { _ in BrowserOptions(entity: "Employee") }
    await browser.press("down", "down", "w")
    await browser.type("salary > 2900\n")
    browser.expect(
      browser.table,
      """
          id  name    position      salary  company
           1  Ann     developer     3000.0  Acme
      >    3  Cid     developer     3100.0  Borg
      """)
    #expect(browser.status.contains("where salary > 2900"))
    await browser.press("w", "ctrl-u", "enter")
    #expect(browser.browser.state.table?.query.filter == nil)
    #expect(browser.status.contains("5 rows"))
    await browser.press("x")
    #expect(browser.status.contains("All rows are shown already."))
    await browser.press("w")
    await browser.type("salary > 2900\n")
    await browser.press("x")
    #expect(browser.browser.state.table?.query.filter == nil)
    #expect(browser.status.contains("5 rows"))
  }

  @Test func aFaultyFilterIsMarkedAtItsPlaceAndStaysOpen() async throws {
    let browser = try await BrowserDriver(.company()) { _ in BrowserOptions(entity: "Employee") }
    await browser.press("w")
    await browser.type("salry > 3\n")
    let line = browser.terminal.lastBuffer?.styleRuns(ofRow: 19).first { $0.role == .error }
    #expect(line?.text == "salry")
    #expect(browser.picture[20].contains("did you mean “salary”?"))
    await browser.press("esc")
    #expect(browser.status.contains("5 rows"))
  }

  @Test func nullEmptyTextAndMissingObjectsDiffer() async throws {
    let browser = try await BrowserDriver(.company()) { _ in
      BrowserOptions(entity: "Employee", order: [SortDescriptor(["id"], ascending: false)])
    }
    browser.expect(
      Array(browser.table.prefix(3)),
      """
        id ▼  name    position      salary  company
      >    5  ‘’      tester        2500.0  #99 is missing
           4  Dora    ∅                  ∅  ∅
      """)
  }

  @Test func asciiTerminalsShowNoOtherCharacters() async throws {
    let browser = try await BrowserDriver(.company(), glyphs: .ascii) { _ in
      BrowserOptions(entity: "Employee", groupBy: ["position"])
    }
    await browser.press("s")
    #expect(browser.picture.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
    #expect(!browser.picture.joined().contains("?·"))
  }

  @Test func textThatSpeaksToTerminalsIsShownAsMarks() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE T (id INTEGER PRIMARY KEY, t TEXT);
      INSERT INTO T VALUES
        (1, 'a' || char(27) || '[31mred'), (2, 'x' || char(8238) || 'y'),
        (3, 'nul' || char(0) || 'after'), (4, 'two' || char(10) || 'lines'),
        (5, '日本語' || char(9) || 'é');
      """)
    let browser = try await BrowserDriver(file)
    browser.expect(
      browser.table,
      """
          id  t
      >    1  a␛[31mred
           2  x·y
           3  nul␀after
           4  two␊lines
           5  日本語␉é
      """)
    for line in browser.picture {
      #expect(line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    }
  }

  @Test func twoHundredColumnsScrollSideways() async throws {
    let columns = (1...200).map { "c\($0) INTEGER" }.joined(separator: ", ")
    let values = (1...200).map(String.init).joined(separator: ", ")
    let file = try TemporaryFile(
      "CREATE TABLE Wide (\(columns)); INSERT INTO Wide VALUES (\(values));")
    let browser = try await BrowserDriver(file)
    #expect(browser.picture.contains { $0.contains("columns 1-") && $0.contains("of 200") })
    await browser.press("$")
    #expect(browser.table[0].hasSuffix("c200"))
    #expect(browser.table[1].hasSuffix(" 200"))
    await browser.press("0")
    #expect(browser.table[1].contains(" 1 "))
  }

  @Test func emptyTablesViewsAndUnreadableViewsSaySo() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE Empty (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE Full (id INTEGER PRIMARY KEY, name TEXT);
      INSERT INTO Full VALUES (1, 'one');
      CREATE VIEW Good AS SELECT name FROM Full;
      CREATE VIEW Bad AS SELECT unknown_function(name) AS x FROM Full;
      """)
    let empty = try await BrowserDriver(file) { _ in BrowserOptions(entity: "Empty") }
    #expect(empty.table.contains { $0.contains("There are no rows.") })
    #expect(empty.entities.contains { $0.hasPrefix("Bad") && $0.hasSuffix("unreadable") })
    await empty.press("down", "s", "gb", "enter", "o", "z", "]", "pgdn", "tab", "enter")
    let good = try await BrowserDriver(file) { _ in BrowserOptions(entity: "Good") }
    #expect(good.table[1] == "> one")
    #expect(good.status.contains("read-only"))
    let bad = try await BrowserDriver(file) { _ in BrowserOptions(entity: "Bad") }
    #expect(bad.table.joined().contains("“Bad” cannot be read"))
    #expect(bad.status.contains("could not be read"))
    await bad.press("down", "s", "gb", "r", "q")
    #expect(!bad.terminal.isRunning)
  }
}
