import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import TerminalUI
import Testing

@testable import DatastoreBrowser

@MainActor
@Suite struct ColumnTests {
  private func employees(
    _ size: Size = Size(columns: 80, rows: 24), state: URL? = nil
  ) async throws -> BrowserDriver {
    try await BrowserDriver(.company(), size: size) { _ in
      BrowserOptions(entity: "Employee", stateDirectory: state)
    }
  }

  private func reset(_ browser: BrowserDriver) async {
    await browser.press(":")
    await browser.type("reset-columns")
    await browser.press("enter")
  }

  @Test func severalSortKeysShowTheirNumbers() async throws {
    let browser = try await employees()
    await browser.press("right", "right", "s", "right", "S")
    browser.expect(
      browser.table,
      """
          id  name    position ▲1  salary ▲2  company
           4  Dora    ∅                    ∅  ∅
           2  Bob     designer        2800.5  Acme
      >    1  Ann     developer       3000.0  Acme
           3  Cid     developer       3100.0  Borg
           5  ‘’      tester          2500.0  #99 is missing
      """)
    await browser.press("S")
    #expect(browser.table[0].contains("salary ▼2"))
    #expect(browser.table[3].contains("Cid"))
    #expect(browser.status.contains("sorted by position ▲, salary ▼"))
    await browser.press("S")
    #expect(browser.table[0].contains("position ▲ "))
    // Sorting by one column alone forgets the others.
    await browser.press("S", "left", "left", "s")
    #expect(browser.browser.state.table?.query.order == [SortDescriptor(["name"])])
  }

  @Test func columnsHideMoveAndComeBack() async throws {
    let browser = try await employees()
    await browser.press("right", "-")
    #expect(browser.table[0] == "    id  position      salary  company")
    #expect(browser.status.contains("name is hidden"))
    #expect(browser.picture.joined().contains("1 hidden"))
    // The cursor is on the column that took the place.
    #expect(browser.browser.state.table?.currentColumn?.name == "position")
    await browser.press("shift-right", "shift-right", "shift-right")
    #expect(browser.table[0] == "    id    salary  company         position")
    await browser.press("left", "shift-left", "shift-left", "shift-left")
    #expect(browser.table[0].hasPrefix("  company"))
    await reset(browser)
    #expect(browser.table[0] == "    id  name    position      salary  company")
    await browser.press("0", "-", "-", "-", "-", "-")
    #expect(browser.status.contains("At least one column must stay visible"))
    #expect(browser.table[0] == "  company")
  }

  @Test func theListOfColumnsShowsWhatIsHidden() async throws {
    let browser = try await employees()
    await browser.press("right", "}", "right", "!", "left", "C")
    #expect(
      browser.cells.map { $0.prefix(3).joined(separator: " ") } == [
        "id true integer", "name true text", "position true text", "salary true real",
        "company true Company", "Task false Task (count)",
      ])
    #expect(browser.cells[1][3] != "NULL")
    #expect(browser.cells[2][4] == "frozen")
    // The cursor is on the column that it was on: it is hidden, and the last one shown.
    await browser.press("space", "end", "space", "enter")
    #expect(browser.browser.levels.count == 1)
    #expect(browser.status.contains("Task is shown. name is hidden."))
    #expect(browser.browser.state.table?.currentColumn?.name == "Task")
    browser.expect(
      browser.table,
      """
          id  position   │   salary  company           Task
      >    1  developer  │   3000.0  Acme                 2
           2  designer   │   2800.5  Acme                 0
           3  developer  │   3100.0  Borg                 1
           4  ∅          │        ∅  ∅                    0
           5  tester     │   2500.0  #99 is missing       0
      """)
    #expect(browser.browser.state.table?.settings.widths["name"] != nil)
  }

  @Test func countsAreThoseOfTheRelationshipAndLeadToItsMembers() async throws {
    let file = try TemporaryFile.company()
    try file.execute("CREATE INDEX tasks ON Task (employee_id)")
    let browser = try await BrowserDriver(file) { _ in BrowserOptions(entity: "Employee") }
    // With an index the column is there by default.
    #expect(browser.table[0].hasSuffix("Task"))
    #expect(browser.table[1].hasSuffix(" 2"))
    await browser.press("$", "gb")
    #expect(browser.status.contains("makes no groups; s sorts by their number."))
    await browser.press("o")
    #expect(browser.picture[0].contains("Employee › Task of Ann"))
    #expect(browser.status.contains("Task · 2 rows"))
    await browser.press("backspace")
    try file.execute("INSERT INTO Task VALUES (9, 'More', 1)")
    await browser.press("r")
    #expect(browser.table[1].hasSuffix(" 3"))
  }

  @Test func rowsAreSortedByTheNumberOfRelatedObjects() async throws {
    let file = try TemporaryFile.company()
    try file.execute("CREATE INDEX tasks ON Task (employee_id)")
    let browser = try await BrowserDriver(file, size: Size(columns: 100, rows: 24)) { _ in
      BrowserOptions(entity: "Employee")
    }
    await browser.press("$", "s", "s", "0", "right", "S", "S")
    browser.expect(
      browser.table,
      """
          id  name ▼2  position      salary  company         Task ▼1
      >    1  Ann      developer     3000.0  Acme                  2
           3  Cid      developer     3100.0  Borg                  1
           4  Dora     ∅                  ∅  ∅                     0
           2  Bob      designer      2800.5  Acme                  0
           5  ‘’       tester        2500.0  #99 is missing        0
      """)
    #expect(browser.status.contains("sorted by Task.@count ▼, name ▼"))
    // A row goes to the place of its number, also after a change by someone else.
    try await browser.datastore.write { context in
      let dora: [DynamicObject] = try context.fetch(
        FetchRequest(
          entity: "Employee",
          predicate: .comparison(Predicate.Comparison(.keyPath(["id"]), .equal, .value(4)))))
      for _ in 0..<3 {
        let task = try context.createObject(entityName: "Task")
        task.set(dora.first, for: "employee")
      }
    }
    await browser.browser.idle()
    #expect(browser.table[1].contains("Dora") && browser.table[1].hasSuffix(" 3"))
    #expect(browser.table[2].hasPrefix("> ") && browser.table[2].contains("Ann"))
    await browser.press("$", "s")
    #expect(!browser.status.contains("sorted"))
    await browser.press("s")
    #expect(browser.status.contains("sorted by Task.@count ▲"))
  }

  @Test func aColumnFarToTheRightMakesRoomForItself() async throws {
    let names = (1...12).map { "column_number_\($0)" }
    let file = try TemporaryFile(
      "CREATE TABLE Wide (\(names.map { "\($0) TEXT" }.joined(separator: ", ")));"
        + "INSERT INTO Wide VALUES (\(names.indices.map { "'value \($0)'" }.joined(separator: ", ")))"
    )
    let browser = try await BrowserDriver(file)
    // Three of them stay by becoming narrower.
    await browser.press("right", "right", "!", "$")
    #expect(browser.table[1].contains("value 0") && browser.table[1].contains("value 2"))
    #expect(browser.table[1].contains("value 11"))
    #expect(browser.browser.state.table?.arrangement.frozen == 3)
    #expect(
      browser.browser.state.table?.stayingCount(
        available: browser.browser.state.tableLayout.tableBody.columns) == 3)
    // The twelfth goes to the left, beside those that stay already.
    await browser.press("0", "!", "!", "$", "!")
    #expect(browser.status.contains("so column_number_12 went to the left"))
    #expect(browser.browser.state.table?.currentColumn?.name == "column_number_12")
    let arrangement = try #require(browser.browser.state.table?.arrangement)
    #expect(arrangement.position(of: 11) == arrangement.frozen - 1)
    #expect(browser.table[1].contains("value 11"))
    await browser.press("$")
    #expect(browser.table[1].contains("value 11") && browser.table[1].contains("value 10"))
  }

  @Test func frozenColumnsStayWhileOthersScroll() async throws {
    let columns = (1...30).map { "column\($0) INTEGER" }.joined(separator: ", ")
    let values = (1...30).map(String.init).joined(separator: ", ")
    let file = try TemporaryFile(
      "CREATE TABLE Wide (id TEXT, \(columns)); INSERT INTO Wide VALUES ('key', \(values));")
    let browser = try await BrowserDriver(file)
    await browser.press("!", "$")
    #expect(browser.table[0].hasPrefix("  id   │   "))
    #expect(browser.table[0].hasSuffix("column30"))
    #expect(browser.table[1].hasPrefix("> key  │  "))
    await browser.press("0", "!")
    #expect(!browser.table[0].contains("│"))
    // One for which there would be no room beside those left of it goes there.
    await browser.press("$", "!", "0", "right", "right")
    #expect(browser.browser.state.table?.currentColumn?.name == "column1")
    #expect(browser.table[0].contains("column30") && browser.table[0].contains("column1"))
  }

  @Test func theColumnThatIsFrozenStaysOnTheScreen() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE Wide (id INTEGER PRIMARY KEY, one TEXT, two TEXT, three TEXT, four TEXT, five TEXT,
        six TEXT, seven TEXT, eight TEXT, nine TEXT);
      INSERT INTO Wide VALUES (1, 'aaaaaaaaaaaa', 'bbbbbbbbbbbb', 'cccccccccccc', 'dddddddddddd',
        'eeeeeeeeeeee', 'ffffffffffff', 'gggggggggggg', 'hhhhhhhhhhhh', 'iiiiiiiiiiii');
      """)
    let narrow = try await BrowserDriver(file)
    await narrow.press("right", "right", "right", "right", "right", "right", "!")
    #expect(narrow.table[0].contains("six"), "\(narrow.table[0])")
    #expect(narrow.status.contains("no room for 7 columns to stay, so six went to the left"))
    await narrow.press("$")
    #expect(narrow.table[0].contains("six") && narrow.table[0].contains("nine"))
    let wide = try await BrowserDriver(file, size: Size(columns: 260, rows: 24))
    await wide.press("v", "right", "right", "right", "right", "right", "right", "!", "$")
    #expect(!wide.status.contains("room for"))
    #expect(wide.table[0].contains("six"))
    #expect(wide.table[0].contains("nine"))
  }

  @Test func widthsAreGivenByHandFittedAndDragged() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE T (id INTEGER PRIMARY KEY, t TEXT, n INTEGER);
      INSERT INTO T VALUES (1, '\(String(repeating: "long ", count: 20))', 1234567), (2, 'b', 2);
      """)
    let browser = try await BrowserDriver(file)
    await browser.press("right", "_")
    let fitted = browser.browser.state.table?.settings.widths["t"]
    #expect(fitted == browser.browser.state.layout.tableBody.columns)
    await browser.press("_")
    #expect(browser.browser.state.table?.settings.widths == [:])
    await browser.type(String(repeating: "{", count: 10))
    let width = try #require(browser.browser.state.table?.settings.widths["t"])
    await browser.press("right", ",", "enter")
    #expect(browser.table[1].hasSuffix("1,234,567"))
    await browser.press("left", ",")
    #expect(browser.status.contains("holds no numbers"))
    // The border right of the column is dragged by three cells.
    let layout = browser.browser.state.layout
    let table = try #require(browser.browser.state.table)
    let place = try #require(
      table.placements(available: layout.tableBody.columns).first { $0.index == 1 })
    let border = Position(
      column: layout.tableHeader.left + place.offset + place.width, row: layout.tableHeader.top)
    browser.terminal.send(.mouse(MouseEvent(.press(.left, clicks: 1), at: border)))
    browser.terminal.send(
      .mouse(
        MouseEvent(.release(.left), at: Position(column: border.column - 3, row: border.row))))
    await browser.browser.idle()
    #expect(browser.browser.state.table?.settings.widths["t"] == width - 3)
    await browser.press("{")
    #expect(browser.browser.state.table?.settings.widths["t"] == width - 5)
  }

  @Test func clicksOnHeadersSortAndFurtherOnesAdd() async throws {
    let browser = try await employees()
    let layout = browser.browser.state.layout
    func click(_ column: Int, _ modifiers: KeyModifiers) async {
      let place = Position(column: layout.tableHeader.left + column, row: layout.tableHeader.top)
      browser.terminal.send(
        .mouse(MouseEvent(.press(.left, clicks: 1), at: place, modifiers: modifiers)))
      browser.terminal.send(.mouse(MouseEvent(.release(.left), at: place)))
      await browser.browser.idle()
    }
    await click(16, [])
    await click(7, .shift)
    #expect(browser.status.contains("sorted by position ▲, name ▲"))
    #expect(browser.browser.state.table?.settings == ColumnSettings())
  }

  @Test func decisionsOutliveTheProgram() async throws {
    let directory = try TemporaryDirectory()
    let file = try TemporaryFile.company()
    func open() async throws -> BrowserDriver {
      try await BrowserDriver(file) { _ in
        BrowserOptions(entity: "Employee", stateDirectory: directory.file("state"))
      }
    }
    let first = try await open()
    await first.press("right", "-", "shift-right", "}", "!")
    // Within the program another table and back again keep it too.
    await first.press("shift-tab", "up", "enter", "shift-tab", "down", "enter")
    let header = first.table[0]
    #expect(!header.contains("name") && header.contains("│"))
    await first.press("q")
    let second = try await open()
    #expect(second.table[0] == header)
    await reset(second)
    await second.press("q")
    let third = try await open()
    #expect(third.table[0] == "    id  name    position      salary  company")

    // A damaged file is reported and stops nothing; the next setting replaces it.
    await third.press("-", "q")
    let kept = try #require(
      FileManager.default.subpaths(atPath: directory.url.path)?.first {
        $0.contains("columns") && $0.hasSuffix(".json")
      })
    let url = directory.file(kept)
    try Data("{\"columns\": 3".utf8).write(to: url)
    let fourth = try await open()
    #expect(fourth.status.contains("The column settings in"))
    #expect(fourth.table[0] == "    id  name    position      salary  company")
    await fourth.press("0", "right", "-", "q")
    let fifth = try await open()
    #expect(fifth.table[0] == "    id  position      salary  company")
  }

  @Test func aStateDirectoryThatCannotBeWrittenIsTold() async throws {
    let browser = try await employees(state: URL(fileURLWithPath: "/dev/null/state"))
    await browser.press("-")
    #expect(browser.status.contains("could not be kept"))
    #expect(browser.table[0].hasPrefix("  name"))
  }

  @Test func oddNamesAreColumnsLikeAnyOther() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE "select ""x"".y" (
        "order" INTEGER PRIMARY KEY, "a.b" TEXT, "" TEXT, "two\nlines" INTEGER, "日本 %s" TEXT);
      INSERT INTO "select ""x"".y" VALUES (1, 'p', 'q', 3, 'r'), (2, 'a', 'b', 1, 'c');
      """)
    let browser = try await BrowserDriver(file)
    #expect(browser.table[0].contains("a.b"))
    #expect(browser.table[0].contains("two␊lines"))
    for key in ["0", "$"] {
      await browser.press(key, "s", "S", "S", "gb", "gb", "-", "+", "esc", "_", "!", "}")
      await reset(browser)
      #expect(browser.status.contains("2 rows"), "\(browser.status)")
    }
    await browser.press("0", "right", "s")
    #expect(browser.table.contains { $0.contains("▲") })
    #expect(browser.browser.state.table?.list.keys == [2, 1])
    for _ in 0..<3 { await browser.press("right", "s") }
    #expect(browser.browser.state.table?.phase == .ready)
  }

  @Test func membersWithoutAnInverseOpenAsATable() async throws {
    let browser = try await BrowserDriver(.company()) { _ in BrowserOptions(entity: "Task") }
    var state = browser.browser.state
    let link = try #require(state.schema.entities[1].relationshipSlots.last)
    state.openMembers(of: ObjectReference(entity: 1, key: 1), slot: link, keys: [2, 1])
    #expect(state.takeRequests().isEmpty, "nobody is there any more who wanted it")
    await browser.press("tab", "end", "enter")
    state = browser.browser.state
    state.openMembers(of: ObjectReference(entity: 1, key: 1), slot: link, keys: [2, 1])
    #expect(state.takeRequests().map(\.name) == ["fetch"])
    #expect(state.table?.query.scope != nil)
    #expect(state.history.count == 2)
  }
}
