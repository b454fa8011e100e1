import DatastoreImport
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// Importing sheets, and members of archives.
@MainActor
@Suite(.enabled(if: Python.isPresent))
struct ConvertedImportTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func make(_ name: String, _ script: String) throws -> String {
    let path = directory.file(name).path
    _ = try Python.run("path = '\(path)'\n" + script, input: Data(), in: directory)
    return path
  }

  private func open(_ path: String, _ driver: BrowserDriver) async {
    await driver.press(":")
    await driver.type("import \(path)")
    await driver.press("enter")
  }

  private func form(_ driver: BrowserDriver) throws -> ImportForm {
    try #require(driver.browser.state.overlay(as: ImportForm.self))
  }

  // Promise: an archive or a workbook is imported in the browser → one of its tables, chosen in the form; the
  // form of a sheet is not asked for.
  @Test func aMemberOfAnArchiveIsChosen() async throws {
    let path = try make(
      "all.zip",
      """
      import zipfile
      with zipfile.ZipFile(path, "w") as z:
          z.writestr("in/staff.csv", "name;salary\\nEve;10\\n")
          z.writestr("employee.json", '[{"name": "Fay", "salary": 20.5}, {"name": "Gil"}]')
      """)
    let driver = try await BrowserDriver(.company()) { _ in BrowserOptions(entity: "Task") }
    await open(path, driver)
    let picture = driver.picture.map { $0.trimmingCharacters(in: ["│", "┃", "█", " "]) }
    #expect(picture[1] == "Part         in/staff.csv, one of 2")
    #expect(picture[2] == "Into         Task")
    #expect(picture[4].hasPrefix("Delimiter    semicolon"))
    await driver.press("home", "enter")
    await driver.type("employee")
    await driver.press("enter")
    // The table of that name is there.
    #expect(try form(driver).targetName(in: driver.browser.state.schema) == "Employee")
    #expect(try form(driver).preview?.records == [["Fay", "20.5"], ["Gil", nil]])
    #expect(try form(driver).mappings.map(\.property) == ["name", "salary"])
    await driver.press("I")
    #expect(driver.status.contains("Imported 2 rows into Employee: 2 new."))
    #expect(driver.table.contains { $0.contains("Fay") && $0.contains("20.5") })
  }

  @Test func aSheetIsImportedIntoANewTable() async throws {
    let path: String
    do {
      path = try make(
        "book.xlsx",
        """
        import openpyxl
        b = openpyxl.Workbook()
        b.active.title = "First"
        b.active.append(["a"]); b.active.append([1])
        s = b.create_sheet("Parts list")
        s.append(["code", "price"])
        for r in [("007", 1.5), ("8", 2)]: s.append(r)
        b.save(path)
        """)
    } catch {
      // Where openpyxl is not installed, the form says so, as the tests of the program show.
      return
    }
    let file = try TemporaryFile.company()
    let driver = try await BrowserDriver(file)
    await open(path, driver)
    #expect(
      try form(driver).lines
        == [.part, .target, .header, .missing, .skippedLines, .key, .column(0), .start])
    await driver.press("home", "enter")
    await driver.type("parts")
    await driver.press("enter", "down", "enter")
    await driver.type("new table")
    await driver.press("enter")
    #expect(try form(driver).targetName(in: driver.browser.state.schema) == "Parts list")
    #expect(try form(driver).mappings.map(\.type) == [.string, nil])
    await driver.press("I")
    guard case .newTable(let source) = driver.browser.reopening else {
      Issue.record("The store is not opened again.")
      return
    }
    try driver.datastore.close()
    let again = try await BrowserDriver(file) { _ in BrowserOptions().opening(source) }
    #expect(again.status.contains("Imported 2 rows into Parts list: 2 new."))
    #expect(again.table.contains { $0.contains("007") && $0.contains("1.5") })
  }
}
