import DatastoreCore
import DatastoreTestSupport
import Foundation
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// Filters that are kept from one run to the next.
@MainActor
@Suite struct SavedFilterTests {
  /// A directory with the two files, deleted with the value.
  private final class Folder {
    private let directory: TemporaryDirectory
    var saved: URL { directory.file("config/filters.yaml") }
    var history: URL { directory.file("state/filter-history.yaml") }
    var files: FilterFiles { FilterFiles(saved: saved, history: history) }

    init() throws { directory = try TemporaryDirectory() }

    func write(_ text: String, to file: URL) throws {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }

    func text(_ file: URL) -> String? { try? String(contentsOf: file, encoding: .utf8) }
  }

  private func browsing(_ folder: Folder) async throws -> BrowserDriver {
    let files = folder.files
    return try await BrowserDriver(.company()) { _ in
      var options = BrowserOptions(entity: "Employee")
      options.filterFiles = files
      return options
    }
  }

  @Test func aFilterIsSavedTakenAndDeleted() async throws {
    let folder = try Folder()
    let browser = try await browsing(folder)
    await browser.press("w")
    await browser.type("salary > 2900")
    await browser.press("ctrl-o", "enter")
    await browser.type("well paid\n")
    #expect(browser.picture.joined().contains("The filter “well paid” is saved."))
    await browser.press("esc")
    #expect(
      folder.text(folder.saved) == """
        Employee:
        - name: well paid
          where: salary > 2900

        """)
    // Another run finds it.
    let later = try await browsing(folder)
    await later.press("w", "ctrl-o")
    #expect(later.picture.joined(separator: "\n").contains("> well paid"))
    await later.press("enter", "enter")
    #expect(later.status.contains("where salary > 2900"))
    await later.press("w", "ctrl-o", "ctrl-x")
    #expect(later.picture.joined().contains("Press the key again to delete"))
    await later.press("ctrl-x")
    #expect(later.browser.state.filters.saved.isEmpty)
    #expect(folder.text(folder.saved)?.contains("well paid") == false)
  }

  @Test func aDoubleClickNamesThePresentFilter() async throws {
    let folder = try Folder()
    let browser = try await browsing(folder)
    await browser.press("w")
    await browser.type("salary > 2900")
    await browser.press("ctrl-o")
    let line = try #require(
      browser.picture.firstIndex { $0.contains("Save the current filter…") })
    await browser.click(column: 20, row: line, clicks: 2)
    await browser.type("well paid\n")
    #expect(folder.text(folder.saved)?.contains("well paid") == true)
  }

  @Test func aFilterMayBeForOneFileOnly() async throws {
    let folder = try Folder()
    let browser = try await browsing(folder)
    await browser.press("w")
    await browser.type("salary > 1")
    await browser.press("ctrl-o", "enter", "ctrl-t")
    await browser.type("mine\n")
    #expect(folder.text(folder.saved)?.contains("file: ") == true)
    let other = try await browsing(folder)
    #expect(other.browser.state.filters.saved.count == 1)
    #expect(other.browser.state.filters.filters(entity: "Employee").isEmpty)
    #expect(browser.browser.state.filters.filters(entity: "Employee").count == 1)
  }

  @Test func theHistoryIsKept() async throws {
    let folder = try Folder()
    let browser = try await browsing(folder)
    for text in ["salary > 1", "name == \"Ann: 'x' #\"", "salary > 1"] {
      await browser.press("w", "ctrl-u")
      await browser.type(text + "\n")
    }
    let later = try await browsing(folder)
    #expect(
      later.browser.state.filters.history["Employee"] == ["name == \"Ann: 'x' #\"", "salary > 1"])
    await later.press("w", "up")
    #expect(
      later.browser.state.overlay(as: FilterState.self)?.line.field.text == "salary > 1")
  }

  @Test func aFileThatCannotBeReadIsNeverWritten() async throws {
    let folder = try Folder()
    let broken = "Employee:\n  - name: x\n    wher: salary > 1\n"
    try folder.write(broken, to: folder.saved)
    try folder.write("{", to: folder.history)
    let browser = try await browsing(folder)
    #expect(browser.browser.state.message?.text.contains("filters.yaml, line 2: a filter") == true)
    await browser.press("w")
    await browser.type("salary > 2900")
    await browser.press("ctrl-o", "enter")
    await browser.type("well paid\n")
    #expect(
      browser.browser.state.overlay(as: FilterState.self)?.notice?
        .contains("a filter needs a name and a where") == true)
    #expect(folder.text(folder.saved) == broken)
    // It lasts as long as the browser runs.
    await browser.press("ctrl-o")
    #expect(browser.picture.joined().contains("well paid"))
    await browser.press("esc", "enter")
    #expect(folder.text(folder.history) == "{")
  }

  @Test func whatWasWrittenByHandIsKeptBesideIt() async throws {
    let folder = try Folder()
    let written = "# my filters\nEmployee:\n  - {name: rich, where: salary > 3000}\n"
    try folder.write(written, to: folder.saved)
    let browser = try await browsing(folder)
    await browser.press("w")
    await browser.type("salary > 1")
    await browser.press("ctrl-o", "end", "down", "enter")
    await browser.type("all\n")
    #expect(folder.text(folder.saved.appendingPathExtension("bak")) == written)
    #expect(browser.browser.state.filters.saved.map(\.name) == ["rich", "all"])
  }

  @Test func aFilterThatDoesNotFitTheFileSaysWhy() async throws {
    let folder = try Folder()
    try folder.write("Employee:\n  - {name: old, where: wage > 3000}\n", to: folder.saved)
    let browser = try await browsing(folder)
    await browser.press("w", "ctrl-o", "enter")
    #expect(browser.picture.joined().contains("“old” does not fit this file"))
    await browser.press("esc", "esc")
    #expect(browser.browser.state.table?.query.filter == nil)
  }
}
