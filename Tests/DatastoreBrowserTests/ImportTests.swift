import DatastoreCore
import DatastoreImport
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// Importing files from inside the browser.
@MainActor
@Suite struct ImportTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func write(_ text: String, to name: String) throws -> String {
    try directory.write(text, to: name)
  }

  private func employees() async throws -> BrowserDriver {
    try await BrowserDriver(.company()) { _ in BrowserOptions(entity: "Employee") }
  }

  private func form(_ driver: BrowserDriver) throws -> ImportForm {
    try #require(driver.browser.state.overlay(as: ImportForm.self))
  }

  /// Opens the form by the command line of the palette.
  private func open(_ path: String, _ driver: BrowserDriver) async {
    await driver.press(":")
    await driver.type("import \(path)")
    await driver.press("enter")
  }

  @Test func theFormShowsWhatWasFoundOutAndTheFirstRows() async throws {
    let path = try write(
      "Name;position;bonus\nEve;designer;10\nFay;;20\n", to: "staff.csv")
    let driver = try await employees()
    await driver.press("P")
    #expect(driver.status.hasPrefix(" Import file: a path; Tab completes it"))
    await driver.type(String(path.dropLast(5)))
    await driver.press("tab", "enter")
    let form = try form(driver)
    #expect(form.mappings.map(\.property) == ["name", "position", nil])
    let picture = driver.picture.map { $0.trimmingCharacters(in: ["│", "┃", "█", " "]) }
    #expect(picture[1] == "Into         Employee")
    #expect(picture[2] == "Format       CSV")
    #expect(picture[3].hasPrefix("Delimiter    semicolon"))
    #expect(picture[4].hasPrefix("Header row   yes"))
    #expect(picture[5].hasPrefix("Encoding     UTF-8"))
    #expect(picture[6].hasPrefix("Decimals     point: 1234.5"))
    #expect(picture[7].hasPrefix("No value is  nothing"))
    #expect(picture[8] == "Skip         nothing")
    #expect(picture[9] == "Remarks      lines before the header row that begin with #")
    #expect(picture[10].hasPrefix("Key          none: every record is a new row"))
    #expect(picture[11].hasPrefix("Name") && picture[11].contains("→ name"))
    #expect(picture[11].contains("Eve") && picture[11].contains("Fay"))
    #expect(picture[12].contains("designer") && picture[12].contains("∅"))
    #expect(picture[13].contains("left out") && picture[13].contains("integer"))
    #expect(picture[14] == "[ Import ]")
    #expect(driver.picture.allSatisfy { $0.count <= 80 })
    await driver.press("esc")
    #expect(driver.browser.state.overlays.isEmpty)
    #expect(try await driver.datastore.newContext().perform { try $0.count(employee) } == 5)
  }

  @Test func settingsAreCorrectedByPicking() async throws {
    let path = try write("1,a|b\n2,c|d\n", to: "x.csv")
    let driver = try await employees()
    await open(path, driver)
    #expect(try form(driver).preview?.columns.map(\.name) == ["column_1", "column_2"])
    await driver.press("down", "down", "enter")
    await driver.type("bar")
    await driver.press("enter")
    // The first line does not differ from the others.
    #expect(try form(driver).preview?.columns.map(\.name) == ["column_1", "column_2"])
    await driver.press("down", "enter")
    await driver.type("yes")
    await driver.press("enter")
    #expect(try form(driver).preview?.columns.map(\.name) == ["1,a", "b"])
    await driver.press("enter")
    await driver.type("no")
    await driver.press("enter")
    #expect(try form(driver).preview?.columns.map(\.name) == ["column_1", "column_2"])
    #expect(try form(driver).preview?.records == [["1,a", "b"], ["2,c", "d"]])
    await driver.press("end", "up", "enter")
    await driver.type("salary")
    await driver.press("enter")
    #expect(try form(driver).mappings.map(\.property) == [nil, "salary"])
    await driver.press("space")
    #expect(try form(driver).mappings.map(\.property) == [nil, nil])
    await driver.press("I")
    #expect(driver.picture.contains { $0.contains("No column fills anything") })
  }

  @Test func linesAreSkippedAndRemarksPassedOver() async throws {
    let path = try write("Staff of 2024\nname,position\n% nobody\nEve,designer\n", to: "r.csv")
    let driver = try await employees()
    await open(path, driver)
    for (line, choice) in [
      (ImportForm.Line.skippedLines, "the first line"), (.comment, "begin with %"),
    ] {
      let place = try #require(try form(driver).lines.firstIndex(of: line))
      await driver.press("home")
      for _ in 0..<place { await driver.press("down") }
      await driver.press("enter")
      await driver.type(choice)
      await driver.press("enter")
    }
    #expect(try form(driver).preview?.columns.map(\.name) == ["name", "position"])
    #expect(try form(driver).preview?.records == [["Eve", "designer"]])
    await driver.press("I")
    #expect(driver.status.contains("Imported 1 row into Employee: 1 new."))
  }

  @Test func rowsAreImportedAndWhatIsAtFaultIsListed() async throws {
    let path = try write(
      "name,salary\nEve,10\nFay,much\nGil,\u{1B}[31m\nHal,12.5\n", to: "staff.csv")
    let driver = try await employees()
    await open(path, driver)
    await driver.press("end", "enter")
    #expect(driver.browser.state.overlays.isEmpty)
    #expect(driver.status.contains("Imported 2 of 4 rows into Employee: 2 new, 2 left out. ctrl-t"))
    #expect(driver.table.contains { $0.contains("Hal") && $0.contains("12.5") })
    #expect(driver.entities.contains { $0.hasPrefix("Employee") && $0.hasSuffix("7") })
    await driver.press("ctrl-t")
    driver.expectShown("Left out by the import of staff.csv into Employee")
    #expect(driver.status.contains("Imported 2 of 4 rows into Employee: 2 new, 2 left out."))
    #expect(
      driver.columnNames == [
        "record", "column", "value", "reason", "line", "position", "file",
      ])
    #expect(
      driver.cells[0]
        == ["2", "salary", "much", "“much” is not a number", "3", "5", path])
    #expect(driver.cells[1][0] == "3")
    // Text of a file cannot send control codes to the terminal.
    #expect(driver.picture.contains { $0.contains("[31m") })
    #expect(!driver.picture.contains { $0.unicodeScalars.contains("\u{1B}") })
    // A place in the file leads nowhere, but its row to the whole reason.
    await driver.press("enter")
    #expect(driver.browser.state.focus == .detail)
    await driver.press("tab", "esc")
    #expect(driver.browser.levels.count == 1)
  }

  @Test func withAKeyRowsAreUpdatedAndUnsavedChangesStay() async throws {
    let path = try write("id,salary\n1,1111\n3,3333\n77,7777\n", to: "pay.csv")
    let driver = try await employees()
    await driver.press("right", "e", "ctrl-u")
    await driver.type("Anna")
    await driver.press("enter")
    #expect(driver.table[1].contains("*Anna"))
    await open(path, driver)
    let key = try #require(try form(driver).lines.firstIndex(of: .key))
    for _ in 0..<key { await driver.press("down") }
    await driver.press("enter")
    await driver.type("id")
    await driver.press("enter", "I")
    #expect(driver.status.contains("Imported 3 rows into Employee: 1 new, 2 updated."))
    #expect(driver.table[1].contains("*Anna") && driver.table[1].contains("1111"))
    #expect(driver.table[3].contains("3333"))
    #expect(driver.picture.contains { $0.contains("● 1 changed") })
    await driver.press("ctrl-s")
    #expect(driver.status.contains("Saved: 1 changed."))
    let values = try await driver.datastore.newContext().perform { context in
      let all: [DynamicObject] = try context.fetch(FetchRequest(entity: "Employee"))
      return all.map { [$0["name"], $0["salary"]] }
    }
    #expect(values.first == ["Anna", .real(1111)])
    #expect(values.last == [.null, .real(7777)])
  }

  @Test func anImportIsCancelledWhileKeysWork() async throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { close(ends[0]) }
    let writer = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    var reading = ReadingOptions()
    reading.format = .csv
    reading.encoding = .utf8
    reading.csv.delimiter = UInt8(ascii: ",")
    let source = LoadSource(
      input: .pipe(path: "/dev/fd/\(ends[0])"), name: "rows.csv", reading: reading,
      content: .entity(ImportManifest.EntityContent(entity: "Big", key: nil, columns: [])))
    let file = try TemporaryFile.large(10)
    let datastore = try SwiftDatastore(opening: file.url)
    let terminal = MemoryTerminal(size: Size(columns: 80, rows: 24))
    var options = BrowserOptions()
    options.importing = source
    let browser = Browser(datastore, terminal: terminal, options: options)
    try browser.start()
    // Two batches of 500, and a part of the third; then the file is still.
    let rows = (0..<1_200).map { "n\($0),k\n" }.joined()
    try writer.write(contentsOf: Data(("name,kind\n" + rows).utf8))
    try await wait { browser.state.importing.run?.progress?.load.written == 1_000 }
    try await wait { browser.state.table?.list.keys.count == 1_010 }
    #expect(browser.state.importing.isRunning)
    terminal.press("end")
    #expect(browser.state.table?.scroll.cursor == 1_009)
    terminal.press("P")
    #expect(browser.state.message?.text.contains("An import is running") == true)
    terminal.press("q")
    #expect(browser.state.overlay(as: Question.self)?.title == "An import is running")
    terminal.press("esc")
    try await wait { terminal.picture[22].contains("Importing rows.csv: 1,000 rows") }
    terminal.press("esc")
    #expect(browser.state.overlay(as: Question.self)?.title == "Cancel the import")
    terminal.press("y")
    try writer.write(contentsOf: Data("last,k\n".utf8))
    try writer.close()
    await browser.idle()
    #expect(
      browser.state.message?.text.hasPrefix(
        "The import was cancelled. 1,000 rows had been written to Big and stay there") == true)
    #expect(browser.state.table?.list.keys.count == 1_010)
    terminal.press("ctrl-t")
    await browser.idle()
    #expect(terminal.picture.contains { $0.contains("The import was cancelled.") })
    withExtendedLifetime(file) {}
  }

  @Test func aNewTableIsMadeAndTheStoreReopened() async throws {
    let path = try write("id,born\n1,1815-12-10\n2,\n", to: "people.csv")
    let file = try TemporaryFile.company()
    let driver = try await BrowserDriver(file)
    await open(path, driver)
    await driver.press("enter")
    await driver.type("new table")
    await driver.press("enter", "end", "up", "t")
    await driver.type("string")
    await driver.press("enter", "I")
    guard case .newTable(let source) = driver.browser.reopening else {
      Issue.record("The store is not opened again.")
      return
    }
    #expect(driver.browser.state.isFinished)
    try driver.datastore.close()
    let again = try await BrowserDriver(file) { _ in BrowserOptions().opening(source) }
    #expect(again.status.contains("Imported 2 rows into people: 2 new."))
    #expect(again.table.contains { $0.contains("1815-12-10") })
    #expect(again.browser.state.entity?.name == "people")
    #expect(again.browser.state.entity?.properties.map { $0.attribute?.declaredType } != [])
  }

  @Test func theNameOfANewTableIsTyped() async throws {
    let path = try write("id,born\n1,1815-12-10\n", to: "task.csv")
    let file = try TemporaryFile.company()
    let driver = try await BrowserDriver(file)
    await open(path, driver)
    // There is a table of the file's name; a new one is proposed with a number.
    #expect(driver.picture[1].contains("Into         Task"))
    await driver.press("enter")
    await driver.type("new table")
    await driver.press("enter")
    #expect(driver.picture[1].contains("Into         a new table"))
    #expect(driver.picture[2].contains("Table        task_2"))
    await driver.press("down", "enter", "ctrl-u")
    #expect(driver.terminal.cursor == Position(column: 15, row: 2))
    await driver.press("enter")
    driver.expectShown("A table needs a name.")
    await driver.type("employee")
    await driver.press("enter")
    driver.expectShown("There is a table “employee” already")
    await driver.press("esc")
    #expect(driver.picture[2].contains("Table        task_2"))
    await driver.press("enter", "ctrl-u")
    // Letters are not commands meanwhile.
    await driver.type("Ixtqe people")
    await driver.press("enter")
    #expect(driver.picture[2].contains("Table        Ixtqe people"))
    await driver.press("I")
    guard case .newTable(let source) = driver.browser.reopening else {
      Issue.record("The store is not opened again.")
      return
    }
    try driver.datastore.close()
    let again = try await BrowserDriver(file) { _ in BrowserOptions().opening(source) }
    #expect(again.status.contains("Imported 1 row into Ixtqe people: 1 new."))
    #expect(again.browser.state.entity?.name == "Ixtqe people")
  }

  @Test func whatIsLeftOutIsExportedAndCopied() async throws {
    let path = try write("name,salary\nEve,10\nFay,much\nGil,\"a,b\"\n", to: "staff.csv")
    let driver = try await employees()
    await open(path, driver)
    await driver.press("end", "enter", "ctrl-t", "right", "right", "y", "y")
    #expect(driver.terminal.clipboard == "much")
    await driver.press("down", "Y")
    let reason = "“a,b” is not a number"
    #expect(driver.terminal.clipboard == "3\tsalary\ta,b\t\(reason)\t4\t5\t\(path)\n")
    await driver.press("ctrl-y")
    #expect(
      driver.terminal.clipboard?.hasPrefix("record\tcolumn\tvalue\treason\tline\tposition\tfile\n")
        == true)
    let target = directory.path("faults.csv")
    await driver.press("E")
    driver.expectShown("2 rows of staff-left-out, 7 columns")
    await driver.press("ctrl-u")
    await driver.type(target)
    await driver.press("enter")
    driver.expectShown("Wrote 2 rows")
    #expect(driver.browser.levels.count == 2)
    let lines = try String(contentsOfFile: target, encoding: .utf8)
      .replacing("\r\n", with: "\n").split(separator: "\n")
    #expect(lines[0] == "record,column,value,reason,line,position,file")
    #expect(lines[1] == "2,salary,much,“much” is not a number,3,5,\(path)")
    #expect(lines[2] == "3,salary,\"a,b\",\"“a,b” is not a number\",4,5,\(path)")
    #expect(lines.count == 3)
  }

  @Test func moreFaultsThanAreKeptAreCounted() async throws {
    let most = BrowserState.keptImportFaults
    let rows = (1...most + 2_345).map { "n\($0),x\n" }.joined()
    let path = try write("name,salary\n" + rows, to: "staff.csv")
    let driver = try await employees()
    await open(path, driver)
    await driver.press("end", "enter", "ctrl-t")
    driver.expectShown("12,345 left out. 10,000 are listed.")
    await driver.press("E")
    driver.expectShown("10,000 rows of staff-left-out, 7 columns")
  }

  @Test func unsavedChangesAreNotLostToANewTable() async throws {
    let path = try write("id\n1\n", to: "people.csv")
    let driver = try await employees()
    await driver.press("right", "e", "ctrl-u")
    await driver.type("Anna")
    await driver.press("enter")
    await open(path, driver)
    await driver.press("enter")
    await driver.type("new table")
    await driver.press("enter", "I")
    #expect(
      driver.browser.state.message?.text.contains("save or revert your changes first") == true)
    #expect(!driver.browser.state.isFinished)
  }

  @Test func aCopyOfAFileCannotBeChanged() async throws {
    let driver = try await BrowserDriver(.company()) { _ in
      var options = BrowserOptions(entity: "Employee")
      options.copiedFile = "staff.csv"
      return options
    }
    #expect(driver.picture.contains { $0.contains("a read-only copy of staff.csv") })
    for key in ["e", "a", "D", "P"] {
      await driver.press("right", key)
      #expect(driver.status.contains("This is a read-only copy of staff.csv"), "\(key)")
    }
  }

  @Test func whatCannotBeReadIsSaid() async throws {
    let driver = try await employees()
    await open(directory.path("none.csv"), driver)
    let failure = driver.browser.state.overlay(as: ImportForm.self)?.failure
    #expect(failure?.contains("cannot be read: No such file") == true)
    await driver.press("I")
    #expect(driver.browser.state.importing.run == nil)
    await driver.press("esc")
    let empty = try write("", to: "empty.csv")
    await open(empty, driver)
    #expect(driver.picture.contains { $0.contains("the file is empty") })
  }

  @Test func thePaletteCompletesPaths() async throws {
    let path = try write("a\n1\n", to: "only.csv")
    let driver = try await employees()
    await driver.press(":")
    await driver.type("impor")
    await driver.press("tab")
    #expect(driver.browser.state.overlay(as: PaletteState.self)?.list.search.text == "import ")
    await driver.type(directory.path("o"))
    await driver.press("tab")
    #expect(
      driver.browser.state.overlay(as: PaletteState.self)?.list.search.text == "import \(path)")
    await driver.press("enter")
    #expect(try form(driver).path == path)
  }

  private let employee = FetchRequest(entity: "Employee")

  /// Waits until something is so; very long, for a busy machine.
  private func wait(_ isSo: () -> Bool) async throws {
    for _ in 0..<5_000_000 {
      if isSo() { return }
      await Task.yield()
    }
    try #require(isSo())
  }
}
